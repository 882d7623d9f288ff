/// Follows redirects: every request is a separate exchange, so that its address is checked like the first.
struct Redirects: Sendable {
  /// The final URL of a call.
  struct Arrival: Sendable {
    /// The URL of the last request, without `secretQuery`.
    let url: WebURL
    /// The permanent new location of the first URL: the last of the permanent redirects at the beginning of the chain.
    let movedTo: WebURL?
    /// Whether the last request contained the call's validators.
    let wasConditional: Bool
  }

  let loop: CurlLoop
  let configuration: HTTPConfiguration
  let lane: Exchange.Lane
  var method = HTTPMethod.get
  var body: [UInt8] = []
  /// See `HTTPRequest.isNamedByContent`.
  var isNamedByContent = false
  /// The deadline for all requests together, by the configuration's clock; nil for none.
  var end: ContinuousClock.Instant?

  /// Runs a request and follows its redirects. The sink gets the final response.
  func run(_ url: WebURL, as identity: Identity, into sink: any ResponseSink) async throws(HTTPFailure) -> Arrival {
    var here = url
    var visited: Set = [url]
    var identity = identity
    var movedTo: WebURL?
    var isMoving = true
    while true {
      let headers = identity.headers(for: here)
      let end = await loop.run(
        Exchange(
          method: method, body: body, url: identity.sent(here), requested: isNamedByContent ? nil : url.origin,
          headers: headers, lane: lane,
          configuration: try configuration(at: here.origin), sink: sink))
      switch end {
      case .complete:
        let isConditional = headers["If-None-Match"] != nil || headers["If-Modified-Since"] != nil
        return Arrival(url: here, movedTo: movedTo, wasConditional: isConditional)
      case .failed(let failure): throw failure
      case .redirect(let target, let isPermanent):
        let next = try Self.next(target, from: here, &identity)
        guard visited.count <= configuration.redirectLimit, visited.insert(next).inserted else {
          throw .tooManyRedirects
        }
        isMoving = isMoving && isPermanent
        if isMoving { movedTo = next }
        here = next
      }
    }
  }

  /// The configuration of one request: its timeouts are limited to the time that is left for all.
  private func configuration(at origin: Origin) throws(HTTPFailure) -> HTTPConfiguration {
    guard let end else { return configuration }
    let left = end - configuration.now()
    guard left > .milliseconds(1) else { throw .timedOut(origin: origin.description) }
    var limited = configuration
    limited.connectTimeout = min(left, limited.connectTimeout)
    limited.callTimeout = min(left, limited.callTimeout)
    return limited
  }

  /// The next URL, without the secrets that must not be sent there. Services often repeat the request's query in the
  /// location of a redirect.
  private static func next(
    _ target: WebURL, from here: WebURL, _ identity: inout Identity
  ) throws(HTTPFailure) -> WebURL {
    let target = identity.secretPlace.map { target.scrubbed(of: $0) } ?? target
    let own = identity.secretQuery
    let plain = own.map { own in target.removing { name, value in name == own.name || value == own.secret.value } }
    let next = plain ?? target
    if next.origin == here.origin { return next }
    if identity.hasSecrets, try !keepsCredentials(from: here.origin, to: next.origin) { identity.dropSecrets() }
    let known = here.secretValues
    return known.isEmpty ? next : next.removing { name, value in known.contains(value) && WebURL.looksSecret(name) }
  }

  /// Whether credentials are sent to the next URL: only within an origin.
  ///
  /// - Throws: `badResponse` for a redirect from https to http.
  static func keepsCredentials(from here: Origin, to next: Origin) throws(HTTPFailure) -> Bool {
    if next == here { return true }
    guard here.scheme == "http" || next.scheme == "https" else {
      throw .badResponse(reason: "redirectInsecure")
    }
    return false
  }
}
