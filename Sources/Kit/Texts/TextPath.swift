import Store
import Wire

/// The path of a text that is made from the library: `diary/entry/0192.md`.
///
/// Its URI is `commonplace:///text/diary/entry/0192.md`. Editors treat one slash after the scheme as a relative path, so
/// URIs are written with three slashes, and read with one or three. Unlike a stable link, it names a text and no item.
package struct TextPath: Hashable, Sendable {
  /// The decoded segments, the last one without `.md`.
  package let segments: [String]

  private static let prefix = "text/"
  private static let ending = ".md"
  /// The most bytes of a segment as it is written. The name of a file may have 255.
  private static let longestSegment = 240
  private static let mostSegments = 8

  /// - Returns: nil for segments that no file can be named after, such as `..`, an empty one, or one with a control
  ///   character.
  package init?(_ segments: [String]) {
    guard (1...Self.mostSegments).contains(segments.count), segments.allSatisfy(Self.isSound) else { return nil }
    self.segments = segments
  }

  package init?(_ segments: String...) { self.init(segments) }

  /// Parses a path below the root of all texts; nil for anything else.
  package init?(parsing text: String) {
    guard text.utf8.count <= Self.mostSegments * Self.longestSegment, text.hasSuffix(Self.ending) else { return nil }
    let parts = text.dropLast(Self.ending.count).split(separator: "/", omittingEmptySubsequences: false)
    let segments = parts.compactMap { PercentEncoding.decoded($0) }
    guard segments.count == parts.count else { return nil }
    self.init(segments)
  }

  /// Parses `commonplace:///text/…` and `commonplace:/text/…`; nil for any other URI.
  package init?(uri: String) {
    guard let colon = uri.firstIndex(of: ":"), uri[..<colon].lowercased() == StableLink.scheme else { return nil }
    var rest = uri[uri.index(after: colon)...]
    if rest.hasPrefix("///") { rest = rest.dropFirst(2) }
    guard rest.hasPrefix("/" + Self.prefix), !rest.contains(where: { "?#".contains($0) }) else { return nil }
    self.init(parsing: String(rest.dropFirst(1 + Self.prefix.count)))
  }

  /// The path as it is written, percent-encoded.
  package var text: String { segments.map(PercentEncoding.encoded).joined(separator: "/") + Self.ending }

  package var uri: String { "\(StableLink.scheme):///\(Self.prefix)\(text)" }

  private static func isSound(_ segment: String) -> Bool {
    !segment.isEmpty && segment != "." && segment != ".."
      && !segment.unicodeScalars.contains(where: \.isLineEndOrControl)
      && PercentEncoding.encoded(segment).utf8.count <= longestSegment
  }
}

extension RPCError {
  /// The error of a path for which the library has nothing.
  package static func noText(at path: TextPath) -> RPCError {
    RPCError(
      .notFound, text: Text("text.nothing", ["path": path.text]),
      data: ["collection": "texts", "id": .string(path.text)])
  }
}
