import Contract
import Kit
import Store

/// When a source is next requested in the background.
enum RefreshSchedule {
  /// A displayed page is not requested again sooner.
  static let lookAgain: Int64 = 60_000
  /// The names of the boards change rarely.
  static let boards: Int64 = 24 * 3_600_000

  /// After a response that is valid for `freshFor`. Sources of one host do not become due in the same moment: each is
  /// delayed by up to a tenth, always the same for one source.
  ///
  /// - Parameter every: the least number of minutes that the user set; nil for none.
  static func next(after now: Instant, of source: String, freshFor: Duration?, every: Int? = nil) -> Instant {
    let fresh = min(max(FetchSchedule.floor, FetchSchedule.milliseconds(freshFor)), FetchSchedule.ceiling)
    return now.adding(milliseconds: spread(max(fresh, FetchSchedule.milliseconds(every: every)), source))
  }

  /// After so many failures in a row. A missing source is requested rarely, since it may well return.
  static func next(
    after now: Instant, failure: SourceFailure, failures: Int, of source: String, every: Int? = nil
  ) -> Instant {
    let late = FetchSchedule.wait(
      failures: failures, patience: failure.kind == .missing ? 4 : 1, retryAfter: failure.retryAfter, every: every)
    return now.adding(milliseconds: spread(late, source))
  }

  /// Until when a first page need not be requested again when a client reads it.
  static func freshUntil(_ now: Instant, freshFor: Duration?) -> Instant {
    now.adding(milliseconds: min(max(lookAgain, FetchSchedule.milliseconds(freshFor)), FetchSchedule.floor))
  }

  /// Later by up to a tenth, by the id.
  private static func spread(_ wait: Int64, _ source: String) -> Int64 {
    wait + wait / 10 * source.utf8.reduce(Int64(7)) { ($0 &* 31 &+ Int64($1)) % 1_000 } / 1_000
  }
}
