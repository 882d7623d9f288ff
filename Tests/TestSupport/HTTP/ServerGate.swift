import Foundation
import Synchronization

/// A door between a test and a scripted server: closed until somebody opens it, then open for good.
package final class ServerGate: Sendable {
  private struct State {
    var isOpen = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())
  private let threads = DispatchSemaphore(value: 0)

  package init() {}

  /// Lets everyone through who waits or will wait.
  package func open() {
    let waiters = state.withLock { state in
      defer { state.waiters = [] }
      state.isOpen = true
      return state.waiters
    }
    threads.signal()
    for waiter in waiters { waiter.resume() }
  }

  /// Returns when the gate is open.
  package func opened() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiters.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  /// The same for a thread; gives up after five minutes, so that a failed test leaves no thread behind.
  func wait() {
    _ = threads.wait(timeout: .now() + 300)
    threads.signal()
  }
}
