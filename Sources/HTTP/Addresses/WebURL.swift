import Wire

/// An http or https URL in its canonical form: host in lower case and ASCII, address literals in their usual form, all
/// characters in path and query that are not allowed in a request line percent-encoded, no fragment.
///
/// Parsed by our own strict rules instead of Foundation's or libcurl's lenient ones: a URL that parsers interpret
/// differently (a user part, a backslash, a percent sign in the host) is refused.
package struct WebURL: Hashable, Sendable {
  /// Scheme, host and port.
  package let origin: Origin
  /// Path and query, beginning with a slash, percent-encoded.
  package let target: String

  /// The whole URL. It may contain a secret, so it must not be shown. See `masked`.
  package var text: String { origin.description + target }

  /// The URL for display and logs.
  package var masked: String { Self.masked(text) }

  /// Parses a URL from the user or a service.
  ///
  /// - Throws: `HTTPFailure.invalidURL`.
  package init(_ text: String) throws(HTTPFailure) {
    let bytes = Array(Self.trimmed(text).utf8)
    guard bytes.count <= 8192 else { throw .invalidURL(reason: "urlTooLong") }
    guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7f }) else {
      throw .invalidURL(reason: "urlControlCharacter")
    }
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) else {
      throw .invalidURL(reason: "urlNotAbsolute")
    }
    let scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
    let rest = bytes[(colon + 3)...]
    let end = rest.firstIndex { "/?#\\".utf8.contains($0) } ?? rest.endIndex
    guard end == rest.endIndex || rest[end] != UInt8(ascii: "\\") else {
      throw .invalidURL(reason: "urlBackslash")
    }
    origin = try Origin(scheme: scheme, authority: String(decoding: rest[..<end], as: UTF8.self))
    target = Self.target(rest[end...])
  }

  private init(origin: Origin, target: String) {
    self.origin = origin
    self.target = target
  }

  /// The text without surrounding white space. Nearly every URL has none, and a feed has one in each entry.
  private static func trimmed(_ text: String) -> String {
    func isPlain(_ byte: UInt8?) -> Bool { byte.map { $0 > 0x20 && $0 < 0x7f } ?? true }
    if isPlain(text.utf8.first), isPlain(text.utf8.last) { return text }
    return text.trimmingWhitespace()
  }

  /// The same origin with another path and query, which must be encoded already.
  func replacing(target: String) -> WebURL { WebURL(origin: origin, target: target) }

  /// Path and query, from the bytes after the authority.
  private static func target(_ bytes: ArraySlice<UInt8>) -> String {
    var target: [UInt8] = bytes.first == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
    target.reserveCapacity(bytes.count + 1)
    for byte in bytes.prefix(while: { $0 != UInt8(ascii: "#") }) {
      // Percent signs are unchanged, so that encoded characters are not encoded twice.
      if byte > 0x20 && byte < 0x7f && !"\"<>\\^`{|}".utf8.contains(byte) {
        target.append(byte)
      } else {
        var written = ""
        PercentEncoding.append(byte, to: &written)
        target += written.utf8
      }
    }
    return String(decoding: target, as: UTF8.self)
  }
}

extension WebURL {
  /// Any text that may be a URL, for display: without user part and fragment, and with values of query and path
  /// parameters that look like secrets replaced by `***`, except for placeholders of a secret. Also works on text that
  /// is not a valid URL.
  package static func masked(_ text: String) -> String { masked(text, by: "***") }

  private static func masked(_ text: String, by mask: String) -> String {
    var shown = String(text.prefix { $0 != "#" })
    if let slashes = shown.firstRange(of: "://") {
      let authorityEnd = shown[slashes.upperBound...].firstIndex { "/?".contains($0) } ?? shown.endIndex
      if let at = shown[slashes.upperBound..<authorityEnd].lastIndex(of: "@") {
        shown.removeSubrange(slashes.upperBound...at)
      }
    }
    let path = shown.prefix { $0 != "?" }
    return maskedPairs(in: path, separatedBy: ";/", by: mask)
      + maskedPairs(in: shown[path.endIndex...], separatedBy: "?&;", by: mask)
  }

  /// Masks the values of `name=value` pairs: of a query, and of the parameters of a path's segments, `a.pdf;token=…`.
  private static func maskedPairs(in text: Substring, separatedBy separators: String, by mask: String) -> String {
    var masked = ""
    var rest = text
    while true {
      let pair = rest.prefix { !separators.contains($0) }
      if let equals = pair.firstIndex(of: "="), looksSecret(String(pair[..<equals])),
        ![SecretPlace.encoded, SecretPlace.written].contains(String(pair[equals...].dropFirst()))
      {
        masked += pair[..<equals] + "=\(mask)"
      } else {
        masked += pair
      }
      guard pair.endIndex < text.endIndex else { return masked }
      masked.append(text[pair.endIndex])
      rest = text[text.index(after: pair.endIndex)...]
    }
  }

  /// Any text that may be a URL, for storage: secrets are replaced by `{credential}`, everything else is unchanged. A
  /// fragment is preserved unless it contains a secret.
  package static func storable(_ text: String) -> String {
    // Most URLs have neither a pair nor a user part, and this runs for every document that is shown.
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "@") }) else { return text }
    let plain = text.prefix { $0 != "#" }
    let fragment = text[plain.endIndex...]
    let isPlain = fragment.dropFirst().split { "&?".contains($0) }.allSatisfy { pair in
      pair.firstIndex(of: "=").map { !looksSecret(String(pair[..<$0])) } ?? true
    }
    return masked(String(plain), by: SecretPlace.written) + (isPlain ? fragment : "")
  }

  /// Whether a query parameter of this name usually holds a secret: `key`, `api_key`, `X-Amz-Signature`, `accessToken`.
  static func looksSecret(_ name: String) -> Bool {
    let plain = (PercentEncoding.decoded(name) ?? name).lowercased()
    let words = plain.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    let secretWords: Set = [
      "apikey", "auth", "authorization", "code", "credential", "credentials", "hmac", "jwt", "key", "pass", "passwd",
      "passcode", "passphrase", "pin", "pw", "pwd", "session", "sessionid", "sid", "sig",
    ]
    let secretEndings = ["apikey", "accesskey", "password", "secret", "signature", "token"]
    return words.contains { word in secretWords.contains(word) || secretEndings.contains { word.hasSuffix($0) } }
  }
}
