import Synchronization

/// The clients of all loops that wait for replies.
final class WaitingClients: Sendable {
  private struct State {
    var count = 0
    /// Who has had its replies last, and when; and when another client than that one had.
    var last: (client: ObjectIdentifier, at: ContinuousClock.Instant)?
    var before: ContinuousClock.Instant?
  }

  /// A client that has its reply soon asks again: it would find its loop and the processors occupied by others.
  private static let pause: Duration = .milliseconds(20)

  private let state = Mutex(State())

  func enter() { state.withLock { $0.count += 1 } }

  func leave(_ client: ObjectIdentifier, at now: ContinuousClock.Instant) {
    state.withLock { state in
      state.count -= 1
      if let last = state.last, last.client != client { state.before = last.at }
      state.last = (client, now)
    }
  }

  /// Whether another client waits, or has waited a moment ago.
  ///
  /// - Parameter isCounted: whether the client itself waits.
  func includesOthers(
    than client: ObjectIdentifier, isCounted: Bool, at now: ContinuousClock.Instant
  ) -> Bool {
    state.withLock { state in
      if state.count > (isCounted ? 1 : 0) { return true }
      let last = state.last.flatMap { $0.client == client ? state.before : $0.at }
      return last.map { now - $0 < Self.pause } ?? false
    }
  }
}
