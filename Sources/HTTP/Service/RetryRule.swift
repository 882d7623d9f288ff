import FoundationEssentials

/// When the same request is sent again, and after what pause. Pure rules of the remote contracts, section 7.6.
enum RetryRule {
  /// Requests of one call in all.
  static let tries = 3
  /// A `Retry-After` beyond this is taken for this long.
  static let longestWait: Duration = .seconds(15 * 60)
  private static let longestPause = 30.0

  /// The pause before the next request: anything between nothing and a bound that doubles.
  ///
  /// - Parameters:
  ///   - failures: in a row, from 1.
  ///   - random: from 0 up to 1.
  static func pause(after failures: Int, random: Double) -> Duration {
    .seconds(min(longestPause, 0.5 * Double(1 << min(max(failures, 0), 10))) * random)
  }

  /// How long a service that says "too many" without a time is left alone. At the least a second, since no limit is
  /// counted in less.
  static func hold(after strikes: Int, random: Double) -> Duration {
    .seconds(1) + pause(after: strikes, random: random)
  }

  /// Whether the connection failed in a way that may pass. The answer was not complete, so asking again is harmless.
  static func mayPass(_ failure: HTTPFailure) -> Bool {
    switch failure {
    case .unreachable, .brokenOff, .timedOut: true
    default: false
    }
  }

  /// What `Retry-After` says, in seconds or as a date, at most `longest`; nil if there is none that can be read.
  ///
  /// RFC 9110, section 10.2.3. A date is compared with the service's own `Date` where it has one: the clocks differ.
  static func wait(_ headers: HTTPHeaders, now: Date?, longest: Duration = longestWait) -> Duration? {
    guard let text = headers["Retry-After"] else { return nil }
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return min(longest, .seconds(Int(text.prefix(9)) ?? 0))
    }
    guard let date = HTTPDate(text)?.date else { return nil }
    guard let reference = headers["Date"].flatMap({ HTTPDate($0)?.date }) ?? now else { return nil }
    return max(.zero, min(longest, .seconds(date.timeIntervalSince(reference))))
  }
}
