import Contract
import Kit
import SQLite
import Store

/// Which open cards are out of sight, and which can be worked on.
///
/// A card is out of sight, *later*, while it is for someday or its start is still to come. It is *ready* if it is open,
/// not later, and waits for no open card.
enum Readiness {
  /// The condition for a card of an open column to be later.
  ///
  /// - Parameter today: the library's day (`Services.libraryToday`).
  static func later(on today: CalendarDay) -> (sql: String, values: [SQLValue]) {
    ("(someday OR (start IS NOT NULL AND start > ?))", [.text(today.description)])
  }

  /// The condition for a card of any column to be ready.
  static func ready(in lanes: CardLanes, on today: CalendarDay) -> (sql: String, values: [SQLValue]) {
    let lanes = lanes.only(open: true)
    let (open, later, waiting) = (lanes.condition(), later(on: today), waiting(for: lanes))
    return (
      "\(open.sql) AND NOT \(later.sql) AND id NOT IN (\(waiting.sql))", open.values + later.values + waiting.values
    )
  }

  /// Selects the cards that wait for a card in these columns. It scans the table of blockers instead of checking each
  /// card: by far most cards wait for nothing.
  static func waiting(for lanes: CardLanes) -> (sql: String, values: [SQLValue]) {
    let condition = lanes.condition("other")
    let sql = """
      SELECT projectBlock.card FROM projectBlock CROSS JOIN project other ON other.id = projectBlock.blocker \
      WHERE \(condition.sql)
      """
    return (sql, condition.values)
  }

  /// The number of later cards of each open column that has any. It reads two indexes of nothing but such cards.
  static func counts(of lanes: CardLanes, on today: CalendarDay, in db: Database) throws -> [CardLanes.Lane: Int] {
    var counts: [CardLanes.Lane: Int] = [:]
    let open = Set(lanes.only(open: true).selected)
    try db.each(
      """
      SELECT board, state, sum(count) FROM (
        SELECT board, state, count(*) AS count FROM project WHERE someday GROUP BY board, state
        UNION ALL
        SELECT board, state, count(*) FROM project WHERE start > ? AND NOT someday GROUP BY board, state)
      GROUP BY board, state
      """, [.text(today.description)]
    ) { row in
      let lane = CardLanes.Lane(board: row.text(0), state: row.text(1))
      if open.contains(lane) { counts[lane] = row.int(2) }
    }
    return counts
  }
}
