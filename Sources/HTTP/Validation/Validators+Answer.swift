extension Validators {
  /// The headers that ask whether what the caller has still holds; none for another URL than the one they came from.
  func headers(asking url: WebURL) -> HTTPHeaders {
    guard url.text == self.url else { return [:] }
    var headers: HTTPHeaders = [:]
    if let etag, Self.isLine(etag) { headers.append("If-None-Match", etag) }
    if let lastModified, Self.isLine(lastModified) { headers.append("If-Modified-Since", lastModified) }
    return headers
  }

  /// What an answer gives to ask with the next time. A 304 may be silent about what has not changed, and then the
  /// request's own still hold.
  ///
  /// - Parameters:
  ///   - url: where the answer came from.
  ///   - asked: the URL of the call. A redirect's target that holds a secret (a signed address) gives none: it is
  ///     another the next time, and is nothing to be stored.
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

  /// Kept ones come from a service by way of a database: nothing in them may break the line they are sent in.
  private static func isLine(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 == 9 || ($0 >= 0x20 && $0 != 0x7f) }
  }
}
