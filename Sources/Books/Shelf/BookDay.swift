import Kit
import SQLite
import Store

/// The books that a day's page lists: added, started and finished ones.
enum BookDay {
  static let added = FoldedItems(in: "book", collection: BookRecord.collectionName)
  static let started = "SELECT id, title FROM book WHERE started = ? ORDER BY id LIMIT ?"
  static let finished = "SELECT id, title FROM book WHERE finished = ? AND status = 'read' ORDER BY id LIMIT ?"

  static func items(_ query: DayQuery, in snapshot: Snapshot) throws -> [DayItem] {
    var items: [DayItem] = []
    func read(_ kind: DayItem.Kind, _ sql: String, _ values: [SQLValue]) throws {
      try snapshot.db.each(sql, values) { row in
        items.append(
          DayItem(
            kind, collection: BookRecord.collectionName, id: row.text(0), at: nil, title: row.text(1), in: snapshot))
      }
    }
    let day: [SQLValue] = [.text(query.day.description), .integer(Int64(query.limit))]
    try read(.started, started, day)
    try read(.finished, finished, day)
    return try items + added.items(query, in: snapshot)
  }
}
