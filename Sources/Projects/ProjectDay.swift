import Kit
import SQLite
import Store
import Wire

/// What the projects have of a day: which cards came, which moved and are not finished yet, which were finished, and
/// which are due. What was finished before that day was over is not due on it; what was finished later was, and is said to
/// be done by now.
enum ProjectDay {
  static let added = AddedItems(in: "project", collection: ProjectRecord.collectionName)
  /// What was also finished that day is told as finished.
  static let moved = timed("movedAt", "AND (completedAt IS NULL OR completedAt >= ?)")
  static let finished = timed("completedAt")
  /// Of one open column, as the index has them.
  static let due = due()
  /// Of a closed one: a past day tells also of what was finished behind it.
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
