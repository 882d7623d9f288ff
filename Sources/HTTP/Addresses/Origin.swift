import CICU
import FoundationEssentials

/// Scheme, host and port: the scope of a credential and of `allow`.
///
/// `description` is the canonical text (`http://127.0.0.1:8080`, `https://example.org`), by which origins are compared.
package struct Origin: Hashable, Sendable, CustomStringConvertible {
  /// `http` or `https`.
  package let scheme: String
  /// In lower case and ASCII; an address literal in its usual form, IPv6 without brackets.
  package let host: String
  /// 1 to 65535, including the scheme's default.
  package let port: Int

  /// From the text of a URL, whose path is ignored; nil for any other than an http or https URL.
  package init?(_ text: String) {
    guard let url = try? WebURL(text) else { return nil }
    self = url.origin
  }

  /// From the parts of a URL. The authority is the text between `//` and the path.
  init(scheme: String, authority: String) throws(HTTPFailure) {
    guard scheme == "http" || scheme == "https" else {
      throw .invalidURL(reason: "urlScheme")
    }
    guard !authority.utf8.contains(UInt8(ascii: "@")) else {
      // Credentials are defined by name in the configuration, since URLs are shown, logged and stored.
      throw .invalidURL(reason: "urlUser")
    }
    let (hostText, portText) = try Self.split(authority)
    self.scheme = scheme
    self.host = try Self.canonical(hostText)
    guard !portText.isEmpty else {
      port = Self.usualPort(scheme)
      return
    }
    guard portText.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(portText),
      (1...65535).contains(port)
    else { throw .invalidURL(reason: "urlPort") }
    self.port = port
  }

  /// The address, if the host is written as one.
  package var literal: IPAddress? { IPAddress(literal: host) }

  /// Whether the host is the name of this machine itself.
  package var isLocalhost: Bool { host == "localhost" || host == "localhost." }

  /// Whether content of `home` may refer to this origin: to another host than its own only by name, so that external
  /// content cannot reach addresses of this network.
  package func mayBeNamed(by home: Origin?) -> Bool { self == home || literal == nil && !isLocalhost }

  package var description: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return "\(scheme)://\(name)" + (port == Self.usualPort(scheme) ? "" : ":\(port)")
  }

  private static func usualPort(_ scheme: String) -> Int { scheme == "https" ? 443 : 80 }

  private static func split(_ authority: String) throws(HTTPFailure) -> (host: String, port: String) {
    let hostEnd: String.Index
    let bytes = authority.utf8
    if bytes.first == UInt8(ascii: "[") {
      guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")) else { throw .invalidURL(reason: "hostIncomplete") }
      hostEnd = bytes.index(after: bracket)
    } else {
      hostEnd = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
    }
    let rest = authority[hostEnd...]
    guard rest.utf8.first.map({ $0 == UInt8(ascii: ":") }) ?? true else { throw .invalidURL(reason: "hostInvalid") }
    return (String(authority[..<hostEnd]), String(rest.dropFirst()))
  }

  private static func canonical(_ host: String) throws(HTTPFailure) -> String {
    if host.utf8.first == UInt8(ascii: "[") {
      // Parsers disagree about scopes (fe80::1%eth0), so they are refused.
      guard let address = IPAddress(literal: String(host.dropFirst().dropLast())), host.contains(":") else {
        throw .invalidURL(reason: "hostNotIPv6")
      }
      return address.description
    }
    let name = (host.utf8.allSatisfy { $0 < 0x80 } ? host : try ascii(host)).lowercased()
    guard !name.isEmpty, name.utf8.count <= 253 else { throw .invalidURL(reason: "hostMissing") }
    guard name.utf8.allSatisfy({ isNameByte($0) }) else { throw .invalidURL(reason: "hostInvalid") }
    return IPAddress(literal: name)?.description ?? name
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
    default: false
    }
  }

  /// Converts an international name to `xn--…`. Uses ICU, since libcurl converts only in a UTF-8 locale, and a daemon's
  /// locale is C.
  private static func ascii(_ host: String) throws(HTTPFailure) -> String {
    // One byte may become several; names in DNS have at most 253.
    let name = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1_024) { room in
      cicu_ascii_name(host, room.baseAddress, room.count) ? String(cString: room.baseAddress!) : nil
    }
    guard let name, name.utf8.allSatisfy({ $0 < 0x80 }) else { throw .invalidURL(reason: "hostInvalid") }
    return name
  }
}
