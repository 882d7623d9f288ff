import FoundationEssentials

/// When a request is retried, and after what delay. Pure rules of the remote contracts, section 7.6.
enum RetryRule {
  /// The most requests of one call.
  static let tries = 3
  /// The longest accepted `Retry-After`; longer values are reduced to it.
  static let longestWait: Duration = .seconds(15 * 60)
  private static let longestPause = 30.0

  /// The delay before the next request: random, up to a bound that doubles.
  ///
  /// - Parameters:
  ///   - failures: consecutive failures, from 1.
  ///   - random: from 0 up to 1.
  static func pause(after failures: Int, random: Double) -> Duration {
    .seconds(min(longestPause, 0.5 * Double(1 << min(max(failures, 0), 10))) * random)
  }

  /// How long a service is not used after it reports "too many requests" without a time. At least a second, since no
  /// limit is counted in less.
  static func hold(after strikes: Int, random: Double) -> Duration {
    .seconds(1) + pause(after: strikes, random: random)
  }

  /// Whether a connection failure may be temporary. The response was not complete, so retrying is harmless.
  static func mayPass(_ failure: HTTPFailure) -> Bool {
    switch failure {
    case .unreachable, .brokenOff, .timedOut: true
    default: false
    }
  }

  /// The value of `Retry-After`, in seconds or as a date, at most `longest`; nil if it is missing or invalid.
  ///
  /// RFC 9110, section 10.2.3. A date is compared with the service's own `Date` if present, since clocks differ.
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
