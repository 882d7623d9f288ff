import Synchronization

/// Requests over http and https, for all features: one network thread, one pool of connections.
///
/// Making a client costs nothing; libcurl is loaded and the thread started by the first call. Every call ends in exactly
/// one of an answer and an `HTTPFailure`, and within 100 ms after its task is cancelled.
package final class HTTPClient: Sendable {
  private let configuration: Mutex<HTTPConfiguration>
  private let loop = CurlLoop()
  private let pauses = Pauses()
  private let queues = ServiceQueues()
  private let flights = Flights()
  private let log: FetchLog
  private let changed: @Sendable () -> HTTPConfiguration?

  /// - Parameters:
  ///   - changed: asked before each call; another configuration if there is one since it was asked last.
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

  /// Replaces the configuration for calls that begin from now on.
  package func reconfigure(_ configuration: HTTPConfiguration) {
    self.configuration.withLock { $0 = configuration }
  }

  /// Whether the configuration says now that nobody is asked.
  package var isOffline: Bool {
    if let changed = changed() { reconfigure(changed) }
    return configuration.withLock { $0.offline }
  }

  /// Gets an answer whole, of whatever status, politely: within the service's budget, once for all who ask the same at
  /// the same time, and again when that may help.
  ///
  /// What the service's `judge` calls an answer is returned, a 404 too; `HTTPResponse.requireSuccess` makes a failure of
  /// it. A 5xx is returned once three tries have not helped.
  ///
  /// - Throws: among others `rateLimited`, `closed` and `resting`, with the time after which to ask again, and
  ///   `refused`.
  package func get(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    let start = ContinuousClock.now
    let (hops, url) = try prepare(request)
    let (queues, pauses, log) = (queues, pauses, log)
    let (answer, joined) = await flights.join(Flights.Key(request, url: url), standing: request.standing) {
      queues.reorder(ServiceCall.service(request, url), hops.configuration)
    } start: { standing in
      do throws(HTTPFailure) {
        let call = ServiceCall(
          request: request, url: url, hops: hops, queues: queues, pauses: pauses, standing: standing, log: log)
        return .success(try await call.result())
      } catch {
        return .failure(error)
      }
    }
    if joined {
      switch answer {
      case .success(let response):
        log.answer(url, status: response.status, bytes: response.body.count, since: start, from: .joined)
      case .failure(let failure): log.failure(url, failure, since: start, from: .joined)
      }
    }
    return try answer.get()
  }

  /// Calls of `get` that have not ended.
  var callsInFlight: Int { flights.callers }

  /// Calls of `get` that wait for their turn, and the services of which something is remembered.
  var load: (waiting: Int, services: Int) { (queues.callsWaiting, queues.serviceCount) }

  /// Writes the log's line for an answer that was on the disk.
  func logKept(_ url: String, bytes: Int) {
    if let url = try? WebURL(url) { log.answer(url, status: 200, bytes: bytes, since: .now, from: .kept) }
  }

  /// Gets an answer as it comes: no budget, no second try. What `get` is made of.
  func fetch(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    let (hops, url) = try prepare(request)
    return try await Fetch(request: request, url: url, hops: hops).response(into: MemorySink(limit: request.limit))
  }

  /// Gets a file, resuming what an earlier call or process has left in the part file.
  ///
  /// - Parameter progress: at most 4 times a second, and once with the final size. Called in order, most of the time on
  ///   the network thread: it must return quickly and must not call the client.
  /// - Throws: after a failure the part is kept and a later call resumes it, where the server has given something to
  ///   resume it by. What nobody could go on with is removed, as after `tooLarge` and `refusedContent`.
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

  /// The same, but nil when the server says that nothing has changed since the request's `validators`; what an earlier
  /// call has left in the part file is removed then.
  package func downloadIfChanged(
    _ request: DownloadRequest, progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
  ) async throws(HTTPFailure) -> Download? {
    let (hops, url) = try prepare(
      request.url, [request.headers, request.credentials], .download, isNamedByContent: request.isNamedByContent)
    let sink = try DownloadSink(
      request, origin: url.origin.description, wallClock: hops.configuration.wallClock, progress: progress)
    return try await DownloadRun(request: request, url: url, hops: hops, pauses: pauses, sink: sink, log: log).result()
  }

  /// Ends all calls with `shutDown`, refuses new ones, and returns when the network thread has ended. Idempotent. Part
  /// files stay resumable.
  package func shutDown() {
    queues.shutDown()
    pauses.end()
    loop.shutDown()
  }

  private func prepare(_ request: HTTPRequest) throws(HTTPFailure) -> (Hops, WebURL) {
    for (name, secret) in [request.secretQuery, request.secretPlace.map { (name: SecretPlace.written, secret: $0) }]
      .compactMap(\.self)
    where secret.value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) {
      throw .invalidHeader(name: name)
    }
    return try prepare(
      request.url, [request.headers, request.credentials], .fetch, isNamedByContent: request.isNamedByContent)
  }

  private func prepare(
    _ url: String, _ headers: [HTTPHeaders], _ lane: Exchange.Lane, isNamedByContent: Bool = false
  ) throws(HTTPFailure) -> (Hops, WebURL) {
    if let changed = changed() { reconfigure(changed) }
    let configuration = configuration.withLock { $0 }
    guard !configuration.offline else { throw .offline }
    for headers in headers { try headers.validate() }
    let agent: HTTPHeaders = ["User-Agent": configuration.userAgentLine]
    try agent.validate()
    let hops = Hops(loop: loop, configuration: configuration, lane: lane, isNamedByContent: isNamedByContent)
    return (hops, try WebURL(url))
  }
}
