import FoundationEssentials

/// A complete answer, whatever its status: the body of an error often says what the status does not.
package struct HTTPResponse: Sendable {
  package let status: Int
  package let headers: HTTPHeaders
  /// Decoded, if it came compressed.
  package let body: Data
  /// Where the answer came from, after redirects, without the request's `secretQuery`. May hold a secret that a service
  /// wrote: show `finalURL.masked`.
  package let finalURL: WebURL
  /// What to ask with the next time: of this answer, and after a 304 of the request where the 304 says nothing itself.
  /// To be kept only if the body could be parsed; see `Validators`.
  package var validators: Validators?
  /// For how long the service says the answer holds: `Cache-Control` or `Expires`; zero if it says that it does not
  /// hold at all, nil if it says nothing.
  package var freshFor: Duration?
  /// Where the request's URL has moved for good (301, 308), if it has; to be remembered if the answer is good.
  package var movedPermanentlyTo: String?

  /// Whether what the caller has still holds. Success without a body.
  package var isNotModified: Bool { status == 304 }

  /// The answer with the place of a secret wherever the service repeats it, so that it can be kept and shown.
  package func scrubbed(of secret: Secret) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: headers, body: SecretPlace.scrubbed(body, of: secret),
      finalURL: finalURL.scrubbed(of: secret), validators: validators, freshFor: freshFor,
      movedPermanentlyTo: movedPermanentlyTo.map { SecretPlace.scrubbed($0, of: secret) })
  }

  /// Throws `unauthorized` for 401, and `httpStatus` unless the status is 2xx or 304.
  package func requireSuccess() throws(HTTPFailure) {
    if status == 401 { throw .unauthorized(origin: finalURL.origin.description) }
    guard (200...299).contains(status) || isNotModified else {
      throw .httpStatus(code: status, url: finalURL.masked)
    }
  }
}
