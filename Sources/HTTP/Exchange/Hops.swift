/// Follows redirects: every hop is an exchange of its own, so that its address is checked like the first.
struct Hops: Sendable {
  let loop: CurlLoop
  let configuration: HTTPConfiguration
  let lane: Exchange.Lane

  /// Runs a request and what it is redirected to. The sink gets the answer of the last hop.
  ///
  /// - Parameters:
  ///   - headers: for every hop.
  ///   - credentials: for the origin of `url` alone. libcurl would keep `Authorization` from another host but send
  ///     `Api-Key` on, which is one reason why redirects are not left to it.
  /// - Returns: the URL of the last hop.
  func run(
    _ url: WebURL, headers: HTTPHeaders, credentials: HTTPHeaders, into sink: any ResponseSink
  ) async throws(HTTPFailure) -> WebURL {
    var here = url
    var visited: Set = [url]
    var credentials = credentials
    while true {
      var sent = headers
      for (name, value) in credentials.fields { sent.append(name, value) }
      let end = await loop.run(
        Exchange(
          url: here, requested: url.origin, headers: sent, lane: lane, configuration: configuration, sink: sink))
      switch end {
      case .complete: return here
      case .failed(let failure): throw failure
      case .redirect(let next):
        guard visited.count <= configuration.redirectLimit, visited.insert(next).inserted else {
          throw .tooManyRedirects
        }
        if !credentials.fields.isEmpty, try !Self.keepsCredentials(from: here.origin, to: next.origin) {
          credentials = [:]
        }
        here = next
      }
    }
  }

  /// Whether credentials go along from one hop to the next: within an origin only.
  ///
  /// - Throws: `badResponse` if who asked over TLS would be led into the open.
  static func keepsCredentials(from here: Origin, to next: Origin) throws(HTTPFailure) -> Bool {
    if next == here { return true }
    guard here.scheme == "http" || next.scheme == "https" else {
      throw .badResponse(reason: "redirectInsecure")
    }
    return false
  }
}
