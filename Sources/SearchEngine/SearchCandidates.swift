import CTokenizer
import SQLite
import Wire

/// What a query finds, as far as it was ranked.
package struct SearchRanking: Sendable {
  /// Best first, at most `SearchIndex.keptHits`.
  package var hits: [RankedText]
  /// How many match; nil where they are so many that not all were looked at.
  package var found: Int?
  /// The same by collection; empty where not all were looked at.
  package var counts: [CollectionNumber: Int] = [:]
  /// What was asked in the question's place where that would take too long.
  package var stand: Stand?
  /// What had to hold beside the words, with what is known of where it does.
  package var filter: FilterRows?

  package init(hits: [RankedText], found: Int?, stand: Stand? = nil, filter: FilterRows? = nil) {
    (self.hits, self.found, self.stand, self.filter) = (hits, found, stand, filter)
  }

  /// Of a question with a beginning of very many words only some texts are found: see `WideQuery`.
  package struct Stand: Sendable {
    /// A question that finds nothing else and is quickly counted; nil where there is none.
    package var query: MatchQuery?
  }
}

extension SearchIndex {
  /// How many texts are ranked at most: the newest that match.
  package static let rankedCandidates = 2000
  /// How many of the newest texts with a match in the title are ranked besides, where there are more.
  package static let rankedTitles = 500
  /// How many hits one question can be paged through.
  package static let keptHits = 400
  /// The same of titles that are offered to somebody who types: each kept hit is read where it lies, which in a large
  /// library is a page of the disk's for each, and is what a key press costs.
  package static let keptTitles = 60

  /// The best hits, best first, in an order that is the same for every `limit`.
  ///
  /// - Parameters:
  ///   - collections: where to look; nil is everywhere.
  ///   - limit: at most `keptHits`.
  ///   - now: what the age of a text is counted from, UTC milliseconds. Pages of one list take the same.
  package static func candidates(
    matching query: MatchQuery, collections: [String]? = nil, limit: Int, now: Int64, in db: Database
  ) throws -> [SearchHit] {
    try ranking(of: query, collections: collections, now: now, in: db).hits.prefix(limit)
      .compactMap { try hit(of: $0, in: db) }
  }

  /// The best hits, and whether there are others.
  ///
  /// A common word in a million texts does not rank them all: the newest candidates are ranked, then a
  /// second look at titles finds the older texts that are about the word. Fewer matches lose nothing.
  ///
  /// - Parameter condition: what must hold beside the words, see `gather`.
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
    if let wide = try WideQuery(query, widths: PrefixWidths(db: db)) {
      return try ranking(of: wide, collections: collections, where: &filter, now: now, in: db)
    }
    if case .or(let nodes)? = query.root, nodes.count <= mostAlternatives {
      return try ranking(ofAny: nodes, of: query, collections: collections, where: &filter, now: now, in: db)
    }
    guard
      let looked = try lookTwice(
        for: query, in: collections, where: &filter, among: rankedCandidates, keeping: keptHits, enough: keptHits,
        now: now, in: db)
    else { return SearchRanking(hits: [], found: 0) }
    if looked.isAll { return try ranking(of: looked.hits, asked: query, counts: (looked.counts, looked.found), in: db) }
    var hits = looked.hits
    if filter == nil, let all = MatchExpression(query, collections: collections), all.open == nil {
      hits = try withOthers(hits, for: all, now: now, in: db)
    }
    return try ranking(of: hits, asked: query, counts: nil, in: db)
  }

  /// - Parameter counts: how many match, by collection and in all; nil where not all were looked at.
  static func ranking(
    of hits: [RankedText], asked query: MatchQuery, counts: (each: [CollectionNumber: Int], all: Int)?, in db: Database
  ) throws -> SearchRanking {
    var ranking = SearchRanking(hits: best(hits), found: counts?.all)
    ranking.counts = counts?.each ?? [:]
    if let forms = LiteralForms(query, found: ranking.found) { ranking.hits = try forms.ranked(ranking.hits, in: db) }
    return ranking
  }

  static func best(_ hits: [RankedText], most: Int = keptHits) -> [RankedText] {
    let sorted = hits.sorted { left, right in
      if left.rank != right.rank { return left.rank > right.rank }
      return (right.at, right.row) < (left.at, left.row)
    }
    return Array(sorted.prefix(most))
  }

  /// The best of the newest texts with all of it in their titles, for somebody who is still typing.
  ///
  /// - Parameter limit: at most `keptTitles`.
  package static func titles(
    matching query: MatchQuery, collections: [String]? = nil, limit: Int, now: Int64, in db: Database
  ) throws -> [RankedText] {
    guard let titles = MatchExpression(query, collections: collections, titlesOnly: true) else { return [] }
    var filter: FilterRows?
    let hits = try look(
      for: titles, in: collections, where: &filter, among: rankedTitles, keeping: keptTitles, enough: 0, now: now,
      in: db
    ).hits
    return best(hits, most: limit)
  }

  /// How many texts match. It reads every posting, or as many as there are of them up to `most`.
  package static func count(
    matching query: MatchQuery, collections: [String]? = nil, where condition: SearchCondition? = nil,
    most: Int? = nil, in db: Database
  ) throws -> Int {
    var filter = condition.map { FilterRows($0) }
    return try count(matching: query, collections: collections, where: &filter, most: most, in: db).count
  }

  /// How many texts match, and whether these are all. It reads every posting, or as many as there are of them up to `most`;
  /// with `most` it may be fewer where a filter leaves very many texts of which few have the words.
  package static func count(
    matching query: MatchQuery, collections: [String]? = nil, where filter: inout FilterRows?, most: Int?,
    in db: Database
  ) throws -> (count: Int, isAll: Bool) {
    // To ask the index for nothing costs it as much as to begin.
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

  private static let holdsAny = KeptStatement("SELECT EXISTS (SELECT 1 FROM search_entry WHERE collection = ?)")

  private static func holds(anyOf collections: [String], in db: Database) throws -> Bool {
    try collections.contains { name in try db.first(holdsAny, { $0.add(name) }, { $0.bool(0) }) ?? false }
  }

  /// What a look finds, and where there is more than it looks at, the older texts that have all of it in their titles. Nil
  /// where nothing is asked.
  static func lookTwice(
    for query: MatchQuery, in collections: [String]?, where filter: inout FilterRows?, among candidates: Int,
    keeping kept: Int, enough: Int, now: Int64, in db: Database
  ) throws -> (hits: [RankedText], newest: Int, counts: [CollectionNumber: Int], found: Int, isAll: Bool)? {
    guard let all = MatchExpression(query, collections: collections) else { return nil }
    let (newest, counts, found, isAll) = try look(
      for: all, in: collections, where: &filter, among: candidates, keeping: kept, enough: enough, now: now, in: db)
    var hits = newest
    // Without words no title has more of them than another.
    if !isAll, all.open == nil, let titles = MatchExpression(query, collections: collections, titlesOnly: true) {
      let known = Set(newest.map(\.row))
      hits += try look(
        for: titles, in: collections, where: &filter, among: rankedTitles, enough: 0, except: known, now: now, in: db
      ).hits
    }
    return (hits, newest.count, counts, found, isAll)
  }

  /// - Parameter known: rows that are not wanted again.
  private static func look(
    for expression: MatchExpression, in collections: [String]?, where filter: inout FilterRows?, among candidates: Int,
    keeping kept: Int = keptHits, enough: Int, except known: Set<Int64> = [], now: Int64, in db: Database
  ) throws -> (hits: [RankedText], counts: [CollectionNumber: Int], found: Int, isAll: Bool) {
    let condition = filter?.condition
    let gathered = try gather(
      matching: expression.match, within: collections, isOpen: expression.open != nil, where: &filter,
      most: candidates, enough: enough, in: db
    ) { piece, most in
      let texts = try newest(expression.texts(in: piece, where: condition), most: most, now: now, in: db)
      let best = Self.few(texts, most: kept).filter { !known.contains($0.row) }
      return (Looked(texts: best, counts: byCollection(texts)), texts.count)
    }
    let counts = gathered.parts.reduce(into: [CollectionNumber: Int]()) { $0.merge($1.counts, uniquingKeysWith: +) }
    return (gathered.parts.flatMap(\.texts), counts, gathered.found, gathered.isAll)
  }

  private struct Looked {
    var texts: [RankedText]
    /// Of all, by collection.
    var counts: [CollectionNumber: Int]
  }

  package static func byCollection(_ texts: [RankedText]) -> [CollectionNumber: Int] {
    var counts: [CollectionNumber: Int] = [:]
    // What came in together lies together.
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

  /// The best, of equals the newest, in the order in which they come, which is the newest first.
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

  /// Weights are those of title, body, tags and collection. The last is a filter and never a find.
  static let score = "cp_rank(search_text, ?, 8, 1, 4, 0)"

  private static let entry = KeptStatement("SELECT \(RankedText.columns) FROM search_entry AS entry WHERE rowid = ?")

  /// Which of them are best is not asked: SQLite would write all of them into a table of its own first.
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
    // One whose entry is lost is none.
    try db.each(entry, of: unknown.lazy.map(\.row)) { number, row in
      texts[unknown[number].place] = RankedText(row, score: unknown[number].score, now: now)
    }
    return texts.compactMap(\.self)
  }
}
