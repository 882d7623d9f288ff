/// The classification of a service's response. Services have their own formats: a rate limit as plain text, an error
/// with status 200, a daily quota that looks like a burst limit.
package enum ServiceDecision: Sendable, Equatable {
  /// A response for the caller, with any status.
  case answer
  /// Retry later. `after` is the service's own time if it states one beside `Retry-After`; the longer of the two
  /// applies.
  case retryLater(after: Duration?)
  /// The service refuses all requests for this long, and retrying earlier is wrong: a daily quota. The reason is a key
  /// of the catalogue's family `reason`.
  case closed(for: Duration, reason: String)
  /// The request will be refused until the user changes something, such as the key. The reason is as above.
  case refused(reason: String)

  /// The default classification by status.
  package static func usual(_ response: HTTPResponse) -> ServiceDecision {
    switch response.status {
    case 408, 425, 429, 500, 502, 503, 504: .retryLater(after: nil)
    default: .answer
    }
  }
}
