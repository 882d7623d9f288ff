import Synchronization

/// What happened, in order, and a way to wait for it without sleeping.
package final class EventLog<Event: Sendable>: Sendable {
  private struct Waiter {
    var fits: @Sendable ([Event]) -> Bool
    var continuation: CheckedContinuation<[Event], any Error>
  }

  private struct State {
    var events: [Event] = []
    var waiters: [Int: Waiter] = [:]
    var lastWaiter = 0
  }

  private let state = Mutex(State())

  package init() {}

  package var events: [Event] { state.withLock(\.events) }

  package func append(_ event: Event) {
    // The events are handed out only to those who waited for them: an array that somebody else holds is copied whole
    // by the next append, and a busy test appends thousands.
    let ready = state.withLock { state in
      state.events.append(event)
      guard !state.waiters.isEmpty else { return [(waiter: Waiter, events: [Event])]() }
      let ready = state.waiters.filter { $0.value.fits(state.events) }
      for number in ready.keys { state.waiters[number] = nil }
      return ready.values.map { ($0, state.events) }
    }
    for (waiter, events) in ready { waiter.continuation.resume(returning: events) }
  }

  /// All events, as soon as they fit; throws when the test is cancelled, which is what its time limit does.
  @discardableResult
  package func wait(until fits: @escaping @Sendable ([Event]) -> Bool) async throws -> [Event] {
    let number = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer: Result<[Event], any Error>? = state.withLock { state in
          if fits(state.events) { return .success(state.events) }
          if Task.isCancelled { return .failure(CancellationError()) }
          state.waiters[number] = Waiter(fits: fits, continuation: continuation)
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }

  /// The first event that fits, as soon as it is there.
  @discardableResult
  package func first(where fits: @escaping @Sendable (Event) -> Bool) async throws -> Event {
    try await wait { $0.contains(where: fits) }.first(where: fits)!
  }
}
