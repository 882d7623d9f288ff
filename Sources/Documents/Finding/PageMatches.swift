import Kit
import PDF
import SearchEngine
import Store

/// Where the words of a library-wide query are on a page.
///
/// The index has the page without the line ends within words of scripts that wrap anywhere, so that form is searched;
/// the matches are mapped back to the page.
///
/// On bytes throughout: only the places of the words are decoded.
struct PageMatches {
  /// The page as the index has it, and the places of the words in that form.
  let text: MatchedText
  /// In Unicode scalars of the page's text, ascending.
  let ranges: [Range<Int>]
  /// One for each line that each of them touches; none if the places of the characters are unknown.
  let quads: [[Double]]

  /// The first places of a page show why it was found; a common word has hundreds.
  private static let most = 32

  init(of query: QueryWords, on page: PageBytes) {
    var text = String(decoding: page.text, as: UTF8.self)
    let (wrapped, joined) = text.withUTF8 { bytes in
      let wrapped = WrappedLetters.lineEnds(in: bytes)
      return (wrapped, wrapped.isEmpty ? nil : WrappedLetters.text(bytes, without: wrapped))
    }
    let found = MatchedText(joined ?? text, with: query)
    self = text.withUTF8 { bytes in
      // The same, without invalid UTF-8.
      var page = page
      page.text = bytes
      return Self(found, on: page, without: wrapped)
    }
  }

  /// - Parameters:
  ///   - found: the text without some line ends.
  ///   - wrapped: the places of those line ends.
  private init(_ found: MatchedText, on page: PageBytes, without wrapped: [Int]) {
    text = found
    var leftOut = 0
    /// The place after a border, beyond line ends that were left out there.
    func place(_ border: Int) -> Int {
      while leftOut < wrapped.count, wrapped[leftOut] - leftOut <= border { leftOut += 1 }
      return border + leftOut
    }
    let places = found.ranges.prefix(Self.most).map { range in
      let start = place(range.lowerBound)
      var end = place(range.upperBound)
      // The end of a range is after its last character, before a line end that was left out.
      if end < page.text.count {
        while end > 0, page.text[end - 1] == UInt8(ascii: "\n") { end -= 1 }
      }
      return start..<max(start, end)
    }
    var (count, counted) = (0, 0)
    func scalars(before byte: Int) -> Int {
      count += page.scalars(in: counted..<byte)
      counted = byte
      return count
    }
    let ranges = places.map { range in
      let start = scalars(before: range.lowerBound)
      return start..<scalars(before: range.upperBound)
    }
    self.ranges = ranges
    quads =
      ranges.isEmpty || !page.hasPlaces
      ? [] : zip(places, ranges).flatMap { page.quads(of: $0, first: $1.lowerBound) }
  }
}
