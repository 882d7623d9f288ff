import CTokenizer
import SQLite
import Wire

/// The ranked hits of a query.
package struct SearchRanking: Sendable {
  /// Best first, at most `SearchIndex.mostHits`.
  package var hits: [RankedText]
  /// The number of matches; nil if they are too many to be scanned completely.
  package var found: Int?
  /// The same by collection; empty if not all were scanned.
  package var counts: [CollectionNumber: Int] = [:]
  /// The bounded substitute of a query that would take too long.
  package var substitute: Substitute?
  /// The filter of the query, with its cached rows.
  package var filter: FilterRows?

  package init(hits: [RankedText], found: Int?, substitute: Substitute? = nil, filter: FilterRows? = nil) {
    (self.hits, self.found, self.substitute, self.filter) = (hits, found, substitute, filter)
  }

  /// With a frequent prefix only some of the matching texts are included: see `FrequentPrefixQuery`.
  package struct Substitute: Sendable {
    /// A query that matches only a subset, and can be counted quickly; nil if there is none.
    package var query: MatchQuery?
  }
}

extension SearchIndex {
  /// The most texts that are ranked: the newest that match.
  package static let rankedCandidates = 2000
  /// The most additional texts that are ranked if there are more matches: the newest with a match in the title.
  package static let rankedTitles = 500
  /// The number of hits through which a query can be paged.
  package static let mostHits = 400
  /// The same for title suggestions while typing: each hit is read at a random position, which in a large library costs
  /// one disk page each, for every key press.
  package static let mostTitles = 60

  /// The best hits, best first, in an order that does not depend on `limit`.
  ///
  /// - Parameters:
  ///   - collections: the collections to search; nil means all.
  ///   - limit: at most `mostHits`.
  ///   - now: the time from which the age of a text is counted, UTC milliseconds. Pages of one list must use the same.
  /// - Throws: `DatabaseError`.
  package static func candidates(
    matching query: MatchQuery, collections: [String]? = nil, limit: Int, now: Int64, in db: Database
  ) throws -> [SearchHit] {
    try ranking(of: query, collections: collections, now: now, in: db).hits.prefix(limit)
      .compactMap { try hit(of: $0, in: db) }
  }

  /// The best hits, and whether there are others.
  ///
  /// For a common word in a million texts only the newest candidates are ranked, then a second query of titles finds
  /// older texts about the word. Queries with fewer matches are ranked completely.
  ///
  /// - Parameter condition: a filter, see `gather`.
  /// - Throws: `DatabaseError`.
  package static func ranking(
    of query: MatchQuery, collections: [String]? = nil, where condition: SearchCondition? = nil, now: Int64,
    in db: Database
  ) throws -> SearchRanking {
    var filter = condition.map { FilterRows($0) }
    var ranking = try ranking(of: query, collections: collections, where: &filter, now: now, in: db)
    ranking.filter = filter
    return ranking
  }

  static func ranking(
    of query: MatchQuery, collections: [String]?, where filter: inout FilterRows?, now: Int64, in db: Database
  ) throws -> SearchRanking {
    if let wide = try FrequentPrefixQuery(query, frequencies: PrefixFrequencies(db: db)) {
      return try ranking(of: wide, collections: collections, where: &filter, now: now, in: db)
    }
    if case .or(let nodes)? = query.root, nodes.count <= mostAlternatives {
      return try ranking(ofAny: nodes, of: query, collections: collections, where: &filter, now: now, in: db)
    }
    guard
      let looked = try lookTwice(
        for: query, in: collections, where: &filter, among: rankedCandidates, keeping: mostHits, enough: mostHits,
        now: now, in: db)
    else { return SearchRanking(hits: [], found: 0) }
    if looked.isAll { return try ranking(of: looked.hits, asked: query, counts: (looked.counts, looked.found), in: db) }
    var hits = looked.hits
    if filter == nil, let all = MatchExpression(query, collections: collections), all.open == nil {
      hits = try withOthers(hits, for: all, now: now, in: db)
    }
    return try ranking(of: hits, asked: query, counts: nil, in: db)
  }

  /// - Parameter counts: the number of matches, by collection and in all; nil if not all were scanned.
  static func ranking(
    of hits: [RankedText], asked query: MatchQuery, counts: (each: [CollectionNumber: Int], all: Int)?, in db: Database
  ) throws -> SearchRanking {
    var ranking = SearchRanking(hits: best(hits), found: counts?.all)
    ranking.counts = counts?.each ?? [:]
    if let forms = LiteralForms(query, found: ranking.found) { ranking.hits = try forms.ranked(ranking.hits, in: db) }
    return ranking
  }

  static func best(_ hits: [RankedText], most: Int = mostHits) -> [RankedText] {
    var sorted = hits.sorted { left, right in
      if left.rank != right.rank { return left.rank > right.rank }
      return (right.at, right.row) < (left.at, left.row)
    }
    reorderPages(&sorted)
    return Array(sorted.prefix(most))
  }

  /// Reverses each run of equal hits in one document, which are in descending order of their rows: its pages were
  /// written in their order, and the first page precedes.
  private static func reorderPages(_ hits: inout [RankedText]) {
    var start = 0
    while start < hits.count {
      let first = hits[start]
      var end = start + 1
      while end < hits.count, first.isPage, hits[end].isPage, hits[end].mark == first.mark,
        hits[end].rank == first.rank, hits[end].at == first.at
      {
        end += 1
      }
      if end - start > 1 { hits[start..<end].reverse() }
      start = end
    }
  }

  /// The best of the newest texts with all terms in their titles, for suggestions while typing.
  ///
  /// - Parameter limit: at most `mostTitles`.
  /// - Throws: `DatabaseError`.
  package static func titles(
    matching query: MatchQuery, collections: [String]? = nil, limit: Int, now: Int64, in db: Database
  ) throws -> [RankedText] {
    guard let titles = MatchExpression(query, collections: collections, titlesOnly: true) else { return [] }
    var filter: FilterRows?
    let hits = try look(
      for: titles, in: collections, where: &filter, among: rankedTitles, keeping: mostTitles, enough: 0, now: now,
      in: db
    ).hits
    return best(hits, most: limit)
  }

  /// The number of matching texts. It reads every posting, or up to `most` of them.
  ///
  /// - Throws: `DatabaseError`.
  package static func count(
    matching query: MatchQuery, collections: [String]? = nil, where condition: SearchCondition? = nil,
    most: Int? = nil, in db: Database
  ) throws -> Int {
    var filter = condition.map { FilterRows($0) }
    return try count(matching: query, collections: collections, where: &filter, most: most, in: db).count
  }

  /// The number of matching texts, and whether these are all. It reads every posting, or up to `most` of them; with
  /// `most` it may be too low if a filter passes very many texts of which few match the words.
  ///
  /// - Throws: `DatabaseError`.
  package static func count(
    matching query: MatchQuery, collections: [String]? = nil, where filter: inout FilterRows?, most: Int?,
    in db: Database
  ) throws -> (count: Int, isAll: Bool) {
    // An index query without results is as expensive as one with results is to start.
    if let collections, try !holds(anyOf: collections, in: db) { return (0, true) }
    guard let all = MatchExpression(query, collections: collections, isRanked: false) else { return (0, true) }
    let condition = filter?.condition
    let counted = try gather(
      matching: all.match, within: collections, isOpen: all.open != nil, where: &filter, most: most ?? .max,
      enough: most == nil ? .max : 0, in: db
    ) { piece, limit in
      let texts = all.texts(in: piece, where: condition)
      let count =
        most == nil
        ? try db.first("SELECT count(*) FROM \(texts.texts) \(texts.filter)", texts.values) { $0.int(0) }
        : try db.first(
          "SELECT count(*) FROM (SELECT 1 FROM \(texts.texts) \(texts.filter) LIMIT ?)",
          texts.values + [.integer(limit)]
        ) {
          $0.int(0)
        }
      return ((), count ?? 0)
    }
    return (counted.found, counted.isAll)
  }

  private static let holdsAny = CachedStatement("SELECT EXISTS (SELECT 1 FROM search_entry WHERE collection = ?)")

  private static func holds(anyOf collections: [String], in db: Database) throws -> Bool {
    try collections.contains { name in try db.first(holdsAny, { $0.add(name) }, { $0.bool(0) }) ?? false }
  }

  /// The newest matches, and if there are more than `candidates`, also older texts with all terms in their titles. Nil
  /// for an empty query.
  static func lookTwice(
    for query: MatchQuery, in collections: [String]?, where filter: inout FilterRows?, among candidates: Int,
    keeping limit: Int, enough: Int, now: Int64, in db: Database
  ) throws -> (hits: [RankedText], newest: Int, counts: [CollectionNumber: Int], found: Int, isAll: Bool)? {
    guard let all = MatchExpression(query, collections: collections) else { return nil }
    let (newest, counts, found, isAll) = try look(
      for: all, in: collections, where: &filter, among: candidates, keeping: limit, enough: enough, now: now, in: db)
    var hits = newest
    // Without words all titles match equally.
    if !isAll, all.open == nil, let titles = MatchExpression(query, collections: collections, titlesOnly: true) {
      let known = Set(newest.map(\.row))
      hits += try look(
        for: titles, in: collections, where: &filter, among: rankedTitles, enough: 0, except: known, now: now, in: db
      ).hits
    }
    return (hits, newest.count, counts, found, isAll)
  }

  /// - Parameter known: rows that are not returned again.
  private static func look(
    for expression: MatchExpression, in collections: [String]?, where filter: inout FilterRows?, among candidates: Int,
    keeping limit: Int = mostHits, enough: Int, except known: Set<Int64> = [], now: Int64, in db: Database
  ) throws -> (hits: [RankedText], counts: [CollectionNumber: Int], found: Int, isAll: Bool) {
    let condition = filter?.condition
    let result = try gather(
      matching: expression.match, within: collections, isOpen: expression.open != nil, where: &filter,
      most: candidates, enough: enough, in: db
    ) { piece, most in
      let texts = try newest(expression.texts(in: piece, where: condition), most: most, now: now, in: db)
      let best = Self.few(texts, most: limit).filter { !known.contains($0.row) }
      return (ScannedTexts(texts: best, counts: byCollection(texts)), texts.count)
    }
    let counts = result.parts.reduce(into: [CollectionNumber: Int]()) { $0.merge($1.counts, uniquingKeysWith: +) }
    return (result.parts.flatMap(\.texts), counts, result.found, result.isAll)
  }

  private struct ScannedTexts {
    var texts: [RankedText]
    /// All matches, by collection.
    var counts: [CollectionNumber: Int]
  }

  package static func byCollection(_ texts: [RankedText]) -> [CollectionNumber: Int] {
    var counts: [CollectionNumber: Int] = [:]
    // Texts that were imported together are adjacent.
    var (first, count) = (texts.first?.collection, 0)
    for text in texts {
      if text.collection != first {
        if let first { counts[first, default: 0] += count }
        (first, count) = (text.collection, 0)
      }
      count += 1
    }
    if let first { counts[first, default: 0] += count }
    return counts
  }

  /// The best `most` texts, newer ones first among equal ranks, in their original order, newest first.
  static func few(_ texts: [RankedText], most: Int) -> [RankedText] {
    if texts.count <= most { return texts }
    if most >= 2 * pagesOfLong, let page = pageOfLong(in: texts) {
      return few(fewPages(of: page, among: texts), most: most)
    }
    let least = texts.map(\.rank).sorted(by: >)[most - 1]
    var equals = most - texts.count { $0.rank > least }
    return texts.filter { text in
      if text.rank == least { equals -= 1 }
      return text.rank > least || text.rank == least && equals >= 0
    }
  }

  /// Weights of title, body, tags and collection. The collection is only a filter and does not affect the rank.
  static let score = "cp_rank(search_text, ?, 8, 1, 4, 0)"

  private static let entry = CachedStatement("SELECT \(RankedText.columns) FROM search_entry AS entry WHERE rowid = ?")

  /// Does not sort by rank in SQL: SQLite would first write all rows into a temporary table.
  static func newest(
    _ matched: MatchedTexts, most: Int, now: Int64, in db: Database
  ) throws -> [RankedText] {
    var texts: [RankedText?] = []
    var unknown: [(place: Int, row: Int64, score: Double)] = []
    try db.each(
      """
      SELECT \(matched.row), \(matched.score), cp_figures(\(matched.row)) FROM \(matched.texts) \(matched.filter)
      ORDER BY \(matched.row) DESC LIMIT ?
      """, matched.scoreValues + matched.values + [.integer(most)]
    ) { row in
      let text = RankedText(row, now: now)
      if text == nil { unknown.append((texts.count, row.integer(0), row.real(1))) }
      texts.append(text)
    }
    // A text whose entry is lost is skipped.
    try db.each(entry, of: unknown.lazy.map(\.row)) { number, row in
      texts[unknown[number].place] = RankedText(row, score: unknown[number].score, now: now)
    }
    return texts.compactMap(\.self)
  }
}
