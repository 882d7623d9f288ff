/// One call of `HTTPClient.download`: asks, and asks again for the rest when the connection is lost.
struct DownloadRun: Sendable {
  /// Losses in a row, without a new byte between them, after which the download fails.
  static let fruitlessLimit = 3
  /// Stalls in a row of which each brought hardly anything: a server that drips is not waited for again and again.
  static let stallLimit = 1
  /// Losses in all: a server that gives one byte a connection is not asked for ever.
  static let lossLimit = 100
  /// How often an answer that does not fit the part makes the download start over.
  static let startOverLimit = 2

  let request: DownloadRequest
  let url: WebURL
  let hops: Hops
  let pauses: Pauses
  let sink: DownloadSink
  let log: FetchLog

  /// Runs to the end, and leaves the part as `HTTPClient.download` promises. Nil where nothing has changed since the
  /// request's validators.
  func result() async throws(HTTPFailure) -> Download? {
    defer { sink.release() }
    do {
      guard let finalURL = try await complete() else {
        sink.discard()
        return nil
      }
      return try await offNetworkThread { () throws(HTTPFailure) in try sink.finish(from: finalURL, asked: url) }
    } catch {
      sink.abandon(after: error)
      throw error
    }
  }

  /// Gets all bytes into the part. Returns the URL they came from; nil where there are no others than the caller has.
  private func complete() async throws(HTTPFailure) -> WebURL? {
    var losses = 0
    var fruitless = 0
    var startOvers = 0
    // Measured against the most there has been: a server without ranges begins again and again, and getting as far as
    // the last time is no progress.
    var mostReceived = sink.size
    var stalls = Stalls(hops.configuration.stall)
    while true {
      let failure: HTTPFailure
      let kept = sink.keptSize
      let start = ContinuousClock.now
      do throws(HTTPFailure) {
        let arrival = try await request(rest: sink.nextHeaders())
        switch sink.settle() {
        case .complete: return arrival.url
        case .unchanged:
          // Without a question there is nothing whose answer could be "as before".
          guard arrival.wasConditional else { throw .badResponse(reason: "answerUnasked") }
          return nil
        case .short: failure = .unreachable(origin: arrival.url.origin.description, reason: "answerShort")
        case .startOver:
          startOvers += 1
          guard startOvers <= Self.startOverLimit else {
            throw .badResponse(reason: "answerRanges")
          }
          try sink.reset()
          continue
        }
      } catch {
        guard sink.isLoss(error) else { throw error }
        failure = error
      }
      guard stalls.mayGoOn(failure, kept: sink.keptSize, before: kept, in: .now - start) else { throw failure }
      losses += 1
      fruitless = sink.size > mostReceived ? 1 : fruitless + 1
      mostReceived = max(mostReceived, sink.size)
      guard fruitless <= Self.fruitlessLimit, losses <= Self.lossLimit else { throw failure }
      let duration = hops.configuration.resumePause(fruitless)
      await pauses.run { [pause = hops.configuration.pause] in await pause(duration) }
      guard !Task.isCancelled else { throw .cancelled }
    }
  }

  /// How much time tries may take that bring nothing. A stall has taken its whole limit when it is known, so the next
  /// one must be worth it.
  private struct Stalls {
    let rule: HTTPConfiguration.StallRule
    var inRow = 0
    var fruitlessTime = Duration.zero

    init(_ rule: HTTPConfiguration.StallRule) { self.rule = rule }

    /// - Parameters:
    ///   - kept: bytes from which the next request goes on.
    ///   - before: how many they were before this try.
    mutating func mayGoOn(_ failure: HTTPFailure, kept: Int, before: Int, in time: Duration) -> Bool {
      let gained = kept - before
      guard gained > 0 else {
        fruitlessTime += time
        return fruitlessTime < .seconds(rule.seconds) && (kept > 0 || !failure.isTimeout)
      }
      fruitlessTime = .zero
      // What a stalled connection lets through is no progress.
      inRow = failure.isTimeout && gained < rule.bytesPerSecond * rule.seconds ? inRow + 1 : 0
      return inRow <= DownloadRun.stallLimit
    }
  }

  private func request(rest: HTTPHeaders) async throws(HTTPFailure) -> Hops.Arrival {
    var headers = request.headers
    for (name, value) in rest.fields { headers.append(name, value) }
    let identity = Identity(headers: headers, credentials: request.credentials, validators: request.validators)
    let start = ContinuousClock.now
    do throws(HTTPFailure) {
      let arrival = try await hops.run(url, as: identity, into: sink)
      log(nil, since: start)
      return arrival
    } catch {
      log(error, since: start)
      throw error
    }
  }

  /// Each request of a download is a line, as each of a fetch is. A status that means failure is an answer like others.
  private func log(_ failure: HTTPFailure?, since start: ContinuousClock.Instant) {
    let answer = sink.answer
    switch failure {
    case nil, .httpStatus?:
      log.answer(url, status: answer.status, bytes: answer.bytes, since: start, from: .network)
    case let failure?: log.failure(url, failure, since: start, from: .network)
    }
  }
}

extension HTTPFailure {
  fileprivate var isTimeout: Bool { if case .timedOut = self { true } else { false } }
}
