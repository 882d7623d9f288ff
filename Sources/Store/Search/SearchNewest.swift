import GRDB

extension SearchIndex {
  /// How many of the newest texts are looked through for what the index would merge too long for.
  package static let lookedThrough = 500

  /// The best of what is known and of what the newest texts have.
  static func ranking(
    of wide: WideQuery, collections: [String]?, where condition: SearchCondition?, now: Int64, in db: Database
  ) throws -> SearchRanking {
    // It has no wide beginnings left.
    let known = try wide.known.map { try ranking(of: $0, collections: collections, where: condition, now: now, in: db) }
    var hits = known?.hits ?? []
    let stand = SearchRanking.Stand(query: wide.known)
    // Whole words come before parts of others: where there are so many, nobody sees these.
    if let known, known.found == nil { return SearchRanking(hits: hits, found: nil, stand: stand) }
    var rows = Set(hits.map(\.row))
    var isWhole = known.map { $0.found ?? .max <= keptHits } ?? true
    for look in wide.looks {
      let (found, isAll) = try look.hits(collections: collections, where: condition, now: now, in: db)
      hits += found.filter { rows.insert($0.row).inserted }
      isWhole = isWhole && isAll
    }
    // A part of the question that no look is for may have others.
    isWhole = isWhole && wide.isComplete && hits.count <= keptHits
    return SearchRanking(hits: best(hits), found: isWhole ? hits.count : nil, stand: isWhole ? nil : stand)
  }
}

extension WideQuery.Look {
  /// What the newest texts have, and whether these are all that there are.
  fileprivate func hits(
    collections: [String]?, where filter: SearchCondition?, now: Int64, in db: Database
  ) throws -> (hits: [SearchHit], isAll: Bool) {
    var values: [SQLValue] = []
    let texts: String
    if let query = words ?? collections.map({ MatchQuery(.within($0)) }) {
      guard let expression = MatchExpression(query, collections: words == nil ? nil : collections) else {
        return ([], true)
      }
      values = [.text(expression.strengths), .text(expression.match)]
      texts = """
        SELECT rowid AS id, \(SearchIndex.score) AS score FROM search_text
        WHERE search_text MATCH ?\(SearchCondition.clause(filter))
        """
    } else {
      texts = "SELECT rowid AS id, 0.0 AS score FROM search_entry AS entry WHERE \(filter?.sql ?? "1")"
    }
    values += (filter?.values ?? []) + [.integer(SearchIndex.lookedThrough)]
    let newest = "SELECT id, score, count(*) OVER () AS seen FROM (\(texts) ORDER BY rowid DESC LIMIT ?)"
    var hits: [SearchHit] = []
    var seen = 0
    try db.each(
      """
      SELECT collection, item, part, at, id, score, lists, seen FROM (\(newest))
      CROSS JOIN search_entry AS entry ON entry.rowid = id WHERE \(condition.sql) LIMIT ?
      """, values + condition.values + [.integer(SearchIndex.keptHits + 1)]
    ) { row in
      hits.append(SearchHit(row, now: now))
      seen = row.int(7)
    }
    if hits.isEmpty { seen = try db.first("SELECT count(*) FROM (\(newest))", values) { $0.int(0) } ?? 0 }
    return (hits, hits.count <= SearchIndex.keptHits && seen < SearchIndex.lookedThrough)
  }
}
