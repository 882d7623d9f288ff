import Client
import Daemon
import Wire

/// The columns between which an item was moved, such as a card on a board.
///
/// A notification states only that the column's field has changed; the columns are read from the item's history, by
/// their titles for this client.
struct ColumnMove {
  private static let widestTitle = 24

  private let item: String
  private let from: String
  private let to: String

  /// Nil for any other change, and if the item is back in its column.
  ///
  /// - Parameter lane: the column's field, and those that change with it.
  init?(_ change: JSONValue, by lane: [String], in commit: JSONValue, asking client: Client) async {
    guard change["kind"] == "updated", let collection = change["collection"], let id = change["id"],
      let field = lane.first.map(JSONValue.string), change["fields"]?.arrayValue?.contains(field) == true,
      let since = commit["since"]?.integerValue, let clock = commit["clock"]?.integerValue
    else { return nil }
    let history = try? await client.call(
      "changes/history",
      [
        "collection": collection, "id": id, "diff": true, "after": .string(String(clock + 1)),
        "limit": .integer(min(max(clock - since, 1), 100)),
      ])
    // Newest first; for several commits reported as one, the first column and the last.
    var moves: [JSONValue] = []
    for version in history?["items"]?.arrayValue ?? [] where (version["clock"]?.integerValue ?? 0) > since {
      let diff = version["diffs"]?.arrayValue?.first { $0["field"] == field }
      if let titles = diff?["display"] { moves.append(titles) }
    }
    guard let from = moves.last?["before"]?.stringValue, let to = moves.first?["after"]?.stringValue,
      !sameBytes(from, to)
    else { return nil }
    item = collection.stringValue ?? ""
    self.from = Self.shown(from)
    self.to = Self.shown(to)
  }

  /// For an undo, the original move.
  func words(isUndone: Bool) -> Text {
    let (from, to) = isUndone ? (to, from) : (from, to)
    return Text("watch.moved", ["item": item, "from": from, "to": to])
  }

  private static func shown(_ title: String) -> String { TextWidth.cut(LogLine.escaped(title), to: widestTitle) }
}
