import PDF
import Store
import Wire

/// All marks of a document.
struct DocumentMarks: Sendable {
  var highlights: [HighlightRecord]
  var bookmarks: [BookmarkRecord]
  var memos: [MemoRecord]

  init(of document: String, in snapshot: Snapshot) throws {
    highlights = try HighlightRecord.all(of: document, in: snapshot)
    bookmarks = try BookmarkRecord.all(of: document, in: snapshot)
    memos = try MemoRecord.all(of: document, in: snapshot)
  }

  var isEmpty: Bool { highlights.isEmpty && bookmarks.isEmpty && memos.isEmpty }
}

/// Looks up the marks of one file in another.
///
/// That takes long for many marks, so it is done before the write, off the writer's thread. Marks that were added or
/// changed meanwhile are looked up by the write itself.
struct Reanchoring: Sendable {
  /// The file into which the marks go.
  let text: FileText
  /// The file from which the marks come.
  private let old: FileText
  private let oldText: AnchorText
  private let quotes: QuoteSearch
  private let pages: PageSearch
  private var quotePlacements: [String: QuotePlacement] = [:]
  private var pagePlacements: [String: PagePlacement] = [:]

  init(from old: FileText, to text: FileText, checkCancelled: () throws -> Void) throws {
    self.text = text
    self.old = old
    oldText = try old.anchorText(checkCancelled: checkCancelled)
    let newText = try text.anchorText(checkCancelled: checkCancelled)
    // Without the old text no page can be mapped.
    quotes = QuoteSearch(in: newText, from: old.pages.contains { $0 != nil } ? oldText : nil)
    pages = PageSearch(text: newText, succession: quotes.succession)
  }

  /// Looks up these marks in advance.
  mutating func judge(_ marks: DocumentMarks, checkCancelled: () throws -> Void) throws {
    for highlight in marks.highlights {
      try checkCancelled()
      if highlight.isDrawing, highlight.shape?.text == nil {
        pagePlacements[Self.key(highlight)] = try pages.placement(of: anchor(of: highlight) as PageAnchor)
      } else {
        quotePlacements[Self.key(highlight)] = try quotes.placement(of: anchor(of: highlight))
      }
    }
    for bookmark in marks.bookmarks {
      try checkCancelled()
      pagePlacements[Self.key(bookmark)] = try pages.placement(of: anchor(of: bookmark))
    }
    for memo in marks.memos {
      try checkCancelled()
      pagePlacements[Self.key(memo)] = try pages.placement(of: anchor(of: memo))
    }
  }

  func placement(of highlight: HighlightRecord) throws -> QuotePlacement {
    try quotePlacements[Self.key(highlight)] ?? quotes.placement(of: anchor(of: highlight))
  }

  func pagePlacement(of mark: some Mark) throws -> PagePlacement {
    try pagePlacements[Self.key(mark)] ?? pages.placement(of: anchor(of: mark))
  }

  /// The key of a mark as it was when its place was looked up.
  private static func key(_ mark: some Mark) -> String { "\(mark.id)/\(mark.revision)" }

  private func oldPage(_ mark: some Mark) -> PageText? {
    !mark.isOrphan && old.pages.indices.contains(mark.page) ? old.pages[mark.page] : nil
  }

  private func anchor(of highlight: HighlightRecord) throws -> QuoteAnchor {
    let anchor = try highlight.anchor.value()
    var sample = QuoteAnchor(
      quote: anchor.quote, prefix: anchor.prefix, suffix: anchor.suffix, page: highlight.page, offset: anchor.offset,
      runs: [], hasPlace: !highlight.isOrphan)
    // Text that may not be stored on disk is not in the anchor either.
    if anchor.quote.isEmpty, let text = oldPage(highlight) {
      let scalars = Array(text.text.unicodeScalars)
      func part(_ range: Range<Int>) -> String {
        String(String.UnicodeScalarView(scalars[range.clamped(to: scalars.indices)]))
      }
      let end = anchor.offset + anchor.length
      sample.quote = part(anchor.offset..<end)
      sample.prefix = part(max(0, anchor.offset - Anchor.context)..<anchor.offset)
      sample.suffix = part(end..<end + Anchor.context)
    }
    if highlight.shape != nil {
      sample.runs = [0..<sample.quote.unicodeScalars.count]
      return sample
    }
    sample.runs = Self.runs(of: highlight.lines, from: anchor.offset, in: Array(sample.quote.unicodeScalars))
    return sample
  }

  /// Consecutive lines are searched as one run: in other bytes the line breaks may differ.
  static func runs(
    of lines: [HighlightRecord.Line], from offset: Int, in quote: [Unicode.Scalar]
  ) -> [Range<Int>] {
    lines.reduce(into: []) { runs, line in
      let start = max(0, line.offset - offset)
      let range = (start..<start + line.length).clamped(to: quote.indices)
      if let last = runs.last, last.upperBound <= range.lowerBound,
        quote[last.upperBound..<range.lowerBound].allSatisfy(\.properties.isWhitespace)
      {
        runs[runs.count - 1] = last.lowerBound..<range.upperBound
      } else {
        runs.append(range)
      }
    }
  }

  private func anchor(of mark: some Mark) throws -> PageAnchor {
    let anchor = try mark.anchor.value()
    var sample = PageAnchor(
      page: mark.page, hash: anchor.pageHash, beginning: anchor.quote, label: anchor.pageLabel,
      hasPlace: !mark.isOrphan)
    // The mark was made before the text of its page was extracted, or its text may not be stored on disk.
    if anchor.quote.isEmpty, let text = oldPage(mark) {
      sample.hash = oldText.pages[mark.page].hash
      sample.beginning = Anchor.beginning(of: text.text)
    }
    return sample
  }
}
