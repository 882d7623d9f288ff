import Synchronization

/// The priority of a call. It may rise while the call waits: an interactive call joins a background one.
package final class RequestPriority: Sendable {
  /// The urgency of a request.
  package enum Urgency: Int, Sendable, Comparable {
    /// A refresh that no user waits for.
    case background
    /// A user waits.
    case interactive

    package static func < (left: Urgency, right: Urgency) -> Bool { left.rawValue < right.rawValue }
  }

  private struct State {
    var urgency: Urgency
    /// The priorities of calls that this one joined; they rise with it.
    var followers: [RequestPriority] = []
  }

  private let state: Mutex<State>

  package init(_ urgency: Urgency) {
    state = Mutex(State(urgency: urgency))
  }

  package var urgency: Urgency { state.withLock(\.urgency) }

  /// Raises the priority. The queue applies it at its next step.
  package func raise(to urgency: Urgency) {
    let followers = state.withLock { state in
      guard state.urgency < urgency else { return [RequestPriority]() }
      state.urgency = urgency
      return state.followers
    }
    for follower in followers { follower.raise(to: urgency) }
  }

  /// Raises the other priority whenever this one rises.
  func lift(_ other: RequestPriority) {
    guard other !== self else { return }
    let urgency = state.withLock { state in
      state.followers.append(other)
      return state.urgency
    }
    other.raise(to: urgency)
  }
}
