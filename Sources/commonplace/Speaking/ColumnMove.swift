import Client
import Daemon
import Wire

/// From which column to which a card went.
///
/// A notification says only that its `state` changed; the columns are asked of its history, by the titles that they have
/// for this client.
struct ColumnMove {
  /// What a move changes and tells.
  static let fields: Set<String> = ["state", "startedAt", "movedAt", "completedAt"]

  private static let widestTitle = 24

  private let from: String
  private let to: String

  /// Nil for any other change, and where the card is back where it was.
  init?(_ change: JSONValue, in commit: JSONValue, asking client: Client) async {
    guard change["collection"] == "projects", change["kind"] == "updated", let id = change["id"],
      change["fields"]?.arrayValue?.contains("state") == true,
      let since = commit["since"]?.integerValue, let clock = commit["clock"]?.integerValue
    else { return nil }
    let history = try? await client.call(
      "changes/history",
      [
        "collection": "projects", "id": id, "diff": true, "after": .string(String(clock + 1)),
        "limit": .integer(min(max(clock - since, 1), 100)),
      ])
    // Newest first; of several commits that are told as one, the first column and the last.
    var moves: [JSONValue] = []
    for version in history?["items"]?.arrayValue ?? [] where (version["clock"]?.integerValue ?? 0) > since {
      let diff = version["diffs"]?.arrayValue?.first { $0["field"] == "state" }
      if let titles = diff?["display"] { moves.append(titles) }
    }
    guard let from = moves.last?["before"]?.stringValue, let to = moves.first?["after"]?.stringValue,
      !sameBytes(from, to)
    else { return nil }
    self.from = Self.shown(from)
    self.to = Self.shown(to)
  }

  /// Of an undo it is the move that somebody had made.
  func words(isUndone: Bool) -> Text {
    let (from, to) = isUndone ? (to, from) : (from, to)
    return Text("watch.moved", ["item": "projects", "from": from, "to": to])
  }

  private static func shown(_ title: String) -> String { TextWidth.cut(LogLine.escaped(title), to: widestTitle) }
}
