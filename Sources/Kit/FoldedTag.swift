import SearchEngine
import Wire

/// A folded tag and its place among nested ones: `a/b` is below `a`. A tag that begins with `+` is a project, as in
/// todo.txt and Taskwarrior, where a point nests too: `+home.garden` is below `+home`.
package struct FoldedTag: Sendable {
  package let text: String

  /// - Parameter text: a folded text.
  package init(_ text: String) { self.text = text }

  /// The folded tags below it, by their bytes: `a/` up to `a0`, as `0` follows `/`, which follows the point.
  package var below: (lowerBound: String, upperBound: String) { (text + (isProject ? "." : "/"), text + "0") }

  private var isProject: Bool { text.utf8.first == UInt8(ascii: "+") }

  private func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || isProject && byte == UInt8(ascii: ".")
  }

  /// Whether a folded tag is this one or below it.
  package func contains(_ folded: String) -> Bool {
    folded.utf8.starts(with: text.utf8)
      && (folded.utf8.count == text.utf8.count
        || folded.utf8.dropFirst(text.utf8.count).first.map(isSeparator) == true)
  }

  /// The tags that contain it, the shortest first: `a` and `a/b` for `a/b/c`.
  package var ancestors: [FoldedTag] {
    text.utf8.indices.filter { isSeparator(text.utf8[$0]) && $0 > text.startIndex }
      .map { FoldedTag(String(text[..<$0])) }
  }

  /// Splits a tag that is this one or below it, as it is written: `A` and `/b` of `A/b` for `a`.
  package func split(_ tag: String) -> (beginning: String, rest: String) {
    let folded = foldedText(tag)
    guard folded.utf8.count > text.utf8.count else { return (tag, "") }
    let scalars = tag.unicodeScalars
    // Every scalar is folded by itself, so its separators are those of the text, and one pass finds the one after `text`.
    var separators = separators(in: text)
    let end = scalars.indices.first { index in
      let scalar = String(scalars[index])
      separators -= self.separators(in: scalars[index].isASCII ? scalar : foldedText(scalar))
      return separators < 0
    }
    let separator = end.map { foldedText(String(scalars[$0])) }
    // A character such as `℀`, of which the slash is only a part.
    guard let end, let separator, separator.utf8.count == 1 else {
      return (text, String(decoding: folded.utf8.dropFirst(text.utf8.count), as: UTF8.self))
    }
    return (String(scalars[..<end]), separator + String(scalars[scalars.index(after: end)...]))
  }

  private func separators(in text: String) -> Int { text.utf8.count { isSeparator($0) } }
}
