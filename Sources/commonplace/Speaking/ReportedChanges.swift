import Client
import Contract
import Daemon
import Store
import Wire

/// Notifications in words, a line per change: when, by which client, and what.
///
///     10:02:33  commonplace  document added: “A paper”
///     10:02:35  Neovim       document changed: title (“A better paper”)
///     10:02:41  Neovim       undone: document changed: title (“A paper”)
///
/// A notification states only which items changed. The client and the time are read from the log (`ReportedCommits`), and
/// the title of each item with one small request on the existing connection. The names of an item and its fields, and
/// which of them are visible, are declared by its collection.
struct ReportedChanges {
  let place: Place
  let client: Client
  /// The collections that were requested by name.
  var asked: Set<String> = []

  /// If a notification has more changes, only the number of each kind is shown.
  private static let mostLines = 20
  private static let longestTitle = 200
  /// The number of new results of a saved search whose titles are shown.
  private static let mostFound = 3

  func lines(of method: String, _ params: JSONValue) async -> [String] {
    switch method {
    case "changes/didCommit": return await lines(ofCommit: params)
    case "session/didChangeDay":
      return [line(Text("watch.day", ["day": params["day"]?.stringValue ?? ""]), at: nil, by: "")]
    case "projects/didBecomeOverdue", "projects/didBecomeReady":
      let (some, many) =
        method == "projects/didBecomeReady"
        ? ("watch.ready", "watch.manyReady") : ("watch.overdue", "watch.manyOverdue")
      let count = params["all"] == true ? nil : params["ids"]?.arrayValue?.count
      return [line(count.map { Text(some, ["count": String($0)]) } ?? Text(many), at: nil, by: "")]
    case "projects/didRemind":
      let titles = params["reminders"]?.arrayValue?.compactMap { $0["title"]?.stringValue } ?? []
      if params["all"] == true { return [line(Text("watch.manyReminders"), at: nil, by: "")] }
      return titles.map { line(Text("watch.reminder", ["title": LogLine.escaped($0)]), at: nil, by: "") }
    case "search/didChange": return [line(await sentence(ofSearch: params), at: nil, by: "")]
    case "window/logMessage": return [line(LogLine.escaped(params["message"]?.stringValue ?? ""), at: nil, by: "")]
    // Unknown notifications of a newer daemon are shown unchanged.
    default: return [line(LogLine.escaped("\(method) \(params)"), at: nil, by: "")]
    }
  }

  private func lines(ofCommit params: JSONValue) async -> [String] {
    let commits = await ReportedCommits(of: params, asking: client)
    guard let changes = params["changes"]?.arrayValue else {
      let names = params["reset"]?.arrayValue?.compactMap(\.stringValue) ?? []
      let text = names.isEmpty ? Text("watch.reset") : Text("watch.resetOf", ["names": names.joined(separator: ", ")])
      return [line(text, at: commits.at, by: commits.client)]
    }
    let silent = Set(place.voice.collections.filter(\.isSilent).map(\.name)).subtracting(asked)
    let reported = changes.filter { !silent.contains($0["collection"]?.stringValue ?? "") }
    return await sentences(of: reported, in: params, commits.turn).map { words in
      line(commits.turn.map { say($0.text(of: words)) } ?? words, at: commits.at, by: commits.client)
    }
  }

  private func sentences(
    of changes: [JSONValue], in commit: JSONValue, _ turn: ReportedCommits.Turn?
  ) async -> [String] {
    guard changes.count <= Self.mostLines else { return counts(of: changes, turn) }
    var sentences: [(words: String, count: Int)] = []
    for change in changes {
      let words = await sentence(of: change, in: commit, turn)
      if let last = sentences.last, sameBytes(last.words, words) {
        sentences[sentences.count - 1].count += 1
      } else {
        sentences.append((words: words, count: 1))
      }
    }
    return sentences.map { $0.count == 1 ? $0.words : "\($0.count) × \($0.words)" }
  }

  // MARK: - What

  /// The new and the former results of a saved search: how many, and the first titles.
  private func sentence(ofSearch params: JSONValue) async -> String {
    let title = LogLine.escaped((params["title"] ?? params["id"])?.stringValue ?? "")
    let (added, removed) = (params["added"]?.arrayValue ?? [], params["removed"]?.arrayValue ?? [])
    let count = String(params["count"]?.integerValue ?? 0)
    // The list is incomplete, so the number is unknown.
    guard params["hasMore"] != true else { return say(Text("watch.foundMuch", ["title": title, "count": count])) }
    let counts = ["title": title, "added": String(added.count), "removed": String(removed.count), "count": count]
    var titles: [String] = []
    for place in added.isEmpty ? removed : added where titles.count < Self.mostFound {
      // Pages of one document, and entries with the same title, are shown once.
      if let found = await self.title(of: place), !titles.contains(where: { sameBytes($0, found) }) {
        titles.append(found)
      }
    }
    let sentence = say(Text("watch.found", counts))
    return titles.isEmpty ? sentence : sentence + ": " + titles.map { "“\($0)”" }.joined(separator: ", ")
  }

  private func sentence(
    of change: JSONValue, in commit: JSONValue, _ turn: ReportedCommits.Turn?
  ) async -> String {
    let columns = place.voice.collections.first { change["collection"] == .string($0.name) }?.columns
    let move = await ColumnMove(change, by: columns?.lane ?? [], in: commit, asking: client)
    var sentence = say(move?.words(isUndone: turn == .undone) ?? words(of: turn?.original(of: change) ?? change))
    var fields = change["fields"]?.arrayValue?.compactMap(\.stringValue) ?? []
    if move != nil, let lane = columns?.lane { fields.removeAll(where: lane.contains) }
    let words = self.words(for: fields, columns)
    if !words.isEmpty { sentence += ": " + words.joined(separator: ", ") }
    guard let title = await title(of: change) else { return sentence }
    return sentence + (words.isEmpty ? ": “\(title)”" : " (“\(title)”)")
  }

  /// Each once, as several fields may have the same label. A field without a label is for programs.
  private func words(for fields: [String], _ columns: ColumnTraits?) -> [String] {
    var words: [String] = []
    for name in fields where !ShownMember.isPart(name, of: fields) {
      let label = columns.map { $0.labels[name] } ?? name
      guard let label, place.voice.hasWord("field.\(label)") else { continue }
      let word = place.screen.label(label)
      if !words.contains(word) { words.append(word) }
    }
    return words
  }

  private func words(of change: JSONValue) -> Text {
    let item = ["item": change["collection"]?.stringValue ?? "?"]
    return switch change["kind"]?.stringValue {
    case "added": Text("watch.added", item)
    case "removed": Text("watch.removed", item)
    default: Text("watch.changed", item)
    }
  }

  private func title(of change: JSONValue) async -> String? {
    guard let title = await client.title(of: change) else { return nil }
    let head = title.unicodeScalars.prefix(Self.longestTitle)
    return LogLine.escaped(String(head) + (head.endIndex < title.unicodeScalars.endIndex ? "…" : ""))
  }

  /// `240 × highlight added`, in the order in which the kinds are met.
  private func counts(of changes: [JSONValue], _ turn: ReportedCommits.Turn?) -> [String] {
    var order: [String] = []
    var counts: [String: Int] = [:]
    for change in changes {
      let words = say(words(of: turn?.original(of: change) ?? change))
      if counts[words] == nil { order.append(words) }
      counts[words, default: 0] += 1
    }
    return order.map { "\(counts[$0] ?? 0) × \($0)" }
  }

  // MARK: - Lines

  private func say(_ text: Text) -> String { place.voice.sentence(text) }

  private func line(_ text: Text, at: Instant?, by client: String) -> String { line(say(text), at: at, by: client) }

  private func line(_ words: String, at: Instant?, by client: String) -> String {
    let name = client.isEmpty ? "-" : client
    let padding = String(repeating: " ", count: max(0, 11 - TextWidth.columns(of: name)))
    let line = "\(time(at ?? WallClock.now))  \(name)\(padding)  \(words)"
    return TextWidth.cut(line, to: max(place.screen.width, 40))
  }

  private func time(_ instant: Instant) -> String { String(place.voice.reader.zone.wall(instant).suffix(8)) }
}
