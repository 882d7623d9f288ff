import Synchronization

/// When the clients of all loops have last sent a request.
final class RecentRequests: Sendable {
  private struct State {
    var last: (client: ObjectIdentifier, at: ContinuousClock.Instant)?
    /// The last request of any other client than that one.
    var before: ContinuousClock.Instant?
  }

  /// A client that types sends its next request within this time, and most have their replies long before.
  private static let window: Duration = .milliseconds(100)

  private let state = Mutex(State())

  func add(of client: ObjectIdentifier, at now: ContinuousClock.Instant) {
    state.withLock { state in
      if let last = state.last, last.client != client { state.before = last.at }
      state.last = (client, now)
    }
  }

  /// Whether another client has sent a request recently.
  func includesOthers(than client: ObjectIdentifier, at now: ContinuousClock.Instant) -> Bool {
    state.withLock { state in
      let last = state.last.flatMap { $0.client == client ? state.before : $0.at }
      return last.map { now - $0 < Self.window } ?? false
    }
  }
}
