import Client
import Daemon
import Wire

/// From which column to which an item went, as a card on a board.
///
/// A notification says only that the field changed in which the column stands; the columns are asked of the item's
/// history, by the titles that they have for this client.
struct ColumnMove {
  private static let widestTitle = 24

  private let item: String
  private let from: String
  private let to: String

  /// Nil for any other change, and where the item is back where it was.
  ///
  /// - Parameter lane: the field in which the column stands, and those that change with it.
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
    // Newest first; of several commits that are told as one, the first column and the last.
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

  /// Of an undo it is the move that somebody had made.
  func words(isUndone: Bool) -> Text {
    let (from, to) = isUndone ? (to, from) : (from, to)
    return Text("watch.moved", ["item": item, "from": from, "to": to])
  }

  private static func shown(_ title: String) -> String { TextWidth.cut(LogLine.escaped(title), to: widestTitle) }
}
