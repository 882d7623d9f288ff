/// The part of a text that shows best why it was found.
package struct Snippet: Sendable {
  package let text: String
  /// Where the matches are, in UTF-8 bytes of `text`.
  package let ranges: [Range<Int>]
  /// Whether something of the original stands before or after.
  package let isCutBefore: Bool
  package let isCutAfter: Bool

  /// - Parameters:
  ///   - ranges: the matches in `text`, as `TextRanges` finds them; without any the text's beginning is
  ///     shown.
  ///   - size: about how many UTF-8 bytes to show. No grapheme is cut, nor a word if a blank is near.
  package init(of text: String, ranges: [Range<Int>], size: Int = 240) {
    let window = Self.window(ranges, of: text.utf8.count, size: size)
    let start = Self.border(in: text, at: window.lowerBound, isStart: true)
    // A match is shown whole, even one longer than the window.
    let end = Self.border(in: text, at: window.upperBound, isStart: false)
    self.text = String(text[start..<end])
    let offset = text.utf8.distance(from: text.startIndex, to: start)
    let limit = offset + self.text.utf8.count
    self.ranges = ranges.filter { $0.lowerBound >= offset && $0.upperBound <= limit }
      .map { $0.lowerBound - offset..<$0.upperBound - offset }
    isCutBefore = start > text.startIndex
    isCutAfter = end < text.endIndex
  }

  /// The window with the most matches, the first of equals; a third of what is left lies before them.
  private static func window(_ ranges: [Range<Int>], of length: Int, size: Int) -> Range<Int> {
    guard let first = ranges.first else { return 0..<min(size, length) }
    var best = (count: 0, range: first)
    var last = 0
    for (index, range) in ranges.enumerated() {
      last = max(last, index)
      while last + 1 < ranges.count, ranges[last + 1].upperBound - range.lowerBound <= size { last += 1 }
      if last - index + 1 > best.count {
        best = (last - index + 1, range.lowerBound..<ranges[last].upperBound)
      }
    }
    let spare = max(0, size - best.range.count)
    let start = max(0, min(best.range.lowerBound - spare / 3, length - size))
    return start..<min(length, max(best.range.upperBound, start + size))
  }

  /// The nearest border of a grapheme outside the byte `offset`, or better a blank a little inside.
  private static func border(in text: String, at offset: Int, isStart: Bool) -> String.Index {
    guard offset > 0 else { return text.startIndex }
    guard offset < text.utf8.count else { return text.endIndex }
    let index = text.utf8.index(text.startIndex, offsetBy: offset)
    // `index(after:)` goes on from the beginning of the grapheme that it is in.
    let after = text.index(after: index)
    let before = text.index(before: after)
    if isStart { return before }
    return before == index ? index : after
  }
}
