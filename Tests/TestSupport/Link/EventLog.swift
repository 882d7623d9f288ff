import Synchronization

/// What happened, in order, and a way to wait for it without sleeping.
package final class EventLog<Event: Sendable>: Sendable {
  private struct State {
    var events: [Event] = []
    var waiters: [(fits: @Sendable ([Event]) -> Bool, continuation: CheckedContinuation<[Event], Never>)] = []
  }

  private let state = Mutex(State())

  package init() {}

  package var events: [Event] { state.withLock(\.events) }

  package func append(_ event: Event) {
    let ready = state.withLock { state in
      state.events.append(event)
      let events = state.events
      let ready = state.waiters.filter { $0.fits(events) }.map { ($0.continuation, events) }
      state.waiters.removeAll { $0.fits(events) }
      return ready
    }
    for (continuation, events) in ready { continuation.resume(returning: events) }
  }

  /// All events, as soon as they fit.
  @discardableResult
  package func wait(until fits: @escaping @Sendable ([Event]) -> Bool) async -> [Event] {
    await withCheckedContinuation { continuation in
      let events: [Event]? = state.withLock { state in
        if fits(state.events) { return state.events }
        state.waiters.append((fits, continuation))
        return nil
      }
      if let events { continuation.resume(returning: events) }
    }
  }

  /// The first event that fits, as soon as it is there.
  @discardableResult
  package func first(where fits: @escaping @Sendable (Event) -> Bool) async -> Event {
    await wait { $0.contains(where: fits) }.first(where: fits)!
  }
}
