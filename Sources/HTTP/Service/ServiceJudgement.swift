/// What a service says with an answer. Services have their own forms: a rate limit as plain text, an error in a 200, a
/// daily quota that looks like a burst.
package enum ServiceJudgement: Sendable, Equatable {
  /// An answer for the caller, of whatever status.
  case answer
  /// Not now. The time is the service's own word if it has one beside `Retry-After`; the longer of the two counts.
  case retryLater(after: Duration?)
  /// Nobody is answered for this long, and asking again before is wrong: a daily quota. The reason is a word of the
  /// catalogue's family `reason`.
  case closed(for: Duration, reason: String)
  /// This will not be answered until the user changes something, such as the key. The reason as above.
  case refused(reason: String)

  /// What every service means by its status.
  package static func usual(_ response: HTTPResponse) -> ServiceJudgement {
    switch response.status {
    case 408, 425, 429, 500, 502, 503, 504: .retryLater(after: nil)
    default: .answer
    }
  }
}
