import Foundation

/// One call of `HTTPClient.get`: waits for its turn, asks, and asks again where that may help.
///
///     enter the service's queue ── refused: rateLimited, closed, resting
///        │ turn
///     exchange ── failed in a way that may pass ── pause ── enter again
///        │ answer
///     judge ── retryLater ── hold the service or pause ── enter again
///        │ answer
///     give the turn back, return
struct ServiceCall: Sendable {
  private enum Step {
    case done(Result<HTTPResponse, HTTPFailure>)
    /// What the call ends with if there is no further try, and the pause before one.
    case again(Result<HTTPResponse, HTTPFailure>, pause: Duration)
  }

  let request: HTTPRequest
  let url: WebURL
  let hops: Hops
  let queues: ServiceQueues
  let pauses: Pauses
  let standing: Standing
  let log: FetchLog

  private var configuration: HTTPConfiguration { hops.configuration }
  private var host: String { url.origin.host }

  /// The name under which the service is counted.
  static func service(_ request: HTTPRequest, _ url: WebURL) -> String {
    request.budget.service ?? url.origin.description
  }

  func result() async throws(HTTPFailure) -> HTTPResponse {
    let deadline = configuration.now() + request.patience
    var tries = 0
    while true {
      tries += 1
      let turn = try await queues.enter(
        Self.service(request, url), budget: request.budget, host: host, standing: standing, deadline: deadline,
        configuration: configuration)
      // Who finds out whether a service is back asks once.
      let isLast = tries >= RetryRule.tries || turn.isProbe
      switch try await step(turn, tries: tries, isLast: isLast, deadline: deadline) {
      case .done(let end): return try end.get()
      case .again(let end, let pause):
        guard !isLast, configuration.now() + pause <= deadline else { return try end.get() }
        if pause > .zero { await pauses.run { [pauseFor = configuration.pause] in await pauseFor(pause) } }
        guard !Task.isCancelled else { throw .cancelled }
      }
    }
  }

  /// Sends one request and gives the turn back.
  private func step(
    _ turn: ServiceQueues.Turn, tries: Int, isLast: Bool, deadline: ContinuousClock.Instant
  ) async throws(HTTPFailure) -> Step {
    let pause = RetryRule.pause(after: tries, random: configuration.random())
    let isFinal = isLast || configuration.now() + pause > deadline
    do throws(HTTPFailure) {
      let response = try await exchange()
      return settle(turn, response, pause: pause, isFinal: isFinal)
    } catch let failure where RetryRule.mayPass(failure) {
      queues.leave(turn, .failed(isFinal: isFinal), configuration)
      return .again(.failure(failure), pause: pause)
    } catch {
      queues.leave(turn, .unknown, configuration)
      throw error
    }
  }

  /// Acts on what the service says, and gives the turn back.
  private func settle(
    _ turn: ServiceQueues.Turn, _ response: HTTPResponse, pause: Duration, isFinal: Bool
  ) -> Step {
    switch request.judge(response) {
    case .answer:
      queues.leave(turn, .answered, configuration)
      return .done(.success(response))
    case .retryLater(let own):
      let named = RetryRule.wait(response.headers, now: configuration.wallClock())
      let wait = [own.map { min($0, RetryRule.longestWait) }, named].compactMap(\.self).max()
      if response.status == 429 || wait != nil {
        let held = queues.leave(turn, .limited(wait), configuration) ?? .zero
        // The queue is held, so the next try waits there, or is refused there if that would take too long.
        return .again(.failure(.rateLimited(host: host, retryAfter: held)), pause: .zero)
      }
      queues.leave(turn, .failed(isFinal: isFinal), configuration)
      return .again(Self.overloaded(response, host), pause: pause)
    case .closed(let time, let reason):
      queues.leave(turn, .closed(time, reason: reason), configuration)
      return .done(.failure(.closed(host: host, reason: reason, retryAfter: time)))
    case .refused(let reason):
      queues.leave(turn, .answered, configuration)
      return .done(.failure(.refused(host: host, reason: reason)))
    }
  }

  /// A status that means failure is the answer; a failure inside of a good status must not look like one.
  private static func overloaded(_ response: HTTPResponse, _ host: String) -> Result<HTTPResponse, HTTPFailure> {
    (200...299).contains(response.status)
      ? .failure(.badResponse(reason: "serviceOverloaded")) : .success(response)
  }

  /// One request and its redirects, in the log.
  private func exchange() async throws(HTTPFailure) -> HTTPResponse {
    let start = ContinuousClock.now
    let sink = MemorySink(limit: request.limit)
    do throws(HTTPFailure) {
      let response = try await Fetch(request: request, url: url, hops: hops).response(into: sink)
      log.answer(
        response.finalURL, status: response.status, bytes: sink.bytesReceived, since: start, from: .network)
      return response
    } catch {
      log.failure(url, error, since: start, from: .network)
      throw error
    }
  }
}
