import Contract
import Kit
import Wire

/// When a calendar is next fetched automatically.
enum CalendarSchedule {
  private static let usual: Int64 = 60 * 60_000

  /// After an answer: in an hour unless the user or the server states another time.
  static func next(after now: Instant, of calendar: CalendarRecord, freshFor: Duration?) -> Instant {
    let fresh = min(FetchSchedule.milliseconds(freshFor), FetchSchedule.ceiling)
    let every = calendar.every.map { FetchSchedule.milliseconds(every: $0) } ?? usual
    return now.adding(milliseconds: max(every, fresh, FetchSchedule.floor))
  }

  /// After so many failures in a row.
  static func next(
    after now: Instant, of calendar: CalendarRecord, failures: Int, _ error: RPCError
  ) -> Instant {
    let asked = error.data["retryAfter"]?.integerValue.map { Duration.seconds($0) }
    return now.adding(
      milliseconds: FetchSchedule.wait(failures: failures, retryAfter: asked, every: calendar.every))
  }
}
