import Kit
import Store

/// What the boards have of a day: which posts were read, and which were saved.
enum BoardDay {
  static func items(_ query: DayQuery, in snapshot: Snapshot) throws -> [DayItem] {
    var items: [DayItem] = []
    for (kind, column) in [(DayItem.Kind.read, "readAt"), (.marked, "savedAt")] {
      try snapshot.db.each(statement(column), query.bounds) { row in
        items.append(
          DayItem(
            kind, collection: PostRecord.collectionName, id: row.text(0), at: row.integer(1), title: row.text(2),
            text: kind == .marked ? row.text(3) : nil, in: snapshot))
      }
    }
    return items
  }

  static func statement(_ column: String) -> String {
    """
    SELECT post.id, \(column), title, preview FROM postMark CROSS JOIN post ON post.id = postMark.id
    WHERE \(column) >= ? AND \(column) < ? ORDER BY \(column), postMark.id LIMIT ?
    """
  }
}
