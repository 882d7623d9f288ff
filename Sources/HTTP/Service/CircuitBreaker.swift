/// Stops requests to a service that fails repeatedly: after five failed calls in a row for a minute, then, while a
/// probe fails too, twice as long each time, up to an hour. A pure value: the time is a parameter.
struct CircuitBreaker {
  enum Decision: Equatable {
    case allowed
    /// One request may be sent, to test whether the service has recovered.
    case probe
    /// A probe is running.
    case wait
    case resting(Duration)
  }

  static let failureLimit = 5
  static let firstRest: Duration = .seconds(60)
  static let longestRest: Duration = .seconds(3600)

  private var failures = 0
  private var rest: Duration = .zero
  private var restsUntil: ContinuousClock.Instant?
  private(set) var isProbing = false

  /// Whether there are no recorded failures.
  var isClosed: Bool { failures == 0 }

  func decision(at now: ContinuousClock.Instant) -> Decision {
    guard let restsUntil else { return .allowed }
    if now < restsUntil { return .resting(restsUntil - now) }
    return isProbing ? .wait : .probe
  }

  mutating func beginProbe() { isProbing = true }

  /// A call was cancelled, without a result; the next one may probe.
  mutating func giveUp(probe: Bool) {
    if probe { isProbing = false }
  }

  mutating func succeed() { self = CircuitBreaker() }

  /// A call has failed. Calls that were already running when the circuit opened do not open it again.
  mutating func fail(probe: Bool, at now: ContinuousClock.Instant) {
    if restsUntil != nil && !probe { return }
    failures += 1
    isProbing = false
    guard failures >= Self.failureLimit else { return }
    rest = rest == .zero ? Self.firstRest : min(rest * 2, Self.longestRest)
    restsUntil = now + rest
  }
}
