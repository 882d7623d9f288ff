/// Follows redirects: every hop is an exchange of its own, so that its address is checked like the first.
struct Hops: Sendable {
  /// Where a call has come to.
  struct Arrival: Sendable {
    /// The URL of the last hop, without `secretQuery`.
    let url: WebURL
    /// How far the first URL has moved for good: the last of the permanent redirects that no other one precedes.
    let movedTo: WebURL?
    /// Whether the last hop was asked with the call's validators.
    let wasConditional: Bool
  }

  let loop: CurlLoop
  let configuration: HTTPConfiguration
  let lane: Exchange.Lane
  /// See `HTTPRequest.isNamedByContent`.
  var isNamedByContent = false
  /// When the whole of it must be over, by the configuration's clock; nil for no such end.
  var end: ContinuousClock.Instant?

  /// Runs a request and what it is redirected to. The sink gets the answer of the last hop.
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
          url: identity.sent(here), requested: isNamedByContent ? nil : url.origin, headers: headers, lane: lane,
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

  /// The configuration of one hop: none may take longer than what is left for all.
  private func configuration(at origin: Origin) throws(HTTPFailure) -> HTTPConfiguration {
    guard let end else { return configuration }
    let left = end - configuration.now()
    guard left > .milliseconds(1) else { throw .timedOut(origin: origin.description) }
    var limited = configuration
    limited.connectTimeout = min(left, limited.connectTimeout)
    limited.callTimeout = min(left, limited.callTimeout)
    return limited
  }

  /// Where a redirect leads, without the secrets that may not go there. Services like to repeat the query of the request
  /// in the address they send one to.
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
