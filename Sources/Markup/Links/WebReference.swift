/// Resolves links in documents to absolute URLs (RFC 3986, section 5), as leniently as browsers: with white space
/// around them, line breaks and tabs in them, and characters that are invalid in a URL.
///
/// A user name and password before the host are removed, so that nobody shows or sends them. A link with a backslash
/// there is rejected, since some programs read it as a slash, and another part as the host.
package struct WebReference: Sendable {
  private let scheme: String
  private let authority: String?
  private let path: String
  private let query: String?

  /// In bytes. Longer texts are no links; resolving against a long base multiplies it.
  static let lengthLimit = 4096

  /// `nil` for a text that is no absolute URL.
  package init?(base text: String) {
    let parts = Parts(Self.cleaned(text))
    guard let scheme = parts.scheme, text.utf8.count <= Self.lengthLimit, parts.isHostPlain else { return nil }
    self.scheme = scheme.lowercased()
    authority = parts.host
    path = parts.path
    query = parts.query
  }

  /// The base itself, without a fragment.
  var text: String {
    "\(scheme):\(authority.map { "//" + $0 } ?? "")\(path)\(query.map { "?" + $0 } ?? "")"
  }

  /// The absolute link; nil if it is empty, too long, or only a fragment of the same document.
  package func resolve(_ link: String) -> String? {
    let link = Self.cleaned(link)
    guard !link.isEmpty, !link.hasPrefix("#"), link.utf8.count <= Self.lengthLimit else { return nil }
    let parts = Parts(link)
    guard parts.isHostPlain else { return nil }
    if parts.scheme != nil { return Self.withoutUser(link, parts) }
    let fragment = parts.fragment.map { "#" + $0 } ?? ""
    let isHierarchic = authority != nil
    guard isHierarchic || parts.authority != nil else { return nil }
    if let other = parts.host {
      return "\(scheme)://\(other)\(Self.withoutDots(parts.path))\(parts.query.map { "?" + $0 } ?? "")\(fragment)"
    }
    let start = "\(scheme)://\(authority ?? "")"
    if parts.path.isEmpty {
      return start + path + ((parts.query ?? query).map { "?" + $0 } ?? "") + fragment
    }
    let joined: String
    if parts.path.hasPrefix("/") {
      joined = parts.path
    } else {
      let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? "/"
      joined = folder + parts.path
    }
    return start + Self.withoutDots(joined) + (parts.query.map { "?" + $0 } ?? "") + fragment
  }

  /// The absolute form of a link, with or without a base; else nil.
  package static func absolute(_ link: String, base: WebReference?) -> String? {
    if let base { return base.resolve(link) }
    let link = cleaned(link)
    let parts = Parts(link)
    guard link.utf8.count <= lengthLimit, parts.scheme != nil, parts.isHostPlain else { return nil }
    return withoutUser(link, parts)
  }

  /// Whether a link has a user part, for callers that must not drop it silently.
  static func namesUser(_ link: String) -> Bool {
    let parts = Parts(cleaned(link))
    return parts.host != parts.authority
  }

  /// An absolute link without its user part.
  private static func withoutUser(_ link: String, _ parts: Parts) -> String {
    guard let scheme = parts.scheme, let authority = parts.authority, let host = parts.host, host != authority else {
      return link
    }
    let rest = link.utf8.dropFirst(scheme.utf8.count + "://".utf8.count + authority.utf8.count)
    return "\(scheme)://\(host)" + String(decoding: rest, as: UTF8.self)
  }

  /// Removes the characters that browsers ignore in links, and percent-encodes other invalid ones: browsers run
  /// `java\nscript:` as `javascript:`.
  private static func cleaned(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var text = Substring(text).utf8
    while let first = text.first, first <= 0x20 { text = text.dropFirst() }
    while let last = text.last, last <= 0x20 { text = text.dropLast() }
    for byte in text {
      switch byte {
      case 0..<0x20, 0x7F: continue
      case 0x20, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "`"), UInt8(ascii: "\\"),
        UInt8(ascii: "^"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
        bytes.append(UInt8(ascii: "%"))
        bytes += "0123456789ABCDEF".utf8.dropFirst(Int(byte >> 4)).prefix(1)
        bytes += "0123456789ABCDEF".utf8.dropFirst(Int(byte & 15)).prefix(1)
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// `/a/./b/../c` is `/a/c` (RFC 3986, 5.2.4).
  private static func withoutDots(_ path: String) -> String {
    guard path.utf8.contains(UInt8(ascii: ".")) else { return path.isEmpty ? "/" : path }
    var segments: [Substring] = []
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      switch part {
      case ".": if isLast { segments.append("") }
      case "..":
        if segments.count > 1 { segments.removeLast() }
        if isLast { segments.append("") }
      default: segments.append(part)
      }
    }
    let joined = segments.joined(separator: "/")
    return joined.hasPrefix("/") ? joined : "/" + joined
  }

  /// The components of a link.
  private struct Parts {
    var scheme: String?
    var authority: String?
    var path: String
    var query: String?
    var fragment: String?

    /// The authority without a user part.
    var host: String? {
      authority.map { text in
        text.utf8.lastIndex(of: UInt8(ascii: "@")).map { String(text[text.utf8.index(after: $0)...]) } ?? text
      }
    }

    /// Whether the authority has no backslash, which is percent-encoded at this point.
    var isHostPlain: Bool { !(authority?.uppercased().contains("%5C") ?? false) }

    init(_ text: String) {
      var rest = text[...]
      if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "#")) {
        fragment = String(rest[rest.index(after: mark)...])
        rest = rest[..<mark]
      }
      if let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest[..<colon]) {
        scheme = String(rest[..<colon])
        rest = rest[rest.index(after: colon)...]
      }
      if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
        query = String(rest[rest.index(after: mark)...])
        rest = rest[..<mark]
      }
      if rest.hasPrefix("//") {
        rest = rest.dropFirst(2)
        let end = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        authority = String(rest[..<end])
        rest = rest[end...]
      }
      path = String(rest)
    }

    private static func isScheme(_ text: Substring) -> Bool {
      guard let first = text.utf8.first, (first | 0x20) >= UInt8(ascii: "a"), (first | 0x20) <= UInt8(ascii: "z") else {
        return false
      }
      return text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
          true
        default: false
        }
      }
    }
  }
}
