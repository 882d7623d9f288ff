/// Logs one line for each request. No headers, bodies or secrets: URLs are masked.
struct FetchLog: Sendable {
  /// The source of a response.
  enum Origin: String, Sendable {
    case network
    /// Another call with the same request was running.
    case joined
    /// It was cached and still fresh.
    case cached = "kept"
  }

  private let write: @Sendable (String) -> Void

  init(_ write: @escaping @Sendable (String) -> Void) {
    self.write = write
  }

  /// - Parameter bytes: number of body bytes received over the network, or read from the disk.
  func answer(
    _ method: HTTPMethod, _ url: WebURL, status: Int, bytes: Int, since start: ContinuousClock.Instant,
    from origin: Origin
  ) {
    write(
      "\(method.rawValue) \(url.masked) \(status) \(bytes) bytes \(Self.milliseconds(since: start)) ms "
        + origin.rawValue)
  }

  func failure(
    _ method: HTTPMethod, _ url: WebURL, _ failure: HTTPFailure, since start: ContinuousClock.Instant,
    from origin: Origin
  ) {
    write("\(method.rawValue) \(url.masked) \(failure) \(Self.milliseconds(since: start)) ms \(origin.rawValue)")
  }

  private static func milliseconds(since start: ContinuousClock.Instant) -> Int {
    Int((ContinuousClock.now - start) / .milliseconds(1))
  }
}
