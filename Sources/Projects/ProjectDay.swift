import Kit
import SQLite
import Store
import Wire

/// The cards that a day's page lists: added, moved but not finished yet, finished, and due on that day. A card that was
/// finished before the day ended is not due on it. A card that was finished later is listed as due, with a note that it
/// is done by now.
enum ProjectDay {
  static let added = AddedItems(in: "project", collection: ProjectRecord.collectionName)
  /// A card that was also finished that day is listed as finished only.
  static let moved = timed("movedAt", "AND (completedAt IS NULL OR completedAt >= ?)")
  static let finished = timed("completedAt")
  /// The cards of one open column that are due, in the order of the index.
  static let due = due()
  /// The cards of one closed column: a past day also lists the cards that were finished after it.
  static let dueThen = due("AND completedAt >= ?")

  private static func due(_ condition: String = "") -> String {
    "SELECT id, title FROM project WHERE state = ? AND deadline = ? \(condition) ORDER BY id LIMIT ?"
  }

  private static func timed(_ column: String, _ condition: String = "") -> String {
    """
    SELECT id, title, \(column) FROM project WHERE \(column) >= ? AND \(column) < ? \(condition)
    ORDER BY \(column), id LIMIT ?
    """
  }

  static func items(_ query: DayQuery, in snapshot: Snapshot) throws -> [DayItem] {
    var items: [DayItem] = []
    func read(_ kind: DayItem.Kind, _ sql: String, _ values: [SQLValue], isDone: Bool = false) throws {
      try snapshot.db.each(sql, values) { row in
        items.append(
          DayItem(
            kind, collection: ProjectRecord.collectionName, id: row.text(0), at: kind == .due ? nil : row.integer(2),
            title: row.text(1), word: isDone ? Text("day.dueThen") : nil, in: snapshot))
      }
    }
    let columns = try BoardColumns(in: snapshot)
    let states = try snapshot.db.texts("SELECT state FROM projectCount", [])
    let (day, limit) = (SQLValue.text(query.day.description), SQLValue.integer(Int64(query.limit)))
    for state in states {
      if columns.isOpen(state) {
        try read(.due, due, [.text(state), day, limit])
      } else {
        try read(.due, dueThen, [.text(state), day, .integer(query.instants.upperBound), limit], isDone: true)
      }
    }
    items += try added.items(query, in: snapshot)
    try read(.moved, moved, movedBounds(of: query))
    try read(.finished, finished, query.bounds)
    return items
  }

  static func movedBounds(of query: DayQuery) -> [SQLValue] {
    var values = query.bounds
    values.insert(.integer(query.instants.upperBound), at: 2)
    return values
  }
}
