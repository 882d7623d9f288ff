import SQLite

/// The newest matching texts may all be pages of one long document that was imported last: then no other match would
/// ever be shown. So texts older than the document are searched as well, and so on before the next such document.
///
///     rows   … diary  post  page 1 ──────────────────────────── page 3000
///            │             └ first row                 └ the newest candidates
///            └──── also searched ─── ────┘
extension SearchIndex {
  /// The number of pages of such a document that are included, the best ones.
  package static let pagesOfLong = 100
  /// The number of older texts that are ranked for each document.
  private static let besides = 500
  /// The most consecutive documents that are skipped.
  private static let mostLong = 4

  /// - Parameter hits: the hits of a query with more matches than were ranked.
  /// - Returns: these hits, and the additional ones.
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

  /// A page of the document that has at least three quarters of the hits; nil if there is none.
  static func pageOfLong(in hits: [RankedText]) -> RankedText? {
    // Boyer–Moore majority vote: an element with more than half of the votes remains.
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

  private static let first = CachedStatement(
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

  /// The best pages of a long document, and all other hits, in their order.
  static func fewPages(of page: RankedText, among hits: [RankedText]) -> [RankedText] {
    let pages = hits.filter { $0.isPage && $0.mark == page.mark }
    let bestRows = Set(best(pages, most: pagesOfLong).map(\.row))
    return hits.filter { !($0.isPage && $0.mark == page.mark) || bestRows.contains($0.row) }
  }
}
