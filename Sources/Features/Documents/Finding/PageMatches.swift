import PDF
import Store
import Wire

/// Where the words of a question over the whole library stand on a page.
///
/// The index has the page without the line ends within words of scripts that wrap anywhere, so that is what is looked
/// through; what is found there is brought back to the page.
struct PageMatches {
  /// In Unicode scalars of the page's text, ascending.
  private(set) var ranges: [Range<Int>] = []
  private let layout: PageLayout

  /// The first places of a page show why it was found; a common word has hundreds.
  private static let most = 32

  /// - Parameter marked: the page as the index has it, if the words in that are known.
  init(of query: MatchQuery, on page: PageText, as marked: FoundEntry.MatchedText? = nil) {
    layout = PageLayout(page)
    let joined = DocumentSearch.joiningWrappedLetters(page.text)
    let known = marked.flatMap { sameBytes($0.text, joined) ? $0.ranges : nil }
    let found = (known ?? TextRanges(of: query, in: joined).ranges).prefix(Self.most)
    guard !found.isEmpty else { return }
    var borders = found.flatMap { [$0.lowerBound, $0.upperBound] }[...]
    var places: [Int] = []
    // Both texts in step: a line end that the joined one has not is passed over.
    let bytes = Array(joined.utf8)
    var byte = 0
    for (place, scalar) in layout.scalars.enumerated() {
      let isLeftOut = scalar == "\n" && (byte >= bytes.count || bytes[byte] != UInt8(ascii: "\n"))
      if isLeftOut { continue }
      // The end of a range stands behind its last letter, before a line end that was left out.
      while let border = borders.first, border <= byte {
        places.append(places.count.isMultiple(of: 2) ? place : end(before: place))
        borders.removeFirst()
      }
      byte += UTF8.width(scalar)
    }
    while borders.popFirst() != nil { places.append(layout.scalars.count) }
    ranges = stride(from: 0, to: places.count, by: 2).map { places[$0]..<max(places[$0], places[$0 + 1]) }
  }

  /// Without the line ends that stand there.
  private func end(before place: Int) -> Int {
    var place = place
    while place > 0, layout.scalars[place - 1] == "\n" { place -= 1 }
    return place
  }

  /// One for each line that each of them touches.
  var quads: [[Double]] { ranges.flatMap(layout.quads) }
}
