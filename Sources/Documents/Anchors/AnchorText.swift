import Store
import Wire

/// The text of a document in which anchors are searched: every page normalised (`NormalizedText`), concatenated, with
/// a line end between two pages. Normalised text has no line ends, so no match spans two pages.
struct AnchorText: Sendable {
  struct Page: Sendable {
    /// The range of its text in `scalars`.
    let range: Range<Int>
    let text: NormalizedText
    /// SHA-256 of its folded text, as in a page's anchor; nil if it has no text.
    let hash: String?
    let label: String?
  }

  static let pageEnd: UInt32 = 0x0A

  let scalars: [UInt32]
  let pages: [Page]

  /// - Parameter texts: of every page; nil if it is not available.
  init(_ texts: [String?], labels: [String?] = [], checkCancelled: () throws -> Void) rethrows {
    var scalars: [UInt32] = []
    var pages: [Page] = []
    for (number, text) in texts.enumerated() {
      if number.isMultiple(of: 64) { try checkCancelled() }
      let normalized = NormalizedText(text ?? "")
      if number > 0 { scalars.append(Self.pageEnd) }
      let start = scalars.count
      scalars += normalized.scalars
      pages.append(
        Page(
          range: start..<scalars.count, text: normalized, hash: text.flatMap(Self.hash),
          label: number < labels.count ? labels[number] : nil))
    }
    self.scalars = scalars
    self.pages = pages
  }

  init(_ texts: [String?], labels: [String?] = []) {
    self.init(texts, labels: labels, checkCancelled: {})
  }

  private static func hash(of text: String) -> String? {
    text.isBlank ? nil : Anchor.pageHash(of: text)
  }

  /// The page that contains a place of `scalars`.
  func page(at place: Int) -> Int {
    var low = 0
    var high = pages.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if pages[middle].range.lowerBound <= place { low = middle } else { high = middle }
    }
    return low
  }

  /// A range of `scalars`, within one page, as scalars of that page's own text.
  func source(_ range: Range<Int>, page: Int) -> Range<Int> {
    let start = pages[page].range.lowerBound
    return pages[page].text.sourceRange(range.lowerBound - start..<range.upperBound - start)
  }

  /// The text before and after a range, across page borders.
  func before(_ range: Range<Int>, count: Int) -> ArraySlice<UInt32> {
    scalars[max(0, range.lowerBound - count)..<range.lowerBound]
  }

  func after(_ range: Range<Int>, count: Int) -> ArraySlice<UInt32> {
    scalars[range.upperBound..<min(scalars.count, range.upperBound + count)]
  }
}
