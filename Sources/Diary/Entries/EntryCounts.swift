import Contract
import Kit
import SQLite
import Store

/// The number of entries in a list by days, and positions in it, without scanning the entries: they are counted by
/// day and month (`DiaryTables`), and there are few days and fewer months.
struct EntryCounts: ListingCounts {
  let from: CalendarDay?
  let to: CalendarDay?
  let order: ListEntries.Sort
  let db: Database

  func total() throws -> Int { try max(0, upTo(to) - before(from)) }

  func count(after place: [SQLValue]) throws -> Int {
    guard case .text(let text) = place.first, let day = CalendarDay(text) else { return 0 }
    // A cursor of a list with other bounds.
    if let from, day < from { return try order == .newest ? 0 : total() }
    if let to, day > to { return try order == .newest ? total() : 0 }
    let ofDay = try db.first(order == .newest ? Self.earlierOfDay : Self.laterOfDay, place) { $0.int(0) } ?? 0
    return try ofDay + (order == .newest ? before(day) - before(from) : upTo(to) - upTo(day))
  }

  func skipping(_ offset: Int) throws -> (sql: String, values: [SQLValue], left: Int) {
    let isNewest = order == .newest
    // An offset in the list of all entries, in this order.
    let (skipped, beyond) = try offset.addingReportingOverflow(isNewest ? upTo(nil) - upTo(to) : before(from))
    guard !beyond, let month = try span("month", of: "diaryMonth", skipped),
      let day = try span(
        "day", of: "diaryDay WHERE day BETWEEN ?2 || '-01' AND ?2 || '-31'", skipped - month.before, .text(month.name))
    else { return ("0", [], 0) }
    return ("day \(isNewest ? "<=" : ">=") ?", [.text(day.name)], skipped - month.before - day.before)
  }

  /// The number of entries before a day.
  private func before(_ day: CalendarDay?) throws -> Int {
    guard let day else { return 0 }
    return try db.first(Self.countBefore, [.text(day.description)]) { $0.int(0) } ?? 0
  }

  /// The number of entries up to and including a day; all entries for nil.
  private func upTo(_ day: CalendarDay?) throws -> Int {
    guard let day else { return try db.first(Self.countAll, []) { $0.int(0) } ?? 0 }
    return try db.first(Self.countUpTo, [.text(day.description)]) { $0.int(0) } ?? 0
  }

  /// The span, a month or a day, that contains the entry with an index, and the number of entries before that span.
  private func span(
    _ column: String, of rows: String, _ skipped: Int, _ values: SQLValue...
  ) throws -> (name: String, before: Int)? {
    let sql = """
      SELECT \(column), total - entries
      FROM (
        SELECT \(column), entries, sum(entries) OVER (ORDER BY \(column) \(order == .newest ? "DESC" : "ASC")) AS total
        FROM \(rows))
      WHERE total > ?1 LIMIT 1
      """
    return try db.first(sql, [.integer(skipped)] + values) { ($0.text(0), $0.int(1)) }
  }

  private static let countAll = "SELECT coalesce(sum(entries), 0) FROM diaryMonth"
  private static let countBefore = count("<")
  private static let countUpTo = count("<=")

  private static func count(_ comparison: String) -> String {
    """
    SELECT (SELECT coalesce(sum(entries), 0) FROM diaryMonth WHERE month < substr(?1, 1, 7))
      + (SELECT coalesce(sum(entries), 0) FROM diaryDay WHERE day > substr(?1, 1, 7) AND day \(comparison) ?1)
    """
  }

  private static let earlierOfDay = "SELECT count(*) FROM diaryEntry WHERE day = ? AND (writtenAt, id) < (?, ?)"
  private static let laterOfDay = "SELECT count(*) FROM diaryEntry WHERE day = ? AND (writtenAt, id) > (?, ?)"
}
