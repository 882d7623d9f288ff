extension Validators {
  /// The headers of a conditional request; none for another URL than the one that returned the validators.
  func headers(asking url: WebURL) -> HTTPHeaders {
    guard url.text == self.url else { return [:] }
    var headers: HTTPHeaders = [:]
    if let etag, Self.isLine(etag) { headers.append("If-None-Match", etag) }
    if let lastModified, Self.isLine(lastModified) { headers.append("If-Modified-Since", lastModified) }
    return headers
  }

  /// The validators for the next request. A 304 may omit unchanged ones, and then those of the request are still valid.
  ///
  /// - Parameters:
  ///   - url: the URL of the response.
  ///   - asked: the URL of the call. For a redirect to a URL with a secret (a signed address) there are none: it
  ///     changes every time, and must not be stored.
  ///   - sent: those of the request, if they were sent.
  init?(_ head: ResponseHead, from url: WebURL, asked: WebURL, sent: Validators?) {
    guard head.status == 200 || head.status == 304 else { return nil }
    let before = head.status == 304 ? sent : nil
    self.init(
      from: url, asked: asked, etag: head.headers["ETag"] ?? before?.etag,
      lastModified: head.headers["Last-Modified"] ?? before?.lastModified)
  }

  init?(from url: WebURL, asked: WebURL, etag: String?, lastModified: String?) {
    guard url == asked || url.masked == url.text, etag != nil || lastModified != nil else { return nil }
    self.init(url: url.text, etag: etag, lastModified: lastModified)
  }

  /// Stored validators originate from a service: they must not break the header line.
  private static func isLine(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 == 9 || ($0 >= 0x20 && $0 != 0x7f) }
  }
}
