import SQLite

/// The newest texts with a word may all be pages of one long document that came last: then nothing else that has the word
/// would ever be seen. What is older than the document is looked for as well, and so on behind the next such document.
///
///     rows   … diary  post  page 1 ──────────────────────────── page 3000
///            │             └ first row                 └ the newest candidates
///            └──── looked at besides ────┘
extension SearchIndex {
  /// Of a document behind which is looked so many pages are kept, the best.
  package static let pagesOfLong = 100
  /// How many of the older texts are looked at behind one.
  private static let besides = 500
  /// Behind so many documents one after the other.
  private static let mostLong = 4

  /// - Parameter hits: of a question that has more than were looked at.
  /// - Returns: these, and what was found besides.
  static func withOthers(
    _ hits: [RankedText], for expression: MatchExpression, now: Int64, in db: Database
  ) throws -> [RankedText] {
    var (all, last) = (hits, hits)
    for _ in 0..<mostLong {
      guard let page = pageOfLong(in: last), let row = try firstRow(of: page, in: db) else { break }
      let border = last.lazy.filter { $0.isPage && $0.mark == page.mark }.map(\.row).reduce(row, min)
      let known = Set(all.map(\.row))
      last = try newest(expression.texts(in: .below(border), where: nil), most: besides, now: now, in: db)
      if last.isEmpty { break }
      all = fewPages(of: page, among: all) + last.filter { !known.contains($0.row) }
    }
    return all
  }

  /// One of the pages that are three of four hits, if they are of one document.
  static func pageOfLong(in hits: [RankedText]) -> RankedText? {
    // What is more than half of them is what is left when each is struck out with another one.
    var (page, votes): (RankedText?, Int) = (nil, 0)
    for hit in hits {
      if votes == 0 { page = hit }
      votes += hit.mark == page?.mark ? 1 : -1
    }
    guard let page, page.isPage, hits.count >= pagesOfLong,
      hits.count(where: { $0.isPage && $0.mark == page.mark }) * 4 > hits.count * 3
    else { return nil }
    return page
  }

  private static let first = KeptStatement(
    "SELECT rowid FROM search_entry WHERE collection = ? AND item = ? ORDER BY part LIMIT 1")

  private static func firstRow(of text: RankedText, in db: Database) throws -> Int64? {
    guard let hit = try hit(of: text, in: db) else { return nil }
    return try db.first(
      first,
      {
        $0.add(hit.collection)
        $0.add(hit.item)
      }, { $0.integer(0) })
  }

  /// The best pages of a long document, and all else, in the order in which they come.
  static func fewPages(of page: RankedText, among hits: [RankedText]) -> [RankedText] {
    let pages = hits.filter { $0.isPage && $0.mark == page.mark }
    let kept = Set(best(pages, most: pagesOfLong).map(\.row))
    return hits.filter { !($0.isPage && $0.mark == page.mark) || kept.contains($0.row) }
  }
}
