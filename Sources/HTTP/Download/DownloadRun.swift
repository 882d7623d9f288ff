/// One call of `HTTPClient.download`: sends the request, and resumes it when the connection is lost.
struct DownloadRun: Sendable {
  /// Consecutive losses without a new byte after which the download fails.
  static let fruitlessLimit = 3
  /// Consecutive stalls with hardly any new bytes after which it fails: a server that sends a trickle is not retried
  /// again and again.
  static let stallLimit = 1
  /// Losses in total after which it fails: a server that sends one byte per connection is not retried for ever.
  static let lossLimit = 100
  /// How often the download may start over because a response does not match the part.
  static let startOverLimit = 2

  let request: DownloadRequest
  let url: WebURL
  let redirects: Redirects
  let pauses: Pauses
  let sink: DownloadSink
  let log: FetchLog

  /// Runs to the end, and leaves the part as documented for `HTTPClient.download`. Nil if nothing has changed since the
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

  /// Downloads all bytes to the part. Returns their URL; nil if the caller's copy is current.
  private func complete() async throws(HTTPFailure) -> WebURL? {
    var losses = 0
    var fruitless = 0
    var startOvers = 0
    // Compared with the maximum so far: a server without ranges starts over each time, and reaching the previous size
    // is no progress.
    var mostReceived = sink.size
    var stalls = Stalls(redirects.configuration.stall)
    while true {
      let failure: HTTPFailure
      let resumeSize = sink.resumeSize
      let start = ContinuousClock.now
      do throws(HTTPFailure) {
        let arrival = try await request(rest: sink.nextHeaders())
        switch sink.settle() {
        case .complete: return arrival.url
        case .unchanged:
          // Without validators in the request there is nothing to compare with.
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
      guard stalls.mayGoOn(failure, resumeSize: sink.resumeSize, before: resumeSize, in: .now - start) else {
        throw failure
      }
      losses += 1
      fruitless = sink.size > mostReceived ? 1 : fruitless + 1
      mostReceived = max(mostReceived, sink.size)
      guard fruitless <= Self.fruitlessLimit, losses <= Self.lossLimit else { throw failure }
      let duration = redirects.configuration.resumePause(fruitless)
      await pauses.run { [pause = redirects.configuration.pause] in await pause(duration) }
      guard !Task.isCancelled else { throw .cancelled }
    }
  }

  /// Limits the time of attempts without progress. A stall has already taken its whole limit when it is detected, so
  /// the next one must have made progress.
  private struct Stalls {
    let rule: HTTPConfiguration.StallRule
    var inRow = 0
    var fruitlessTime = Duration.zero

    init(_ rule: HTTPConfiguration.StallRule) { self.rule = rule }

    /// - Parameters:
    ///   - resumeSize: the number of bytes from which the next request resumes.
    ///   - before: that number before this attempt.
    mutating func mayGoOn(_ failure: HTTPFailure, resumeSize: Int, before: Int, in time: Duration) -> Bool {
      let gained = resumeSize - before
      guard gained > 0 else {
        fruitlessTime += time
        return fruitlessTime < .seconds(rule.seconds) && (resumeSize > 0 || !failure.isTimeout)
      }
      fruitlessTime = .zero
      // The bytes of a stalled connection are no progress.
      inRow = failure.isTimeout && gained < rule.bytesPerSecond * rule.seconds ? inRow + 1 : 0
      return inRow <= DownloadRun.stallLimit
    }
  }

  private func request(rest: HTTPHeaders) async throws(HTTPFailure) -> Redirects.Arrival {
    var headers = request.headers
    for (name, value) in rest.fields { headers.append(name, value) }
    let identity = Identity(headers: headers, credentials: request.credentials, validators: request.validators)
    let start = ContinuousClock.now
    do throws(HTTPFailure) {
      let arrival = try await redirects.run(url, as: identity, into: sink)
      log(nil, since: start)
      return arrival
    } catch {
      log(error, since: start)
      throw error
    }
  }

  /// Each request of a download is logged, as each request of a fetch is. An error status is logged as a response.
  private func log(_ failure: HTTPFailure?, since start: ContinuousClock.Instant) {
    let answer = sink.answer
    switch failure {
    case nil, .httpStatus?:
      log.answer(.get, url, status: answer.status, bytes: answer.bytes, since: start, from: .network)
    case let failure?: log.failure(.get, url, failure, since: start, from: .network)
    }
  }
}

extension HTTPFailure {
  fileprivate var isTimeout: Bool { if case .timedOut = self { true } else { false } }
}
