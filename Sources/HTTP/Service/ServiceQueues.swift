import Synchronization

/// The queues of all services, with the state of each: at most 256 idle ones are retained.
///
/// A call waits here for its turn, holds it for one request, and gives it back. One timer per service wakes the queue
/// when only time has to pass.
final class ServiceQueues: Sendable {
  /// The right to send one request. Given back exactly once, by `leave`.
  struct Turn: Sendable {
    let service: String
    let isProbe: Bool
  }

  /// The result of a request.
  enum Outcome: Sendable {
    case answered
    /// The service failed. `isFinal` unless the same call retries.
    case failed(isFinal: Bool)
    /// Too many requests; the time is the service's own, if it stated one.
    case limited(Duration?)
    case closed(Duration, reason: String)
    /// No information about the service: cancelled, or not its fault.
    case unknown
  }

  private struct Waiter {
    let continuation: CheckedContinuation<Result<Turn, HTTPFailure>, Never>
    let service: String
  }

  private struct Alarm {
    let at: ContinuousClock.Instant
    let task: Task<Void, Never>
  }

  private struct State {
    var services: [String: ServiceState] = [:]
    var waiters: [Int: Waiter] = [:]
    var alarms: [String: Alarm] = [:]
    var count = 0
    var isOver = false
  }

  private static let idleLimit = 256

  private let state = Mutex(State())

  /// The number of services with stored state.
  var serviceCount: Int { state.withLock { $0.services.count } }

  /// The number of waiting calls.
  var callsWaiting: Int { state.withLock { $0.waiters.count } }

  /// Waits for the turn to send a request.
  ///
  /// - Parameter deadline: a call that could only begin later is refused immediately.
  /// - Throws: `rateLimited`, `closed`, `resting`, `busy`, `cancelled`, `shutDown`.
  func enter(
    _ service: String, budget: RequestBudget, origin: String, priority: RequestPriority,
    deadline: ContinuousClock.Instant, configuration: HTTPConfiguration
  ) async throws(HTTPFailure) -> Turn {
    let id = state.withLock { state in
      state.count += 1
      return state.count
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Result<Turn, HTTPFailure>, Never>) in
        let refusal = state.withLock { state -> HTTPFailure? in
          if state.isOver { return .shutDown }
          // Checked under the lock that `onCancel` takes, so that a cancellation in between is not lost.
          if Task.isCancelled { return .cancelled }
          guard state.waiters.count < configuration.callsWaiting else { return .busy }
          let now = configuration.now()
          state.services[service, default: ServiceState(budget, at: now)].budget = budget
          state.services[service]?.enqueue(
            ServiceState.Ticket(id: id, origin: origin, priority: priority, deadline: deadline), at: now)
          state.waiters[id] = Waiter(continuation: continuation, service: service)
          forgetIdle(&state, at: now)
          return nil
        }
        if let refusal {
          continuation.resume(returning: .failure(refusal))
        } else {
          advance(service, configuration)
        }
      }
    } onCancel: {
      withdraw(id, configuration)
    }
    return try result.get()
  }

  /// Gives the turn back and reports the result of the request. Returns how long the service is now held, if it is.
  @discardableResult
  func leave(_ turn: Turn, _ outcome: Outcome, _ configuration: HTTPConfiguration) -> Duration? {
    let held = state.withLock { state -> Duration? in
      guard var service = state.services[turn.service] else { return nil }
      defer { state.services[turn.service] = service }
      let now = configuration.now()
      service.release(at: now)
      switch outcome {
      case .answered: service.succeed()
      case .failed(isFinal: true): service.circuit.fail(probe: turn.isProbe, at: now)
      case .failed(isFinal: false), .unknown: service.circuit.giveUp(probe: turn.isProbe)
      case .limited(let wait): return service.limit(wait, random: configuration.random(), at: now)
      case .closed(let time, let reason): service.close(for: time, reason: reason, at: now)
      }
      return nil
    }
    advance(turn.service, configuration)
    return held
  }

  /// Called when a call joined another: the order of the queue may have changed.
  func reorder(_ service: String, _ configuration: HTTPConfiguration) { advance(service, configuration) }

  /// Ends all waiting calls, and later ones, with `shutDown`.
  func shutDown() {
    let waiters = state.withLock { state in
      defer { (state.waiters, state.services) = ([:], [:]) }
      state.isOver = true
      for alarm in state.alarms.values { alarm.task.cancel() }
      return state.waiters.values.map(\.continuation)
    }
    for waiter in waiters { waiter.resume(returning: .failure(.shutDown)) }
  }

  private func withdraw(_ id: Int, _ configuration: HTTPConfiguration) {
    let waiter = state.withLock { state -> Waiter? in
      guard let waiter = state.waiters.removeValue(forKey: id) else { return nil }
      _ = state.services[waiter.service]?.withdraw(id)
      return waiter
    }
    guard let waiter else { return }
    waiter.continuation.resume(returning: .failure(.cancelled))
    advance(waiter.service, configuration)
  }

  /// Admits the calls that the service's state allows, and sets the timer for the next.
  private func advance(_ name: String, _ configuration: HTTPConfiguration) {
    let answers = state.withLock { state -> [(Waiter, Result<Turn, HTTPFailure>)] in
      guard let step = state.services[name]?.advance(at: configuration.now()) else { return [] }
      if let wakeAt = step.wakeAt { setAlarm(&state, name, wakeAt, configuration) }
      typealias Answer = (id: Int, result: Result<Turn, HTTPFailure>)
      let admitted = step.admitted.map { admitted -> Answer in
        (admitted.ticket.id, .success(Turn(service: name, isProbe: admitted.isProbe)))
      }
      let refused = step.refused.map { refused -> Answer in (refused.ticket.id, .failure(refused.failure)) }
      return (admitted + refused).compactMap { answer in
        state.waiters.removeValue(forKey: answer.id).map { ($0, answer.result) }
      }
    }
    for (waiter, result) in answers { waiter.continuation.resume(returning: result) }
  }

  private func setAlarm(
    _ state: inout State, _ name: String, _ instant: ContinuousClock.Instant, _ configuration: HTTPConfiguration
  ) {
    if let alarm = state.alarms[name] {
      if alarm.at <= instant { return }
      alarm.task.cancel()
    }
    let time = instant - configuration.now()
    let task = Task { [weak self] in
      await configuration.pause(time)
      if !Task.isCancelled { self?.ring(name, instant, configuration) }
    }
    state.alarms[name] = Alarm(at: instant, task: task)
  }

  private func ring(_ name: String, _ instant: ContinuousClock.Instant, _ configuration: HTTPConfiguration) {
    state.withLock { state in
      if state.alarms[name]?.at == instant { state.alarms[name] = nil }
    }
    advance(name, configuration)
  }

  /// Drops the least recently used idle services: their budgets are full again by then.
  private func forgetIdle(_ state: inout State, at now: ContinuousClock.Instant) {
    guard state.services.count > Self.idleLimit else { return }
    let idle = state.services.filter { $0.value.isIdle(at: now) }.sorted { $0.value.lastUse < $1.value.lastUse }
    for (name, _) in idle.prefix(state.services.count - Self.idleLimit) { state.services[name] = nil }
  }
}
