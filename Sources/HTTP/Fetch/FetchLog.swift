/// One line for each request, for whoever looks after the daemon. No header, no body, no secret: URLs are masked.
struct FetchLog: Sendable {
  /// Where an answer came from.
  enum Origin: String, Sendable {
    case network
    /// Another call was asking for the same.
    case joined
    /// It was on the disk and still held.
    case kept
  }

  private let write: @Sendable (String) -> Void

  init(_ write: @escaping @Sendable (String) -> Void) {
    self.write = write
  }

  /// - Parameter bytes: of the body as they came over the network, or from the disk.
  func answer(_ url: WebURL, status: Int, bytes: Int, since start: ContinuousClock.Instant, from origin: Origin) {
    write("GET \(url.masked) \(status) \(bytes) bytes \(Self.milliseconds(since: start)) ms \(origin.rawValue)")
  }

  func failure(_ url: WebURL, _ failure: HTTPFailure, since start: ContinuousClock.Instant, from origin: Origin) {
    write("GET \(url.masked) \(failure) \(Self.milliseconds(since: start)) ms \(origin.rawValue)")
  }

  private static func milliseconds(since start: ContinuousClock.Instant) -> Int {
    Int((ContinuousClock.now - start) / .milliseconds(1))
  }
}
