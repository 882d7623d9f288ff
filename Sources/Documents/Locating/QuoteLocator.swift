import PDF
import SearchEngine
import Store

/// Searches a passage on candidate pages.
struct QuoteLocator {
  let quote: NormalizedText
  let snapshot: Snapshot

  struct Place {
    var document: DocumentRecord
    /// Each page that the passage touches, with its part of the page's scalars.
    var parts: [(page: Int, range: Range<Int>)]
    var text: String
    /// 1 − edits / length.
    var score: Double
    var isExact: Bool

    fileprivate var key: String { "\(document.id)/\(parts.first?.page ?? 0)/\(parts.first?.range.lowerBound ?? 0)" }
  }

  /// Pages that are searched for a passage of a sentence or two; longer passages cost more per page.
  private static let mostPages = 24
  private static let effort = 40_000
  /// The tolerated number of edits, relative to the passage's length.
  private static let tolerance = 0.15

  /// The best places, best first.
  func places(limit: Int) throws -> [Place] {
    var places = try indexed()
    for place in try unlocked() { places[place.key] = place }
    let sorted = places.values.sorted { left, right in
      if left.isExact != right.isExact { return left.isExact }
      if left.score != right.score { return left.score > right.score }
      return left.key < right.key
    }
    return Array(sorted.prefix(limit))
  }

  /// The places on the pages that the index selects.
  private func indexed() throws -> [String: Place] {
    let most = max(4, min(Self.mostPages, Self.effort / max(1, quote.scalars.count)))
    var pages = try QuotePages(of: quote, in: snapshot)
    var (places, looked) = ([String: Place](), Set<Int64>())
    func look(at rows: [Int64]) throws {
      var count = 0
      for row in rows where count < most && looked.insert(row).inserted {
        guard let (document, page) = try page(of: row) else { continue }
        count += 1
        for place in try self.look(at: page, of: document) where place.score > places[place.key]?.score ?? 0 {
          places[place.key] = place
        }
      }
    }
    if let rows = pages.namedByWords(most) {
      try look(at: rows)
      if pages.isDecided || places.values.contains(where: \.isExact) { return places }
    }
    try pages.addPhrases()
    // Pages that were searched already, and titles, are among them.
    try look(at: pages.ranked(3 * most))
    return places
  }

  /// Nil for a title, which is part 0.
  private func page(of row: Int64) throws -> (document: DocumentRecord, page: Int)? {
    guard let entry = try SearchIndex.entry(of: row, in: snapshot.db), entry.part > 0,
      let document = try snapshot.find(DocumentRecord.self, id: entry.item)
    else { return nil }
    return (document, entry.part - 1)
  }

  private func look(at page: Int, of document: DocumentRecord) throws -> [Place] {
    guard let text = try PageTextCoding.string(page, of: document.hash, in: snapshot.db) else { return [] }
    let exact = exactPlaces(in: NormalizedText(text)).map { place($0, on: [(page, text)], of: document, edits: 0) }
    if !exact.isEmpty { return exact }
    // It may go over the page's edges.
    var pages = [(page, text)]
    if page > 0, let before = try PageTextCoding.string(page - 1, of: document.hash, in: snapshot.db) {
      pages.insert((page - 1, before), at: 0)
    }
    if let after = try PageTextCoding.string(page + 1, of: document.hash, in: snapshot.db) {
      pages.append((page + 1, after))
    }
    let whole = NormalizedText(pages.map(\.1).joined(separator: "\n"))
    let length = quote.scalars.count
    let limit = length < 16 ? length / 7 : max(2, Int(Double(length) * Self.tolerance))
    guard let best = ApproximateMatch.best(quote.scalars[...], in: whole.scalars[...], limit: limit) else { return [] }
    return [place(whole.sourceRange(best.range), on: pages, of: document, edits: best.distance)]
  }

  private func exactPlaces(in text: NormalizedText) -> [Range<Int>] {
    ApproximateMatch.exact(quote.scalars, in: text.scalars, most: 4)
      .map { text.sourceRange($0..<$0 + quote.scalars.count) }
  }

  /// A range of the pages' texts, joined by line ends, as a part of each page.
  private func place(
    _ range: Range<Int>, on pages: [(page: Int, text: String)], of document: DocumentRecord, edits: Int
  ) -> Place {
    var parts: [(page: Int, range: Range<Int>)] = []
    var text = String.UnicodeScalarView()
    var start = 0
    for (page, pageText) in pages {
      let scalars = Array(pageText.unicodeScalars)
      let part = range.clamped(to: start..<start + scalars.count)
      if !part.isEmpty {
        let local = part.lowerBound - start..<part.upperBound - start
        parts.append((page, local))
        if !text.isEmpty { text.append("\n") }
        text.append(contentsOf: scalars[local])
      }
      start += scalars.count + 1
    }
    return Place(
      document: document, parts: parts, text: String(text),
      score: 1 - Double(edits) / Double(max(1, quote.scalars.count)), isExact: edits == 0)
  }

  /// Unlocked protected documents are in no index: their pages are searched directly, for the exact passage.
  private func unlocked() throws -> [Place] {
    guard let memory = snapshot.services.memory.known(DocumentMemory.self) else { return [] }
    var places: [Place] = []
    for hash in memory.hashesWithText {
      let documents = try DocumentRecord.all(with: hash, in: snapshot).filter { !$0.keepsText }
      if documents.isEmpty { continue }
      for text in memory.pages(of: hash) {
        for range in exactPlaces(in: NormalizedText(text.text)) {
          places += documents.map { place(range, on: [(text.page, text.text)], of: $0, edits: 0) }
        }
      }
    }
    return places
  }
}
