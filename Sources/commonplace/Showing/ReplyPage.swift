import Contract
import Wire

/// A reply about one item, as a terminal page: its title, its named values, then its text, then its parts.
///
///     Lunch
///     board     Notices
///     writer    Ann
///
///     contents
///     At noon, as always.
///
/// It does not depend on methods: the result's shape determines how a value is shown.
struct ReplyPage {
  let screen: Screen

  /// Names are in a column that is no wider.
  private static let widestLabel = 20
  private static let indent = 2
  /// The paging members of a list.
  private static let paging: Set<String> = ["offset", "limit", "total", "totalIsEstimate", "hasMore", "next", "items"]

  func text(of reply: JSONObject, shape: ObjectShape) -> String {
    var lines: [String]
    if reply["items"]?.arrayValue != nil {
      var rest = reply
      for name in Self.paging { rest[name] = nil }
      lines = self.lines(of: rest, shape: shape)
      if !lines.isEmpty { lines.append("") }
      lines += items(of: reply, shape: shape)
    } else {
      lines = self.lines(of: reply, shape: shape)
      if lines.isEmpty { lines = unnamed(reply) }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Members without a label are shown as JSON; an empty reply is shown as done.
  private func unnamed(_ reply: JSONObject) -> [String] {
    var rest = JSONObject()
    for member in reply.members where !["clock", "display"].contains(where: { sameBytes($0, member.key) }) {
      rest[member.key] = member.value
    }
    if rest.isEmpty { return [screen.say(Text("table.done"))] }
    if rest.members.allSatisfy({ $0.value.arrayValue?.isEmpty == true }) { return [screen.say(screen.nothing)] }
    return TerminalText.verbatim(PrettyJSON.text(of: .object(rest))).split(separator: "\n").map(String.init)
  }

  private func items(of reply: JSONObject, shape: ObjectShape) -> [String] {
    let items = reply["items"]?.arrayValue ?? []
    let part = ListPart(.object(reply), shown: items.count)
    if items.isEmpty { return [screen.say(part.nothing(on: screen))] }
    return list(items, shape: shape[field: "items"]?.shape, indent: 0) + part.remainder(on: screen)
  }

  // MARK: - An object

  private func lines(
    of object: JSONObject, shape: ObjectShape?, outer: JSONObject? = nil, indent: Int = 0, isInList: Bool = false
  ) -> [String] {
    let title = (object["display"]?["title"] ?? object["title"])?.stringValue.map { TerminalText.line($0) }
    let main = outer == nil && !isInList && title != nil ? Self.main(of: object) : nil
    let members = ShownMember.members(
      of: object, shape: shape, outer: Self.display(of: outer), isInList: isInList, isInner: outer != nil
    )
    .filter { member in
      !(title != nil && sameBytes(member.name, "title")) && main.map { !sameBytes(member.name, $0.name) } != false
        && !(sameBytes(member.name, "id") && outer?["id"] == member.value)
        && !(!sameBytes(member.name, "id") && object["id"] == member.value)
        && !(["updatedAt", "writtenAt"].contains { sameBytes($0, member.name) } && object["createdAt"] == member.value)
        // If it was not saved, the reply states that separately.
        && !(sameBytes(member.name, "saved") && member.value == true && object["createdAt"] == object["updatedAt"])
    }
    var problems: [String] = []
    var words: [(label: String, text: String)] = []
    var unchanged: Int?
    var ids: [(label: String, text: String)] = []
    var diffs: [(label: String, diff: ShownDiff)] = []
    var parts: [ShownMember] = []
    for member in members {
      if member.value.objectValue != nil, let problem = ShownItem.sentences(member.value) {
        problems.append(problem)
      } else if let found = differences(in: member) {
        diffs += found
      } else if let text = member.words(on: screen) {
        guard !text.isEmpty else { continue }
        let line = (screen.label(member.term), text)
        if sameBytes(member.name, "changed"), member.value == false { unchanged = words.count }
        if member.isID { ids.append(line) } else { words.append(line) }
      } else {
        parts.append(member)
      }
    }
    // An unchanged write is not worth showing beside its content: reading columns has that result too. Nor is
    // it beside the counts of an import, of which one has the same label.
    if let unchanged, shape?[field: "changed"] == nil, !parts.isEmpty || object["updated"]?.integerValue != nil {
      words.remove(at: unchanged)
    }
    words += ids
    let room = screen.width - indent
    let width = min(Self.widestLabel, words.map { TextWidth.columns(of: $0.label) }.max() ?? 0)
    // A URL or a path is copied as a whole: the terminal wraps it if necessary.
    func isLong(_ text: String) -> Bool {
      text.contains(where: \.isNewline)
        || text.contains { $0 == " " || !$0.isASCII } && TextWidth.columns(of: text) > room - width - TableLayout.gap
    }
    var lines = problems.flatMap { TerminalText.lines("! " + $0, width: room).map(screen.ink.alarming) }
    if let title { lines += TerminalText.lines(title, width: room).map(screen.ink.strong) }
    if let main {
      let from = Self.origin(of: object)
      if !from.isEmpty { lines += TerminalText.lines(from, width: room).map(screen.ink.faint) }
      let text = TerminalText.lines(Self.without(title, main.text), width: room)
      lines += (text.isEmpty ? [] : [""] + text) + (words.isEmpty ? [] : [""])
    }
    lines += words.filter { !isLong($0.text) }.map { label, text in
      screen.ink.faint(TextWidth.padded(label, to: width)) + "  " + TerminalText.line(text)
    }
    if let message = object["display"]?["message"]?.stringValue {
      lines += [""] + TerminalText.lines(message, width: room)
    }
    for (label, text) in words where isLong(text) {
      lines += ["", screen.ink.faint(label)] + TerminalText.lines(Self.without(title, text), width: room)
    }
    for (label, diff) in diffs {
      lines += ["", screen.ink.faint(label)] + diff.lines(width: room, screen.ink)
    }
    for part in parts {
      lines += ["", screen.ink.strong(heading(of: part))] + self.lines(of: part, in: object, indent)
    }
    return lines.first?.isEmpty == true ? Array(lines.dropFirst()) : lines
  }

  /// The main member of an object: its text.
  private static func main(of object: JSONObject) -> (name: String, text: String)? {
    ["contents", "text", "body"].lazy.compactMap { name in
      object[name]?.stringValue.flatMap { $0.isEmpty ? nil : (name: name, text: $0) }
    }.first
  }

  /// The writer and the time; for an item about a day, that day.
  private static func origin(of object: JSONObject) -> String {
    let display = object["display"]
    let writer = (display?["authors"] ?? display?["writer"])?.stringValue
    let isAbout = display?["date"] != nil && display?["day"] != nil
    let when = (isAbout ? ["day", "dayTime"] : ["date", "time"]).map { display?[$0]?.stringValue }
    return ([writer] + when).compactMap {
      $0.map { TerminalText.line($0) }
    }
    .filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// The differences of texts in a member.
  private func differences(in member: ShownMember) -> [(label: String, diff: ShownDiff)]? {
    if let diff = ShownDiff(member.value) { return [(screen.label(member.name), diff)] }
    guard let list = member.value.arrayValue, !list.isEmpty else { return nil }
    let found = list.compactMap { element -> (label: String, diff: ShownDiff)? in
      guard let field = element["field"]?.stringValue, let diff = ShownDiff(of: element) else { return nil }
      return (screen.label(field), diff)
    }
    return found.count == list.count ? found : nil
  }

  /// A diary entry begins with its title, which may be a Markdown heading, and may be the whole text.
  private static func without(_ title: String?, _ text: String) -> String {
    guard let title, let start = text.firstIndex(where: { !$0.isWhitespace }) else { return text }
    let end = text[start...].firstIndex(where: \.isNewline) ?? text.endIndex
    let line = TerminalText.line(String(text[start..<end]), longest: .max)
    let name = String(line.drop { $0 == "#" }.drop { $0 == " " })
    return sameBytes(line, title) || sameBytes(name, title) ? String(text[end...]) : text
  }

  /// The display strings that an object has for its parts: those under names that are not its own.
  private static func display(of object: JSONObject?) -> JSONValue? {
    guard let object, let display = object["display"]?.objectValue else { return nil }
    var rest = JSONObject()
    for member in display.members where object[member.key] == nil { rest[member.key] = member.value }
    return .object(rest)
  }

  // MARK: - Its parts

  private func heading(of part: ShownMember) -> String {
    let label = screen.label(part.name)
    return part.value.arrayValue.map { "\(label)  \($0.count)" } ?? label
  }

  private func lines(of part: ShownMember, in object: JSONObject, _ indent: Int) -> [String] {
    let lines: [String]
    if let inner = part.value.objectValue {
      lines = self.lines(of: inner, shape: part.shape?.object, outer: object, indent: indent + Self.indent)
    } else {
      lines = list(part.value.arrayValue ?? [], shape: part.shape, indent: indent + Self.indent)
    }
    return lines.map { $0.isEmpty ? "" : String(repeating: " ", count: Self.indent) + $0 }
  }

  /// In rows if that suffices, else one below the other.
  private func list(_ elements: [JSONValue], shape: Shape?, indent: Int) -> [String] {
    let width = screen.width - indent
    let objects = StoredValue.rows(elements.compactMap(\.objectValue))
    guard objects.count == elements.count else {
      return elements.flatMap { TerminalText.lines($0.stringValue ?? $0.description, width: width) }
    }
    var labels = screen.labels
    let items = elements.compactMap { element in
      ShownItem(element, ofDay: false, inColumn: false, say: screen.say)?.labelled(&labels)
    }
    if items.count == elements.count, elements.allSatisfy({ $0["display"]?["title"] != nil }) {
      let table = ItemTable(items, width: width)
      return items.flatMap { table.lines(of: $0, screen.ink) }
    }
    var element: ObjectShape?
    if case .array(let inner) = shape { element = inner.object }
    if let table = ObjectTable(objects, shape: element, on: screen, width: width) { return table.lines(screen.ink) }
    if let notes = NoteLines(objects, on: screen, width: width) { return notes.lines }
    return Array(
      objects.map { lines(of: $0, shape: element, indent: indent, isInList: true) }.joined(separator: [""]))
  }
}

extension Shape {
  fileprivate var object: ObjectShape? {
    if case .object(let object) = self { object } else { nil }
  }
}
