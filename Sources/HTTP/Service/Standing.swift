import Synchronization

/// Who waits for a call. May rise while the call waits: a person joins what was asked for by nobody.
package final class Standing: Sendable {
  private struct State {
    var urgency: HTTPRequest.Urgency
    /// Calls that were joined to this one's; they rise along.
    var followers: [Standing] = []
  }

  private let state: Mutex<State>

  package init(_ urgency: HTTPRequest.Urgency) {
    state = Mutex(State(urgency: urgency))
  }

  package var urgency: HTTPRequest.Urgency { state.withLock(\.urgency) }

  /// The queue in which the call waits goes by it from its next step on.
  package func raise(to urgency: HTTPRequest.Urgency) {
    let followers = state.withLock { state in
      guard state.urgency < urgency else { return [Standing]() }
      state.urgency = urgency
      return state.followers
    }
    for follower in followers { follower.raise(to: urgency) }
  }

  /// Whatever this one rises to, the other does.
  func lift(_ other: Standing) {
    guard other !== self else { return }
    let urgency = state.withLock { state in
      state.followers.append(other)
      return state.urgency
    }
    other.raise(to: urgency)
  }
}
