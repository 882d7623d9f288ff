/// One call of `HTTPClient.get` or `.send`: waits for its turn, sends the request, and retries if that may help.
///
///     enter the service's queue ── refused: rateLimited, closed, resting
///        │ turn
///     exchange ── temporary failure ── pause ── enter again
///        │ response
///     judge ── retryLater ── hold the service or pause ── enter again
///        │ response
///     give the turn back, return
struct ServiceCall: Sendable {
  /// One of the call's requests.
  private struct Attempt {
    let turn: ServiceQueues.Turn
    let number: Int
    /// The latest start of a retry.
    let deadline: ContinuousClock.Instant
    /// The deadline of the whole call.
    let end: ContinuousClock.Instant?

    /// A probe of a failed service is not retried.
    var isLast: Bool { number >= RetryRule.tries || turn.isProbe }
  }

  private enum Step {
    case done(Result<HTTPResponse, HTTPFailure>)
    case again(after: Duration)
  }

  let request: HTTPRequest
  let url: WebURL
  let redirects: Redirects
  let queues: ServiceQueues
  let pauses: Pauses
  let priority: RequestPriority
  let log: FetchLog

  private var configuration: HTTPConfiguration { redirects.configuration }
  private var origin: String { url.origin.description }

  /// The name under which the service is counted.
  static func service(_ request: HTTPRequest, _ url: WebURL) -> String {
    request.budget.service ?? url.origin.description
  }

  func result() async throws(HTTPFailure) -> HTTPResponse {
    let start = configuration.now()
    let end = request.within.map { start + $0 }
    let patienceEnd = start + request.patience
    let deadline = end.map { min($0, patienceEnd) } ?? patienceEnd
    var tries = 0
    while true {
      tries += 1
      let turn = try await queues.enter(
        Self.service(request, url), budget: request.budget, origin: origin, priority: priority, deadline: deadline,
        configuration: configuration)
      switch try await step(Attempt(turn: turn, number: tries, deadline: deadline, end: end)) {
      case .done(let end): return try end.get()
      case .again(after: let pause):
        if pause > .zero { await pauses.run { [pauseFor = configuration.pause] in await pauseFor(pause) } }
        guard !Task.isCancelled else { throw .cancelled }
      }
    }
  }

  /// Sends one request and gives the turn back.
  private func step(_ attempt: Attempt) async throws(HTTPFailure) -> Step {
    do throws(HTTPFailure) {
      return settle(attempt, try await exchange(until: attempt.end))
    } catch let failure where RetryRule.mayPass(failure) {
      return goOn(attempt, or: .failure(failure))
    } catch {
      queues.leave(attempt.turn, .unknown, configuration)
      throw error
    }
  }

  /// Handles the service's response, and gives the turn back.
  private func settle(_ attempt: Attempt, _ response: HTTPResponse) -> Step {
    switch request.judge(response) {
    case .answer:
      queues.leave(attempt.turn, .answered, configuration)
      return .done(.success(response))
    case .retryLater(let own):
      let named = RetryRule.wait(response.headers, now: configuration.wallClock?())
      let wait = [own.map { min($0, RetryRule.longestWait) }, named].compactMap(\.self).max()
      if response.status == 429 || wait != nil { return hold(attempt, for: wait) }
      return goOn(attempt, or: Self.overloaded(response))
    case .closed(let time, let reason):
      queues.leave(attempt.turn, .closed(time, reason: reason), configuration)
      return .done(.failure(.closed(origin: origin, reason: reason, retryAfter: time)))
    case .refused(let reason):
      queues.leave(attempt.turn, .answered, configuration)
      return .done(.failure(.refused(origin: origin, reason: reason)))
    }
  }

  /// The service failed: retries after a pause, if the call has an attempt and enough time left.
  private func goOn(_ attempt: Attempt, or end: Result<HTTPResponse, HTTPFailure>) -> Step {
    let pause = RetryRule.pause(after: attempt.number, random: configuration.random())
    let isFinal = attempt.isLast || configuration.now() + pause > attempt.deadline
    queues.leave(attempt.turn, .failed(isFinal: isFinal), configuration)
    return isFinal ? .done(end) : .again(after: pause)
  }

  /// The service limits requests. Its whole queue is held, so the next attempt waits there, or is refused there if that
  /// would take too long.
  private func hold(_ attempt: Attempt, for wait: Duration?) -> Step {
    let held = queues.leave(attempt.turn, .limited(wait), configuration) ?? .zero
    return attempt.isLast ? .done(.failure(.rateLimited(origin: origin, retryAfter: held))) : .again(after: .zero)
  }

  /// An error status is returned as the response; a failure inside a response with a success status must not look like
  /// success.
  private static func overloaded(_ response: HTTPResponse) -> Result<HTTPResponse, HTTPFailure> {
    (200...299).contains(response.status)
      ? .failure(.badResponse(reason: "serviceOverloaded")) : .success(response)
  }

  /// Sends one request with its redirects, and logs it.
  private func exchange(until end: ContinuousClock.Instant?) async throws(HTTPFailure) -> HTTPResponse {
    let start = ContinuousClock.now
    let sink = MemorySink(limit: request.limit)
    var redirects = redirects
    redirects.end = end
    do throws(HTTPFailure) {
      let response = try await Fetch(request: request, url: url, redirects: redirects).response(into: sink)
      log.answer(
        request.method, response.finalURL, status: response.status, bytes: sink.bytesReceived, since: start,
        from: .network)
      return response
    } catch {
      log.failure(request.method, url, error, since: start, from: .network)
      throw error
    }
  }
}
