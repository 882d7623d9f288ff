import Synchronization

/// The one-time token of the URL, and the cookie for which the page trades it.
///
/// A token works once. Its use creates the next one, for another browser; `used` is called with it.
final class Sessions: Sendable {
  /// Browsers share the cookies of all ports of a host, so the name contains ours.
  let cookieName: String
  private let cookie = Secret()
  private let token = Mutex(Secret())
  private let used: @Sendable (_ next: String) -> Void

  init(port: Int, used: @escaping @Sendable (String) -> Void) {
    cookieName = "commonplace-\(port)"
    self.used = used
  }

  var currentToken: String { token.withLock(\.text) }

  /// The `Set-Cookie` value for a valid token; nil for any other.
  func trade(_ given: String) -> String? {
    let next = token.withLock { token -> Secret? in
      guard token.matches(given) else { return nil }
      token = Secret()
      return token
    }
    guard let next else { return nil }
    used(next.text)
    return "\(cookieName)=\(cookie.text); Path=/; HttpOnly; SameSite=Strict"
  }

  /// Whether a `Cookie` header contains our cookie.
  func isValid(_ header: String) -> Bool {
    header.split(separator: ";").contains { pair in
      let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
      return parts.count == 2 && parts[0] == cookieName && cookie.matches(parts[1])
    }
  }
}
