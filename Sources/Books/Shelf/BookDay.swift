import Kit
import SQLite
import Store

/// The books that a day's page lists: added, started and finished ones.
enum BookDay {
  static let added = FoldedItems(in: "book", collection: BookRecord.collectionName)
  static let started = "SELECT id, title FROM book WHERE started = ?1 \(earlier("started")) ORDER BY id LIMIT ?2"
  static let finished =
    "SELECT id, title FROM book WHERE finished = ?1 AND status = 'read' \(earlier("read")) ORDER BY id LIMIT ?2"

  /// The books with an earlier read.
  private static func earlier(_ kind: String) -> String {
    "UNION SELECT id, title FROM bookName JOIN book ON id = book WHERE kind = '\(kind)' AND name = ?1"
  }

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
