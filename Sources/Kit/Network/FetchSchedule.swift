import Contract

/// The times between two fetches in the background, in milliseconds.
package enum FetchSchedule {
  /// Never sooner, whatever a service allows (FreshRSS has the same floor).
  package static let floor: Int64 = 15 * 60_000
  package static let ceiling: Int64 = 24 * 3_600_000
  /// The least time between two automatic fetches that a client can set, in minutes.
  package static let interval = 15...43_200

  /// Of a number of minutes that a client or an archive set; 0 for none.
  package static func milliseconds(every minutes: Int?) -> Int64 {
    minutes.map { Int64(min($0, interval.upperBound)) * 60_000 } ?? 0
  }

  package static func milliseconds(_ duration: Duration?) -> Int64 {
    min(max(duration?.components.seconds ?? 0, 0), 10 * 86_400) * 1_000
  }

  /// After so many failures in a row: doubling, and not before the service's own time.
  ///
  /// - Parameters:
  ///   - patience: by how much longer than usual to wait.
  ///   - every: see `milliseconds(every:)`.
  package static func wait(
    failures: Int, patience: Int64 = 1, retryAfter: Duration?, every minutes: Int?
  ) -> Int64 {
    let doubled = min((floor << Int64(min(max(failures, 1), 8) - 1)) * patience, ceiling)
    return max(doubled, min(milliseconds(retryAfter), 7 * ceiling), milliseconds(every: minutes))
  }
}
