import Synchronization

/// Requests over http and https, for all features: one network thread, one pool of connections.
///
/// Creating a client costs nothing; the first call loads libcurl and starts the thread. Every call ends with either a
/// response or an `HTTPFailure`, at most 100 ms after its task is cancelled.
package final class HTTPClient: Sendable {
  private let configuration: Mutex<HTTPConfiguration>
  private let loop = CurlLoop()
  private let pauses = Pauses()
  private let queues = ServiceQueues()
  private let flights = Flights()
  private let log: FetchLog
  private let changed: @Sendable () -> HTTPConfiguration?

  /// - Parameters:
  ///   - changed: called before each call; returns a new configuration if it has changed since the last time.
  ///   - log: gets one line for each request, without secrets.
  package init(
    _ configuration: HTTPConfiguration, changed: @escaping @Sendable () -> HTTPConfiguration? = { nil },
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.configuration = Mutex(configuration)
    self.changed = changed
    self.log = FetchLog(log)
  }

  deinit { shutDown() }

  /// Replaces the configuration for later calls.
  package func reconfigure(_ configuration: HTTPConfiguration) {
    self.configuration.withLock { $0 = configuration }
  }

  /// Whether the current configuration forbids all requests.
  package var isOffline: Bool {
    if let changed = changed() { reconfigure(changed) }
    return configuration.withLock { $0.offline }
  }

  /// Returns a complete response, with any status. Respects the service's budget, merges identical concurrent calls,
  /// and retries if that may help.
  ///
  /// A response that the service's `judge` accepts is returned, including a 404; `HTTPResponse.requireSuccess` turns it
  /// into a failure. A 5xx is returned after three attempts.
  ///
  /// - Throws: among others `rateLimited`, `closed` and `resting`, with the time after which to retry, and `refused`.
  package func get(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    let start = ContinuousClock.now
    let (redirects, url) = try prepare(request)
    let (queues, pauses, log) = (queues, pauses, log)
    let (answer, joined) = await flights.join(Flights.Key(request, url: url), priority: request.priority) {
      queues.reorder(ServiceCall.service(request, url), redirects.configuration)
    } start: { priority in
      do throws(HTTPFailure) {
        let call = ServiceCall(
          request: request, url: url, redirects: redirects, queues: queues, pauses: pauses, priority: priority, log: log
        )
        return .success(try await call.result())
      } catch {
        return .failure(error)
      }
    }
    if joined {
      switch answer {
      case .success(let response):
        log.answer(.get, url, status: response.status, bytes: response.body.count, since: start, from: .joined)
      case .failure(let failure): log.failure(.get, url, failure, since: start, from: .joined)
      }
    }
    return try answer.get()
  }

  /// Returns a complete response to a request of any method, with any status. Respects the service's budget, and retries
  /// as `get` does: what was sent may arrive more than once.
  ///
  /// - Throws: as `get(_:)`.
  package func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    let (redirects, url) = try prepare(request)
    return try await ServiceCall(
      request: request, url: url, redirects: redirects, queues: queues, pauses: pauses, priority: request.priority,
      log: log
    ).result()
  }

  /// The number of running calls of `get`.
  var callsInFlight: Int { flights.callers }

  /// The number of waiting calls of `get`, and of services with stored state.
  var load: (waiting: Int, services: Int) { (queues.callsWaiting, queues.serviceCount) }

  /// Logs a response from the disk cache.
  func logCached(_ url: String, bytes: Int) {
    if let url = try? WebURL(url) { log.answer(.get, url, status: 200, bytes: bytes, since: .now, from: .cached) }
  }

  /// Returns a response without budget and retries. `get` uses it.
  func fetch(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    let (redirects, url) = try prepare(request)
    return try await Fetch(request: request, url: url, redirects: redirects).response(
      into: MemorySink(limit: request.limit))
  }

  /// Downloads a file, resuming the part file of an earlier call or process.
  ///
  /// - Parameter progress: called at most 4 times a second, and once with the final size. Called in order, mostly on
  ///   the network thread: it must return quickly and must not call the client.
  /// - Throws: after a failure the part is retained and a later call resumes it, if the server's validators allow that.
  ///   A part that cannot be continued is deleted, as after `tooLarge` and `refusedContent`.
  package func download(
    _ request: DownloadRequest, progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
  ) async throws(HTTPFailure) -> Download {
    var request = request
    request.validators = nil
    guard let download = try await downloadIfChanged(request, progress: progress) else {
      throw .badResponse(reason: "answerUnasked")
    }
    return download
  }

  /// The same, but returns nil if the server reports that nothing has changed since the request's `validators`; the
  /// part file of an earlier call is deleted then.
  ///
  /// - Throws: as `download(_:progress:)`.
  package func downloadIfChanged(
    _ request: DownloadRequest, progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
  ) async throws(HTTPFailure) -> Download? {
    let (redirects, url) = try prepare(
      request.url, [request.headers, request.credentials], .download, isNamedByContent: request.isNamedByContent)
    let sink = try DownloadSink(
      request, origin: url.origin.description, wallClock: redirects.configuration.wallClock, progress: progress)
    return try await DownloadRun(request: request, url: url, redirects: redirects, pauses: pauses, sink: sink, log: log)
      .result()
  }

  /// Ends all calls with `shutDown`, refuses new ones, and returns when the network thread has ended. Idempotent. Part
  /// files stay resumable.
  package func shutDown() {
    queues.shutDown()
    pauses.end()
    loop.shutDown()
  }

  private func prepare(_ request: HTTPRequest) throws(HTTPFailure) -> (Redirects, WebURL) {
    for (name, secret) in [request.secretQuery, request.secretPlace.map { (name: SecretPlace.written, secret: $0) }]
      .compactMap(\.self)
    where secret.value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) {
      throw .invalidHeader(name: name)
    }
    var (redirects, url) = try prepare(
      request.url, [request.headers, request.credentials], request.isOfFile ? .download : .fetch,
      isNamedByContent: request.isNamedByContent)
    (redirects.method, redirects.body) = (request.method, request.body)
    return (redirects, url)
  }

  private func prepare(
    _ url: String, _ headers: [HTTPHeaders], _ lane: Exchange.Lane, isNamedByContent: Bool = false
  ) throws(HTTPFailure) -> (Redirects, WebURL) {
    if let changed = changed() { reconfigure(changed) }
    let configuration = configuration.withLock { $0 }
    guard !configuration.offline else { throw .offline }
    for headers in headers { try headers.validate() }
    let agent: HTTPHeaders = ["User-Agent": configuration.userAgentLine]
    try agent.validate()
    let redirects = Redirects(loop: loop, configuration: configuration, lane: lane, isNamedByContent: isNamedByContent)
    return (redirects, try WebURL(url))
  }
}
