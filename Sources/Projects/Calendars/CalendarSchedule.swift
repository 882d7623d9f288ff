import Contract
import Wire

/// When a calendar is next fetched automatically.
enum CalendarSchedule {
  private static let (floor, usual, ceiling): (Int64, Int64, Int64) = (15 * 60_000, 60 * 60_000, 24 * 3_600_000)

  /// After an answer: in an hour unless the user or the server states another time.
  static func next(after now: Instant, of calendar: CalendarRecord, freshFor: Duration?) -> Instant {
    let fresh = min((freshFor?.components.seconds ?? 0) * 1_000, ceiling)
    return now.adding(milliseconds: max(calendar.every.map(milliseconds) ?? usual, fresh, floor))
  }

  /// After so many failures in a row: doubling, and not before the time that the server states.
  static func next(
    after now: Instant, of calendar: CalendarRecord, failures: Int, _ error: RPCError
  ) -> Instant {
    let doubled = min(floor << Int64(min(max(failures, 1), 8) - 1), ceiling)
    let asked = min((error.data["retryAfter"]?.integerValue ?? 0) * 1_000, 7 * ceiling)
    return now.adding(milliseconds: max(doubled, asked, calendar.every.map(milliseconds) ?? 0))
  }

  private static func milliseconds(every minutes: Int) -> Int64 {
    Int64(min(minutes, CalendarRecord.interval.upperBound)) * 60_000
  }
}
