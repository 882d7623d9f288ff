import NIOHTTP1

/// Which requests are answered: those of our own page, in a browser that has traded the token.
struct Gate: Sendable {
  /// `127.0.0.1:7717`
  let host: String
  /// `http://127.0.0.1:7717`
  let origin: String
  let sessions: Sessions

  init(port: Int, sessions: Sessions) {
    host = "127.0.0.1:\(port)"
    origin = "http://" + host
    self.sessions = sessions
  }

  /// The reason to refuse any request, also one for a public file.
  ///
  /// Another name in `Host` is that of a site that resolves to 127.0.0.1 (DNS rebinding).
  func refusal(_ head: HTTPRequestHead) -> Answer? {
    guard head.headers["host"] == [host] else { return .refusal(.forbidden, "The Host header is not \(host).") }
    let origins = head.headers["origin"]
    guard origins.isEmpty || origins == [origin] else {
      return .refusal(.forbidden, "The Origin header is not \(origin).")
    }
    return Self.refusal(ofURL: head)
  }

  /// The reason to refuse a URL from anywhere.
  static func refusal(ofURL head: HTTPRequestHead) -> Answer? {
    guard head.uri.utf8.count <= Limits.uri, head.uri.hasPrefix("/") else {
      return .refusal(.uriTooLong, "The URL is longer than \(Limits.uri) bytes, or not a path.")
    }
    return nil
  }

  /// The reason to refuse a request that needs the session.
  ///
  /// - Parameter changes: whether the request may change something. Browsers send `Origin` with these, so it must be
  ///   there. A request that only reads may be that of an image, which has none.
  func refusalWithoutSession(_ head: HTTPRequestHead, changes: Bool) -> Answer? {
    // A page of another port is of the same site, and so has the cookie.
    let site = head.headers["sec-fetch-site"]
    guard site.isEmpty || site == ["same-origin"] || (site == ["none"] && !changes) else {
      return .refusal(.forbidden, "Only the page of \(origin) may send this request.")
    }
    guard !changes || head.headers["origin"] == [origin] else {
      return .refusal(.forbidden, "The Origin header is missing.")
    }
    guard head.headers["cookie"].contains(where: sessions.isValid) else {
      return .refusal(.unauthorized, "The session has ended. Open the URL that “commonplace web” prints.")
    }
    return nil
  }
}
