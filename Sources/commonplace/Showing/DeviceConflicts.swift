import Contract
import Kit
import Wire

/// The conflicts between devices, on a terminal: both versions side by side, or one below the other if it is narrow.
///
///     Return the book  title  %1 9f3a
///       newer (ours)           older, from phone (theirs)
///       Return the book today  Return the book and the film
struct DeviceConflicts {
  /// A choice between the versions of a conflict.
  enum Version: String, CaseIterable {
    case ours, theirs, both
  }

  static let method = MethodNames.describe("changes/conflicts")

  private let place: Place
  private let screen: Screen
  private let reply: JSONValue
  private let conflicts: [JSONValue]

  /// A longer version ends with an ellipsis; `open` and `changes/conflicts` have all of it.
  private static let mostLines = 20
  private static let indent = "  "
  /// With less width, the versions are one below the other.
  private static let leastWidth = 60

  init(_ reply: JSONValue, in place: Place) {
    (self.place, screen, self.reply) = (place, place.screen, reply)
    conflicts = reply["items"]?.arrayValue ?? []
  }

  /// The reply of `changes/conflicts` with all conflicts between devices, and none of imports.
  ///
  /// - Throws: `Failure`.
  static func list(_ conversation: Conversation) async throws(Failure) -> JSONValue {
    guard let method else { return ["items": []] }
    let params: JSONObject = ["limit": 500]
    let first = try await conversation.ask(method.name, .object(params))
    let whole = try await ListRemainder(method: method, conversation: conversation).completed(
      first, to: params, eachLine: false)
    guard var reply = whole.objectValue else { return whole }
    let items = (whole["items"]?.arrayValue ?? []).filter {
      $0["source"]?.stringValue?.hasPrefix(ConflictRecord.devicePrefix) == true
    }
    reply["items"] = .array(items)
    if reply["total"] != nil { reply["total"] = .integer(Int64(items.count)) }
    return .object(reply)
  }

  // MARK: - Showing

  /// The next command of the terminal can name each conflict by its number.
  var text: String {
    let list = Self.method.flatMap { ListedItems(reply, of: $0, place.voice.collections) }
    TerminalList(place)?.write(list?.items ?? [])
    guard !conflicts.isEmpty else { return screen.say(Text("sync.noConflicts")) + "\n" }
    var labels = list?.labels ?? [:]
    let all = conflicts.map { conflict in
      (conflict, label: labels[ShownItem.id(conflict)]?.popFirst() ?? ShownItem.id(conflict))
    }
    let parts = all.map(lines)
    let end = TerminalText.lines(footer(all), width: screen.width)
    return (Array(parts.joined(separator: [""])) + [""] + end).map { $0 + "\n" }.joined()
  }

  private func lines(of conflict: JSONValue, label: String) -> [String] {
    let display = conflict["display"]
    let heading = [title(of: conflict), screen.label(conflict["field"]?.stringValue ?? "")].joined(separator: "  ")
    func name(_ member: String, _ choice: Version) -> String {
      TerminalText.line("\(display?[member]?.stringValue ?? "") (\(choice.rawValue))")
    }
    let room = screen.width - Self.indent.utf8.count
    let isWide = screen.width >= Self.leastWidth
    let width = isWide ? (room - TableLayout.gap) / 2 : room
    let ours = column(name("oursIs", .ours), display?["ours"]?.stringValue, width: width)
    let theirs = column(name("theirsIs", .theirs), display?["theirs"]?.stringValue, width: width)
    var lines = [screen.ink.strong(heading) + "  " + screen.ink.faint(label)]
    guard isWide else { return lines + (ours + theirs).map { Self.indent + $0.drawn } }
    let gap = String(repeating: " ", count: TableLayout.gap)
    for row in 0..<max(ours.count, theirs.count) {
      guard row < theirs.count else {
        lines.append(Self.indent + ours[row].drawn)
        continue
      }
      let left = row < ours.count ? ours[row] : (text: "", drawn: "")
      let blanks = String(repeating: " ", count: max(0, width - TextWidth.columns(of: left.text)))
      lines.append(Self.indent + left.drawn + blanks + gap + theirs[row].drawn)
    }
    return lines
  }

  /// How to choose, with the numbers of the conflicts that can have both versions.
  private func footer(_ conflicts: [(conflict: JSONValue, label: String)]) -> String {
    let joined = conflicts.filter { $0.conflict["choices"]?.arrayValue?.contains("both") == true }
      .map { String($0.label.prefix { $0 != " " }) }
    let settle = screen.say(Text("sync.settleWith"))
    guard !joined.isEmpty else { return settle }
    return settle + " " + screen.say(Text("sync.settleBoth", ["items": joined.joined(separator: ", ")]))
  }

  /// A version below its name.
  private func column(_ name: String, _ version: String?, width: Int) -> [(text: String, drawn: String)] {
    let name = TextWidth.cut(name, to: width)
    let all = TerminalText.lines(version ?? "", width: width)
    let lines = all.count > Self.mostLines ? all.prefix(Self.mostLines - 1) + ["…"] : all
    return [(name, screen.ink.faint(name))] + lines.map { ($0, $0) }
  }

  private func title(of conflict: JSONValue) -> String {
    TerminalText.line(conflict["display"]?["title"]?.stringValue ?? "", longest: 200)
  }

  /// The line that confirms a choice.
  func settled(_ conflict: JSONValue) -> String {
    let field = screen.label(conflict["field"]?.stringValue ?? "")
    return screen.say(Text("sync.settled", ["title": title(of: conflict), "field": field])) + "\n"
  }

  // MARK: - Names

  /// The conflict that a handle means: a number of the last list, the end of an id, or a title. The item of a conflict
  /// names it too.
  ///
  /// - Throws: `Failure` if none matches, and with all of them if several do.
  func conflict(named text: String) throws(Failure) -> JSONValue {
    let found: [JSONValue]
    let handle = Handle(text)
    switch handle {
    case .number(let number):
      let items = TerminalList(place)?.read() ?? []
      guard number <= items.count else { throw place.notListed(number) }
      found = matching { sameBytes($0, items[number - 1].id) }
    case .maybeID(let text):
      let byID = matching { ShortIDs.matches(text, $0) }
      found = byID.isEmpty ? titled(text) : byID
    case .title(let title): found = titled(title)
    }
    guard let first = found.first else {
      throw place.voice.failure(.notFound, Text("sync.noConflict", ["item": handle.text]))
    }
    guard found.count == 1 else {
      var failure = place.voice.failure(.conflict, Text("sync.severalConflicts", ["item": handle.text]))
      let labels = ShortIDs.labels(of: found.compactMap { $0["id"]?.stringValue })
      failure.details = found.map { conflict in
        let id = conflict["id"]?.stringValue ?? ""
        let field = screen.label(conflict["field"]?.stringValue ?? "")
        return "  " + [labels[id] ?? id, "“\(title(of: conflict))”", field].joined(separator: "  ")
      }
      throw failure
    }
    return first
  }

  private func matching(_ isMeant: (String) -> Bool) -> [JSONValue] {
    for name in ["id", "item"] {
      let found = conflicts.filter { $0[name]?.stringValue.map(isMeant) == true }
      if !found.isEmpty { return found }
    }
    return []
  }

  private func titled(_ title: String) -> [JSONValue] {
    conflicts.filter { sameBytes(self.title(of: $0).lowercased(), title.lowercased()) }
  }
}
