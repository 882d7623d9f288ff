import Foundation

/// A GET whose answer is small enough to be kept in memory.
package struct HTTPRequest: Sendable {
  /// An absolute http or https URL as a person or a service wrote it.
  package var url: String
  /// Sent with every hop. `User-Agent` and `Accept-Encoding` are the client's.
  package var headers: HTTPHeaders
  /// Headers that prove who asks (`Authorization`, `Api-Key`, `Cookie`): sent to the origin of `url` alone and never
  /// again after a redirect that leaves it.
  package var credentials: HTTPHeaders
  /// The largest body accepted, in bytes.
  package var limit: Int

  package init(
    url: String, headers: HTTPHeaders = [:], credentials: HTTPHeaders = [:], limit: Int = 8 << 20
  ) {
    self.url = url
    self.headers = headers
    self.credentials = credentials
    self.limit = limit
  }
}

/// A complete answer, whatever its status: the body of an error often says what the status does not.
package struct HTTPResponse: Sendable {
  package let status: Int
  package let headers: HTTPHeaders
  package let body: Data
  /// Where the answer came from, after redirects. May hold a secret: show `finalURL.masked`.
  package let finalURL: WebURL

  /// Throws `httpStatus` unless the status is 2xx.
  package func requireSuccess() throws(HTTPFailure) {
    guard (200...299).contains(status) else { throw .httpStatus(code: status, url: finalURL.masked) }
  }
}
