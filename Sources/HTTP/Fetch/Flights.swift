import Synchronization

/// Merges identical concurrent calls into one request, whose response all of them get.
///
/// The request runs in a task of its own, so that it continues when the first caller leaves, and ends with the last
/// one.
final class Flights: Sendable {
  /// The identity of a call: its URL, headers, credentials and validators.
  struct Key: Hashable, Sendable {
    let url: String
    let headers: [String]
    let credentials: [String]
    let validators: Validators?
    let limit: Int
    let service: String?
    let isNamedByContent: Bool

    init(_ request: HTTPRequest, url: WebURL) {
      self.url = url.text
      headers = request.headers.fields.map { "\($0.name.lowercased()): \($0.value)" }
      credentials =
        request.credentials.fields.map { "\($0.name.lowercased()): \($0.value)" }
        + (request.secretQuery.map { ["\($0.name)=\($0.secret.value)"] } ?? [])
        + (request.secretPlace.map { [$0.value] } ?? [])
      validators = request.validators
      limit = request.limit
      service = request.budget.service
      isNamedByContent = request.isNamedByContent
    }
  }

  typealias Answer = Result<HTTPResponse, HTTPFailure>

  private struct Flight {
    let number: Int
    let priority: RequestPriority
    var callers: [Int: CheckedContinuation<Answer, Never>] = [:]
    var task: Task<Void, Never>?
  }

  private struct State {
    var flights: [Key: Flight] = [:]
    var count = 0
  }

  private let state = Mutex(State())

  /// The number of waiting calls.
  var callers: Int { state.withLock { $0.flights.values.reduce(0) { $0 + $1.callers.count } } }

  /// Returns the response of the running request, or starts one.
  ///
  /// - Returns: the response, and whether another call started the request.
  func join(
    _ key: Key, priority: RequestPriority, risen: @escaping @Sendable () -> Void,
    start: @escaping @Sendable (RequestPriority) async -> Answer
  ) async -> (answer: Answer, joined: Bool) {
    let (caller, joined) = state.withLock { state in
      state.count += 1
      return (state.count, state.flights[key] != nil)
    }
    let answer = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Answer, Never>) in
        let mustRise = state.withLock { state -> Bool? in
          if Task.isCancelled { return nil }
          let isNew = state.flights[key] == nil
          var flight = state.flights[key] ?? Flight(number: caller, priority: priority)
          flight.callers[caller] = continuation
          if isNew {
            let (priority, number) = (flight.priority, flight.number)
            flight.task = Task { [self] in land(key, number, await start(priority)) }
          }
          state.flights[key] = flight
          guard !isNew else { return false }
          let isRisen = flight.priority.urgency < priority.urgency
          priority.lift(flight.priority)
          return isRisen
        }
        guard let mustRise else { return continuation.resume(returning: .failure(.cancelled)) }
        if mustRise { risen() }
      }
    } onCancel: {
      leave(key, caller)
    }
    return (answer, joined)
  }

  private func land(_ key: Key, _ number: Int, _ answer: Answer) {
    let callers = state.withLock { state -> [CheckedContinuation<Answer, Never>] in
      guard let flight = state.flights[key], flight.number == number else { return [] }
      state.flights[key] = nil
      return Array(flight.callers.values)
    }
    for caller in callers { caller.resume(returning: answer) }
  }

  /// Called when a caller was cancelled. It gets its result immediately; the request ends with its last caller, and the
  /// next identical call starts a new one.
  private func leave(_ key: Key, _ caller: Int) {
    let (continuation, task) = state.withLock { state in
      let continuation = state.flights[key]?.callers.removeValue(forKey: caller)
      guard continuation != nil, let flight = state.flights[key], flight.callers.isEmpty else {
        return (continuation, Task<Void, Never>?.none)
      }
      state.flights[key] = nil
      return (continuation, flight.task)
    }
    task?.cancel()
    continuation?.resume(returning: .failure(.cancelled))
  }
}
