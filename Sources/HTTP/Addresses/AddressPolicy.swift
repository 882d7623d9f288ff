/// Which addresses a request may reach. A pure rule; who applies it is `Transfer`, to the address that libcurl has
/// resolved and is about to connect to, and again to the address of a connection that is reused.
///
/// The text of a URL is never judged, because a public name may resolve to anything, and to something else a moment
/// later. What the user wrote only opens exceptions:
///
/// - an origin on the `allow` list (base URLs of the configuration are on it) may be anywhere;
/// - an origin that the request's own URL names by a private address or as `localhost` may be at *that* address.
///   A redirect within that origin keeps the exception, one to any other private place is refused.
///   A URL that stood in what a service said (`HTTPRequest.isNamedByContent`) has no such exception.
package enum AddressPolicy {
  /// The answer for one address.
  package enum Verdict: Sendable, Equatable {
    case permitted
    case refused
  }

  /// Judges one address.
  ///
  /// - Parameters:
  ///   - address: where the connection would go, as resolved.
  ///   - origin: the origin of this hop's URL.
  ///   - requested: the origin of the URL the caller passed, before any redirect; nil if no person has named it.
  ///   - allowed: the origins of the configuration.
  package static func verdict(
    for address: IPAddress, reaching origin: Origin, requested: Origin?, allowed: Set<Origin>
  ) -> Verdict {
    if !address.isPrivate || allowed.contains(origin) { return .permitted }
    guard origin == requested else { return .refused }
    if origin.literal == address { return .permitted }
    return origin.isLocalhost && address.isLoopback ? .permitted : .refused
  }
}
