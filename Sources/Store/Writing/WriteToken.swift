import Synchronization

/// Decides the race between a cancellation and the writer: a write is cancelled before it begins, or not at all.
package final class WriteToken: Sendable {
  private enum State { case waiting, begun, unwanted, cancelled }
  private let state = Mutex(State.waiting)

  package init() {}

  /// True if the write had not begun; it then never runs, and its completion gets `RPCError.cancelled`.
  package func cancel() -> Bool {
    state.withLock { state in
      guard state == .waiting else {
        if state == .begun { state = .unwanted }
        return state == .cancelled
      }
      state = .cancelled
      return true
    }
  }

  /// Whether it was cancelled after it had begun: a write with more slices then stops.
  var isUnwanted: Bool {
    state.withLock { $0 == .unwanted }
  }

  func begin() -> Bool {
    state.withLock { state in
      if state == .waiting { state = .begun }
      return state != .cancelled
    }
  }
}
