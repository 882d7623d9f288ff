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
