import SearchEngine
import Wire

/// A folded tag and its place among nested ones.
package struct FoldedTag: Sendable {
  package let text: String

  /// - Parameter text: a folded text.
  package init(_ text: String) { self.text = text }

  /// The folded tags below it, by their bytes: `a/` up to `a0`, as `0` follows `/`.
  package var below: (lowerBound: String, upperBound: String) { (text + "/", text + "0") }

  /// Whether a folded tag is this one or below it.
  package func contains(_ folded: String) -> Bool {
    folded.utf8.starts(with: text.utf8)
      && (folded.utf8.count == text.utf8.count
        || folded.utf8.dropFirst(text.utf8.count).first == UInt8(ascii: "/"))
  }

  /// The tags that contain it, the shortest first: `a` and `a/b` for `a/b/c`.
  package var ancestors: [FoldedTag] {
    text.utf8.indices.filter { text.utf8[$0] == UInt8(ascii: "/") && $0 > text.startIndex }
      .map { FoldedTag(String(text[..<$0])) }
  }

  /// Splits a tag that is this one or below it, as it is written: `A` and `/b` of `A/b` for `a`.
  package func split(_ tag: String) -> (beginning: String, rest: String) {
    let folded = foldedText(tag)
    guard folded.utf8.count > text.utf8.count else { return (tag, "") }
    let scalars = tag.unicodeScalars
    // Every scalar is folded by itself, so its slashes are those of the text, and one pass finds the one after `text`.
    var slashes = Self.slashes(in: text)
    let end = scalars.indices.first { index in
      slashes -=
        scalars[index].isASCII ? (scalars[index] == "/" ? 1 : 0) : Self.slashes(in: foldedText(String(scalars[index])))
      return slashes < 0
    }
    let slash = end.flatMap { sameBytes(foldedText(String(scalars[$0])), "/") ? $0 : nil }
    // A character such as `℀`, of which the slash is only a part.
    guard let slash else { return (text, String(decoding: folded.utf8.dropFirst(text.utf8.count), as: UTF8.self)) }
    return (String(scalars[..<slash]), "/" + String(scalars[scalars.index(after: slash)...]))
  }

  private static func slashes(in text: String) -> Int { text.utf8.count { $0 == UInt8(ascii: "/") } }
}
