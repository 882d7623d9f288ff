import SQLite

extension SearchIndex {
  /// The number of newest texts that are scanned for prefixes that the index would merge too slowly.
  package static let lookedThrough = 500

  /// The best hits of the indexed part of the query and of the scan of the newest texts.
  static func ranking(
    of wide: FrequentPrefixQuery, collections: [String]?, where filter: inout FilterRows?, now: Int64, in db: Database
  ) throws -> SearchRanking {
    var known: SearchRanking?
    // It contains no frequent prefixes any more.
    if let query = wide.known {
      known = try ranking(of: query, collections: collections, where: &filter, now: now, in: db)
    }
    var hits = known?.hits ?? []
    let substitute = SearchRanking.Substitute(query: wide.known)
    // Whole words rank above prefixes: if there are so many of them, prefix matches would not be shown.
    if let known, known.found == nil { return SearchRanking(hits: hits, found: nil, substitute: substitute) }
    var rows = Set(hits.map(\.row))
    var isWhole = known.map { $0.found ?? .max <= mostHits } ?? true
    for scan in wide.scans {
      let (found, isAll) = try scan.hits(collections: collections, where: &filter, now: now, in: db)
      hits += found.filter { rows.insert($0.row).inserted }
      isWhole = isWhole && isAll
    }
    // A part of the query without a scan may have further matches.
    isWhole = isWhole && wide.isComplete && hits.count <= mostHits
    return SearchRanking(hits: best(hits), found: isWhole ? hits.count : nil, substitute: isWhole ? nil : substitute)
  }
}

extension FrequentPrefixQuery.TextScan {
  /// The number of texts after which it may remain unknown whether there are others to scan.
  private static let enough = 100

  /// The matches in the newest texts, and whether these are all.
  fileprivate func hits(
    collections: [String]?, where filter: inout FilterRows?, now: Int64, in db: Database
  ) throws -> (hits: [RankedText], isAll: Bool) {
    var expression: MatchExpression?
    if let query = words ?? collections.map({ MatchQuery(.within($0)) }) {
      expression = MatchExpression(query, collections: words == nil ? nil : collections)
      if expression == nil { return ([], true) }
    }
    let (condition, asked) = (filter?.condition, expression)
    let gathered = try SearchIndex.gather(
      matching: asked?.match, where: &filter, most: SearchIndex.lookedThrough, enough: Self.enough, in: db
    ) { piece, most in
      try scan(among: Self.texts(asked, piece, where: condition, most: most), now: now, in: db)
    }
    return (gathered.parts.flatMap(\.self), gathered.isAll)
  }

  private typealias Statement = (sql: String, values: [SQLValue])

  /// The rows and scores of the texts to scan.
  private static func texts(
    _ expression: MatchExpression?, _ piece: RowPiece, where filter: SearchCondition?, most: Int
  ) -> Statement {
    let (texts, values): Statement =
      if let expression {
        (
          """
          SELECT search_text.rowid AS id, \(SearchIndex.score) AS score FROM search_text
          WHERE search_text MATCH ?\(piece.clause)\(SearchCondition.clause(filter))
          """, [.text(expression.strengths), .text(expression.match)] + piece.values
        )
      } else {
        (
          "SELECT rowid AS id, 0.0 AS score FROM search_entry AS entry WHERE 1\(piece.entryClause) AND (\(filter?.sql ?? "1"))",
          piece.entryValues
        )
      }
    return (
      "SELECT id, score, count(*) OVER () AS seen FROM (\(texts) ORDER BY id DESC LIMIT ?)",
      values + (filter?.values ?? []) + [.integer(most)]
    )
  }

  /// The matches among some texts, and the number of texts scanned.
  private func scan(
    among newest: Statement, now: Int64, in db: Database
  ) throws -> (part: [RankedText], found: Int) {
    var hits: [RankedText] = []
    var seen = 0
    try db.each(
      """
      SELECT \(RankedText.columns), score, seen FROM (\(newest.sql))
      CROSS JOIN search_entry AS entry ON entry.rowid = id CROSS JOIN search_body AS texts ON texts.rowid = id
      WHERE \(condition.sql) LIMIT ?
      """, newest.values + condition.values + [.integer(SearchIndex.mostHits + 1)]
    ) { row in
      hits.append(RankedText(row, score: row.real(7), now: now))
      seen = row.int(8)
    }
    if hits.isEmpty { seen = try db.first("SELECT count(*) FROM (\(newest.sql))", newest.values) { $0.int(0) } ?? 0 }
    return (hits, seen)
  }
}
