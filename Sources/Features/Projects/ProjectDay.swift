import GRDB
import Store

/// What the projects have of a day: which cards came, which moved and are not finished yet, which were finished, and
/// which are due.
enum ProjectDay {
  static let added = timed("createdAt")
  /// What was also finished that day is told as finished.
  static let moved = timed("movedAt", "AND (completedAt IS NULL OR completedAt >= ?)")
  static let finished = timed("completedAt")
  /// Of one column, as the index has them; of all columns, since a past day tells also of what is finished by now.
  static let due = "SELECT id, title FROM project WHERE state = ? AND deadline = ? ORDER BY id LIMIT ?"

  private static func timed(_ column: String, _ condition: String = "") -> String {
    """
    SELECT id, title, \(column) FROM project WHERE \(column) >= ? AND \(column) < ? \(condition)
    ORDER BY \(column), id LIMIT ?
    """
  }

  static func items(_ query: DayQuery, in snapshot: Snapshot) throws -> [DayItem] {
    var items: [DayItem] = []
    func read(_ kind: DayItem.Kind, _ sql: String, _ values: [SQLValue]) throws {
      try snapshot.db.each(sql, values) { row in
        items.append(
          DayItem(
            kind, collection: ProjectRecord.collectionName, id: row.text(0), at: kind == .due ? nil : row.integer(2),
            title: row.text(1), in: snapshot))
      }
    }
    var states: [String] = []
    try snapshot.db.each("SELECT state FROM projectCount", []) { states.append($0.text(0)) }
    for state in states {
      try read(.due, due, [.text(state), .text(query.day.description), .integer(Int64(query.limit))])
    }
    try read(.added, added, query.bounds)
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
