import Contract
import Kit
import SQLite
import Store

/// How many entries a list by days has, and where in it one stands, without a pass through them: SQLite counts them by
/// day and by month as they are written (`DiaryTables`), and lives have few days and fewer months.
struct EntryCounts: ListingCounts {
  let from: CalendarDay?
  let to: CalendarDay?
  let order: ListEntries.Sort
  let db: Database

  func total() throws -> Int { try max(0, upTo(to) - before(from)) }

  func behind(_ place: [SQLValue]) throws -> Int {
    guard case .text(let text) = place.first, let day = CalendarDay(text) else { return 0 }
    let ofDay = try db.first(order == .newest ? Self.earlierOfDay : Self.laterOfDay, place) { $0.int(0) } ?? 0
    return try ofDay + (order == .newest ? before(day) - before(from) : upTo(to) - upTo(day))
  }

  func skipping(_ offset: Int) throws -> (sql: String, values: [SQLValue], left: Int) {
    let isNewest = order == .newest
    // Of all entries, in this order.
    let (skipped, beyond) = try offset.addingReportingOverflow(isNewest ? upTo(nil) - upTo(to) : before(from))
    guard !beyond, let month = try db.first(Self.month(isNewest), [.integer(skipped)], Self.span),
      let day = try db.first(Self.day(isNewest), [.text(month.name), .integer(skipped - month.before)], Self.span)
    else { return ("0", [], 0) }
    return ("day \(isNewest ? "<=" : ">=") ?", [.text(day.name)], skipped - month.before - day.before)
  }

  /// Of the days before one.
  private func before(_ day: CalendarDay?) throws -> Int {
    guard let day else { return 0 }
    return try db.first(Self.countBefore, [.text(day.description)]) { $0.int(0) } ?? 0
  }

  /// Of a day and those before it; of all days without one.
  private func upTo(_ day: CalendarDay?) throws -> Int {
    guard let day else { return try db.first(Self.countAll, []) { $0.int(0) } ?? 0 }
    return try db.first(Self.countUpTo, [.text(day.description)]) { $0.int(0) } ?? 0
  }

  private static func span(_ row: Columns) -> (name: String, before: Int) { (row.text(0), row.int(1)) }

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

  /// The month, or the day of a month, in which so many entries have been stepped over, and how many were before it.
  private static func month(_ isNewest: Bool) -> String {
    """
    SELECT month, total - entries
    FROM (SELECT month, entries, sum(entries) OVER (ORDER BY month \(isNewest ? "DESC" : "ASC")) AS total FROM diaryMonth)
    WHERE total > ? LIMIT 1
    """
  }

  private static func day(_ isNewest: Bool) -> String {
    """
    SELECT day, total - entries
    FROM (
      SELECT day, entries, sum(entries) OVER (ORDER BY day \(isNewest ? "DESC" : "ASC")) AS total FROM diaryDay
      WHERE day BETWEEN ?1 || '-01' AND ?1 || '-31')
    WHERE total > ?2 LIMIT 1
    """
  }
}
