/// The part of a text that best shows why it matches.
package struct Snippet: Sendable {
  package let text: String
  /// Where the matches are, in UTF-8 bytes of `text`.
  package let ranges: [Range<Int>]
  /// Whether something was cut before or after.
  package let isCutBefore: Bool
  package let isCutAfter: Bool

  /// - Parameters:
  ///   - ranges: the matches in `text`, as `TextRanges` finds them; without any, the beginning of the text is shown.
  ///   - terms: the query terms of each match, to find the passage with the most of them; if empty, all matches count
  ///     as one term.
  ///   - size: the approximate number of UTF-8 bytes to show. No grapheme is cut, nor a word if a blank is near.
  package init(of text: String, ranges: [Range<Int>], terms: [MatchedTerms] = [], size: Int = 240) {
    let (matches, window) = Self.window(
      SnippetMatches(ranges, of: terms, within: size), of: text.utf8.count, size: size)
    let first = text.utf8.index(text.startIndex, offsetBy: matches.lowerBound)
    let last = text.utf8.index(text.startIndex, offsetBy: matches.upperBound)
    let start = Self.start(in: text, near: window.lowerBound, before: first)
    let end = Self.end(in: text, near: window.upperBound, after: last)
    self.text = String(text[start..<end])
    let offset = text.utf8.distance(from: text.startIndex, to: start)
    let limit = offset + self.text.utf8.count
    self.ranges = ranges.filter { $0.lowerBound >= offset && $0.upperBound <= limit }
      .map { $0.lowerBound - offset..<$0.upperBound - offset }
    isCutBefore = start > text.startIndex
    isCutAfter = end < text.endIndex
  }

  /// The window around the best matches; a third of the remaining space precedes them.
  private static func window(
    _ matches: SnippetMatches, of length: Int, size: Int
  ) -> (matches: Range<Int>, window: Range<Int>) {
    guard let best = matches.best else { return (0..<0, 0..<min(size, length)) }
    let spare = max(0, size - best.count)
    let start = max(0, min(best.lowerBound - spare / 3, length - size))
    return (best, min(start, best.lowerBound)..<min(length, max(best.upperBound, start + size)))
  }

  /// The distance from the edge of the window, in graphemes, within which a blank is used.
  private static let nearness = 16

  /// The grapheme at the byte `offset`, or the one after the next blank if that is near.
  private static func start(in text: String, near offset: Int, before match: String.Index) -> String.Index {
    guard offset > 0 else { return text.startIndex }
    let start = grapheme(in: text, at: offset)
    let near = text[start..<max(start, match)].prefix(nearness)
    guard let blank = near.firstIndex(where: \.isWhitespace) else { return start }
    return text.index(after: blank)
  }

  /// The same for the end: the last blank before the byte `offset`, else the boundary of the grapheme.
  private static func end(in text: String, near offset: Int, after match: String.Index) -> String.Index {
    guard offset < text.utf8.count else { return text.endIndex }
    let end = grapheme(in: text, at: offset)
    // A match may end inside the grapheme; it is shown completely.
    guard end >= match else { return text.index(after: end) }
    return text[match..<end].suffix(nearness).lastIndex(where: \.isWhitespace) ?? end
  }

  /// The beginning of the grapheme that contains the byte `offset`.
  private static func grapheme(in text: String, at offset: Int) -> String.Index {
    // `index(after:)` moves to the end of the grapheme that contains an index.
    text.index(before: text.index(after: text.utf8.index(text.startIndex, offsetBy: offset)))
  }
}
