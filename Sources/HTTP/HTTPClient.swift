import Foundation
import Synchronization

/// Requests over http and https, for all features: one network thread, one pool of connections.
///
/// Making a client costs nothing; libcurl is loaded and the thread started by the first call. Every call ends in exactly
/// one of an answer and an `HTTPFailure`, and within 100 ms after its task is cancelled.
package final class HTTPClient: Sendable {
  private let configuration: Mutex<HTTPConfiguration>
  private let loop = CurlLoop()
  private let pauses = Pauses()

  package init(_ configuration: HTTPConfiguration) {
    self.configuration = Mutex(configuration)
  }

  deinit { shutDown() }

  /// Replaces the configuration for calls that begin from now on.
  package func reconfigure(_ configuration: HTTPConfiguration) {
    self.configuration.withLock { $0 = configuration }
  }

  /// Gets an answer whole, of whatever status, politely: within the service's budget, and again when that may help.
  ///
  /// - Throws: among others `rateLimited`, `closed` and `resting`, with the time after which to ask again.
  package func get(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    try await fetch(request)
  }

  /// Gets an answer whole, of whatever status; redirects are followed.
  package func fetch(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    let (hops, url) = try prepare(request.url, [request.headers, request.credentials], .fetch)
    let sink = MemorySink(limit: request.limit)
    let finalURL = try await hops.run(url, headers: request.headers, credentials: request.credentials, into: sink)
    return sink.response(from: finalURL)
  }

  /// Gets a file, resuming what an earlier call or process has left in the part file.
  ///
  /// - Parameter progress: at most 4 times a second, and once with the final size. Called in order, most of the time on
  ///   the network thread: it must return quickly and must not call the client.
  /// - Throws: after every failure the part is kept and a later call resumes it, but for `tooLarge` and
  ///   `refusedContent`, which remove it.
  package func download(
    _ request: DownloadRequest, progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
  ) async throws(HTTPFailure) -> Download {
    let (hops, url) = try prepare(request.url, [request.headers, request.credentials], .download)
    let sink = try DownloadSink(request, progress: progress)
    return try await DownloadRun(request: request, url: url, hops: hops, pauses: pauses, sink: sink).result()
  }

  /// Ends all calls with `shutDown`, refuses new ones, and returns when the network thread has ended. Idempotent. Part
  /// files stay resumable.
  package func shutDown() {
    pauses.end()
    loop.shutDown()
  }

  private func prepare(
    _ url: String, _ headers: [HTTPHeaders], _ lane: Exchange.Lane
  ) throws(HTTPFailure) -> (Hops, WebURL) {
    let configuration = configuration.withLock { $0 }
    guard !configuration.offline else { throw .offline }
    for headers in headers { try headers.validate() }
    let agent: HTTPHeaders = ["User-Agent": configuration.userAgentLine]
    try agent.validate()
    return (Hops(loop: loop, configuration: configuration, lane: lane), try WebURL(url))
  }
}

/// Keeps an answer in memory, up to a limit.
private final class MemorySink: ResponseSink {
  private struct Answer {
    var head = ResponseHead()
    var body = Data()
  }

  private let limit: Int
  private let answer = Mutex(Answer())

  init(limit: Int) {
    self.limit = limit
  }

  func begin(_ head: ResponseHead) throws(HTTPFailure) -> Bool {
    if let length = head.contentLength, length > limit { throw .tooLarge(limit: limit) }
    answer.withLock { $0.head = head }
    return true
  }

  func receive(_ bytes: UnsafeRawBufferPointer) throws(HTTPFailure) {
    let fits = answer.withLock { answer in
      guard answer.body.count + bytes.count <= limit else { return false }
      answer.body.append(contentsOf: bytes)
      return true
    }
    if !fits { throw .tooLarge(limit: limit) }
  }

  func response(from url: WebURL) -> HTTPResponse {
    answer.withLock { HTTPResponse(status: $0.head.status, headers: $0.head.headers, body: $0.body, finalURL: url) }
  }
}
