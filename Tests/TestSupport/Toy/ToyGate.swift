import Foundation
import Synchronization

/// A place in a toy's method where a test holds it, so that two things certainly happen at once.
///
/// Gates are found by name, since the name is all that travels to the method; a test takes a new one for each use.
package final class ToyGate: Sendable {
  private struct State {
    var isOpen = false
    var arrivals = 0
    var expected: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var passing: [Int: CheckedContinuation<Void, any Error>] = [:]
    var nextPasser = 0
    var blocked: [DispatchSemaphore] = []
  }

  private static let all = Mutex<[String: ToyGate]>([:])
  package let name: String
  private let state = Mutex(State())

  private init(name: String) {
    self.name = name
  }

  package static func make() -> ToyGate { named(UUID().uuidString) }

  package static func named(_ name: String) -> ToyGate {
    all.withLock { all in
      if let known = all[name] { return known }
      let made = ToyGate(name: name)
      all[name] = made
      return made
    }
  }

  package func open() {
    let (passing, blocked) = state.withLock { state in
      state.isOpen = true
      defer {
        state.passing = [:]
        state.blocked = []
      }
      return (Array(state.passing.values), state.blocked)
    }
    for continuation in passing { continuation.resume() }
    for semaphore in blocked { semaphore.signal() }
  }

  /// Returns when so many have come to the gate.
  package func reached(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.arrivals < count { state.expected.append((count, continuation)) }
        return state.arrivals >= count
      }
      if isThere { continuation.resume() }
    }
  }

  package var arrivals: Int { state.withLock(\.arrivals) }

  /// Blocks the thread until the gate opens; a test that forgot it fails after five minutes instead of never.
  package func pass() {
    let semaphore = DispatchSemaphore(value: 0)
    let isOpen = arrive { state in
      if !state.isOpen { state.blocked.append(semaphore) }
      return state.isOpen
    }
    if !isOpen { _ = semaphore.wait(timeout: .now() + 300) }
  }

  /// Waits until the gate opens or the task is cancelled.
  package func passOrCancel() async throws {
    let number = state.withLock { state in
      state.nextPasser += 1
      return state.nextPasser
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOpen = arrive { state in
          if !state.isOpen { state.passing[number] = continuation }
          return state.isOpen
        }
        if isOpen { continuation.resume() }
        if Task.isCancelled { cancel(number) }
      }
    } onCancel: {
      cancel(number)
    }
  }

  private func cancel(_ number: Int) {
    state.withLock { $0.passing.removeValue(forKey: number) }?.resume(throwing: CancellationError())
  }

  private func arrive(_ enter: (inout sending State) -> Bool) -> Bool {
    let (isOpen, ready) = state.withLock { state in
      state.arrivals += 1
      let arrivals = state.arrivals
      let ready = state.expected.filter { $0.count <= arrivals }.map(\.continuation)
      state.expected.removeAll { $0.count <= arrivals }
      return (enter(&state), ready)
    }
    for continuation in ready { continuation.resume() }
    return isOpen
  }
}
