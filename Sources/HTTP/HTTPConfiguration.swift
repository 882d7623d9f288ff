import FoundationEssentials

/// How the client behaves; read from `config.toml`, and again whenever that changes (`HTTPClient.reconfigure`).
/// A call uses from its start to its end the configuration it began with.
package struct HTTPConfiguration: Sendable {
  /// A body slower than this is given up.
  package struct StallRule: Sendable, Equatable {
    /// Bytes per second.
    package var bytesPerSecond = 200
    /// For how many seconds in a row.
    package var seconds = 20

    package init(bytesPerSecond: Int = 200, seconds: Int = 20) {
      self.bytesPerSecond = bytesPerSecond
      self.seconds = seconds
    }
  }

  /// Product and version, as services see it: `Commonplace/1.0`.
  package var userAgent = "Commonplace"
  /// A URL or e-mail address at which an operator can complain; services that are asked often want one.
  package var contact: String?
  /// Refuse every call.
  package var offline = false
  /// Origins that may be at private addresses: base URLs of the configuration and its `allow` list.
  package var allowedOrigins: Set<Origin> = []
  /// For the name, the connection and TLS together.
  package var connectTimeout: Duration = .seconds(10)
  /// For the whole of a `fetch`, one hop; a download has none, only the stall rule.
  package var callTimeout: Duration = .seconds(30)
  package var stall = StallRule()
  /// Redirects followed in one call.
  package var redirectLimit = 5
  /// Calls of one kind (fetches, downloads) that talk to one origin at the same time. Fetches and downloads are counted
  /// apart, so that a short call never waits for a long file.
  package var callsPerOrigin = 2
  /// Calls that run at the same time in all.
  package var callsInAll = 16
  /// Calls that wait for a place, in all; one more fails with `busy`.
  package var callsWaiting = 1000

  /// How long a download waits before it resumes for the nth time without progress in between (n from 1).
  package var resumePause: @Sendable (_ attempt: Int) -> Duration = { .milliseconds(250 << min($0, 4)) }
  /// Waits; ends early when the task is cancelled. Tests put a gate here.
  package var pause: @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
  /// The clock by which budgets, holds and rests are counted. Whoever replaces `pause` replaces this too: a pause after
  /// which no time has passed is begun again.
  package var now: @Sendable () -> ContinuousClock.Instant = { .now }
  /// For dates in headers; whoever makes the client knows the one place where the machine's clock is looked at. Without
  /// one a date counts only beside the service's own `Date`.
  package var wallClock: (@Sendable () -> Date)?
  /// From 0 up to 1; makes the pauses between tries differ, so that many callers do not come back at once.
  package var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

  /// Answers of the resolver that are known beforehand, in libcurl's form `host:port:address`. For tests alone: so a
  /// "public" name can resolve to an address of this machine.
  var resolved: [String] = []

  package init() {}

  /// The `User-Agent` line.
  var userAgentLine: String { contact.map { "\(userAgent) (+\($0))" } ?? userAgent }
}
