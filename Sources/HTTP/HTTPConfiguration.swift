import FoundationEssentials

/// The settings of the client, read from `config.toml` whenever that changes (`HTTPClient.reconfigure`). A call uses
/// the configuration with which it began.
package struct HTTPConfiguration: Sendable {
  /// Ends a transfer whose body is slower than this.
  package struct StallRule: Sendable, Equatable {
    /// Bytes per second.
    package var bytesPerSecond = 200
    /// The number of consecutive seconds.
    package var seconds = 20

    package init(bytesPerSecond: Int = 200, seconds: Int = 20) {
      self.bytesPerSecond = bytesPerSecond
      self.seconds = seconds
    }
  }

  /// Product and version for services: `Commonplace/1.0`.
  package var userAgent = "Commonplace"
  /// A URL or e-mail address for complaints; services with frequent requests often demand one.
  package var contact: String?
  /// Refuses every call.
  package var offline = false
  /// Origins that may have private addresses: base URLs of the configuration and its `allow` list.
  package var allowedOrigins: Set<Origin> = []
  /// For name resolution, connection and TLS together.
  package var connectTimeout: Duration = .seconds(10)
  /// For one request of a fetch; a download has no such limit, only the stall rule.
  package var callTimeout: Duration = .seconds(30)
  package var stall = StallRule()
  /// The most redirects of one call.
  package var redirectLimit = 5
  /// The most concurrent calls of one type (fetches, downloads) per origin. Fetches and downloads are counted
  /// separately, so that a short call never waits for a long file.
  package var callsPerOrigin = 2
  /// The most concurrent calls in total.
  package var callsInAll = 16
  /// The most waiting calls in total; one more fails with `busy`.
  package var callsWaiting = 1000

  /// The delay before a download resumes for the nth time without progress (n from 1).
  package var resumePause: @Sendable (_ attempt: Int) -> Duration = { .milliseconds(250 << min($0, 4)) }
  /// Waits; returns early when the task is cancelled. Tests replace it.
  package var pause: @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
  /// The clock for budgets, holds and rests. A replacement of `pause` needs a replacement of this, too: a pause that
  /// does not advance this clock is repeated.
  package var now: @Sendable () -> ContinuousClock.Instant = { .now }
  /// The time for dates in headers. Without it a date is only used together with the service's own `Date`.
  package var wallClock: (@Sendable () -> Date)?
  /// From 0 up to 1; adds jitter to the delays between retries, so that many callers do not retry at once.
  package var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

  /// Fixed results of the resolver, in libcurl's form `host:port:address`. Only for tests, in which a "public" name can
  /// resolve to an address of this machine.
  var resolved: [String] = []

  package init() {}

  /// The `User-Agent` line.
  var userAgentLine: String { contact.map { "\(userAgent) (+\($0))" } ?? userAgent }
}
