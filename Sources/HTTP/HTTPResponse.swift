import FoundationEssentials

/// A complete response with any status: the body of an error often contains details.
package struct HTTPResponse: Sendable {
  package let status: Int
  package let headers: HTTPHeaders
  /// Decompressed, if it was compressed.
  package let body: Data
  /// The URL after redirects, without the request's `secretQuery`. May contain a secret from a service: show
  /// `finalURL.masked`.
  package let finalURL: WebURL
  /// The validators for the next request: those of this response, or those of the request if a 304 omits them. Store
  /// them only if the body could be parsed; see `Validators`.
  package var validators: Validators?
  /// How long the response is fresh: `Cache-Control` or `Expires`; zero if it must not be reused, nil if unspecified.
  package var freshFor: Duration?
  /// The permanent new location of the request's URL (301, 308), if any; to be stored if the response is valid.
  package var movedPermanentlyTo: String?

  /// Whether the caller's copy is current. Success without a body.
  package var isNotModified: Bool { status == 304 }

  /// The response with the secret replaced by its placeholder wherever the service repeats it, so that it can be stored
  /// and shown.
  package func scrubbed(of secret: Secret) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: headers, body: SecretPlace.scrubbed(body, of: secret),
      finalURL: finalURL.scrubbed(of: secret), validators: validators, freshFor: freshFor,
      movedPermanentlyTo: movedPermanentlyTo.map { SecretPlace.scrubbed($0, of: secret) })
  }

  /// Requires a status of success.
  ///
  /// - Throws: `HTTPFailure.unauthorized` for 401, and `.httpStatus` unless the status is 2xx or 304.
  package func requireSuccess() throws(HTTPFailure) {
    if status == 401 { throw .unauthorized(origin: finalURL.origin.description) }
    guard (200...299).contains(status) || isNotModified else {
      throw .httpStatus(code: status, url: finalURL.masked)
    }
  }
}
