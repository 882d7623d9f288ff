import Contract
import Store

/// When a source is next requested in the background.
enum RefreshSchedule {
  /// Never sooner, whatever a service allows (FreshRSS has the same floor).
  static let floor: Int64 = 15 * 60_000
  static let ceiling: Int64 = 24 * 3_600_000
  /// A displayed page is not requested again sooner.
  static let lookAgain: Int64 = 60_000
  /// The least time between two automatic requests that a client can set, in minutes.
  static let interval = 15...43_200
  /// The names of the boards change rarely.
  static let boards: Int64 = 24 * 3_600_000

  /// After a response that is valid for `freshFor`. Sources of one host do not become due in the same moment: each is
  /// delayed by up to a tenth, always the same for one source.
  ///
  /// - Parameter every: the least number of minutes that the user set; nil for none.
  static func next(after now: Instant, of source: String, freshFor: Duration?, every: Int? = nil) -> Instant {
    let wanted = max(min(max(floor, freshFor.map(milliseconds) ?? 0), ceiling), milliseconds(every: every))
    return now.adding(milliseconds: wanted + wanted / 10 * spread(source) / 1_000)
  }

  /// After so many failures in a row: doubling, and not before the service's own time. A missing source is requested
  /// rarely, since it may well return.
  static func next(
    after now: Instant, failure: SourceFailure, failures: Int, of source: String, every: Int? = nil
  ) -> Instant {
    let doubled = floor << Int64(min(max(failures, 1), 8) - 1)
    let wanted = min(failure.kind == .missing ? doubled * 4 : doubled, ceiling)
    let asked = min(failure.retryAfter.map(milliseconds) ?? 0, 7 * ceiling)
    let late = max(wanted, asked, milliseconds(every: every))
    return now.adding(milliseconds: late + late / 10 * spread(source) / 1_000)
  }

  /// Until when a first page need not be requested again when a client reads it.
  static func freshUntil(_ now: Instant, freshFor: Duration?) -> Instant {
    now.adding(milliseconds: min(max(lookAgain, freshFor.map(milliseconds) ?? 0), floor))
  }

  /// Of a number of minutes that a client or an archive set.
  private static func milliseconds(every minutes: Int?) -> Int64 {
    minutes.map { Int64(min($0, interval.upperBound)) * 60_000 } ?? 0
  }

  private static func milliseconds(_ duration: Duration) -> Int64 {
    let (seconds, _) = duration.components
    return min(max(seconds, 0), 10 * 86_400) * 1_000
  }

  /// 0 to 999, from the id.
  private static func spread(_ source: String) -> Int64 {
    source.utf8.reduce(Int64(7)) { ($0 &* 31 &+ Int64($1)) % 1_000 }
  }
}
