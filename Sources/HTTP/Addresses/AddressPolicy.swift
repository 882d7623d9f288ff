/// The addresses that a request may reach. A pure rule; `Transfer` applies it to the address that libcurl has resolved
/// and is about to connect to, and again to the address of a reused connection.
///
/// The text of a URL is never decisive, because a public name may resolve to any address, and to another one a moment
/// later. URLs of the user only open exceptions:
///
/// - an origin on the `allow` list (it includes base URLs of the configuration) may have any address;
/// - an origin that the request's own URL names by a private address or as `localhost` may have *that* address. A
///   redirect within that origin keeps the exception; one to any other private address is refused. A URL from content
///   of a service (`HTTPRequest.isNamedByContent`) has no such exception.
package enum AddressPolicy {
  /// The decision for one address.
  package enum Decision: Sendable, Equatable {
    case permitted
    case refused
  }

  /// Decides about one address.
  ///
  /// - Parameters:
  ///   - address: the resolved address of the connection.
  ///   - origin: the origin of the current URL, after redirects.
  ///   - requested: the origin of the URL passed by the caller, before any redirect; nil if it did not come from the
  ///     user.
  ///   - allowed: the origins of the configuration.
  package static func decision(
    for address: IPAddress, reaching origin: Origin, requested: Origin?, allowed: Set<Origin>
  ) -> Decision {
    if !address.isPrivate || allowed.contains(origin) { return .permitted }
    guard origin == requested else { return .refused }
    if origin.literal == address { return .permitted }
    return origin.isLocalhost && address.isLoopback ? .permitted : .refused
  }
}
