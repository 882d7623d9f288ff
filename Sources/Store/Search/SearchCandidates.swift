import Foundation
import GRDB

/// A text that a query found.
package struct SearchHit: Sendable {
  package var collection: String
  package var item: String
  package var part: Int
  /// UTC milliseconds.
  package var at: Int64
  /// The row of `search_entry`: the last tie-breaker, the newest first.
  package var row: Int64
  /// More is better.
  package var rank: Double
}

extension SearchIndex {
  /// How many texts are ranked at most: the newest that match.
  package static let rankedCandidates = 2000
  /// How many of the newest texts with a match in the title are ranked besides, where there are more.
  package static let rankedTitles = 500
  /// How many hits one question can be paged through.
  package static let keptHits = 400

  /// The best hits, best first, in an order that is the same for every `limit`.
  ///
  /// A common word in a million texts does not rank them all: the newest candidates are ranked, then a
  /// second look at titles finds the older texts that are about the word. Fewer matches lose nothing.
  ///
  /// - Parameters:
  ///   - collections: where to look; nil is everywhere.
  ///   - limit: at most `keptHits`.
  ///   - now: what the age of a text is counted from, UTC milliseconds. Pages of one list take the same.
  package static func candidates(
    matching query: MatchQuery, collections: [String]? = nil, limit: Int, now: Int64, in db: Database
  ) throws -> [SearchHit] {
    guard let all = MatchExpression(query, collections: collections) else { return [] }
    var (hits, found) = try look(for: all, among: rankedCandidates, now: now, in: db)
    if found >= rankedCandidates,
      let titles = MatchExpression(query, collections: collections, titlesOnly: true)
    {
      let known = Set(hits.map(\.row))
      hits += try look(for: titles, among: rankedTitles, now: now, in: db).hits.filter { !known.contains($0.row) }
    }
    hits.sort { ($1.rank, $1.at, $1.row) < ($0.rank, $0.at, $0.row) }
    return Array(hits.prefix(min(limit, keptHits)))
  }

  /// The whole number of texts that match. It reads every posting: for after the first hits were shown.
  package static func count(
    matching query: MatchQuery, collections: [String]? = nil, in db: Database
  ) throws -> Int {
    guard let all = MatchExpression(query, collections: collections) else { return 0 }
    let count = try db.cachedStatement(sql: "SELECT count(*) FROM search_text WHERE search_text MATCH ?")
    return try Int.fetchOne(count, arguments: [all.match]) ?? 0
  }

  private static func look(
    for expression: MatchExpression, among candidates: Int, now: Int64, in db: Database
  ) throws -> (hits: [SearchHit], found: Int) {
    let statement = try db.cachedStatement(sql: ranked)
    let rows = try Row.fetchCursor(
      statement, arguments: [expression.match, expression.strengths, candidates, keptHits])
    var (hits, found) = ([SearchHit](), 0)
    while let row = try rows.next() {
      let at: Int64 = row[3]
      found = row[6]
      hits.append(
        SearchHit(
          collection: row[0], item: row[1], part: row[2], at: at, row: row[4],
          rank: row[5] * (1 + recency * exp2(-max(0, Double(now - at)) / halfLife))))
    }
    return (hits, found)
  }

  /// A text of today ranks a quarter above the same of long ago; the advantage halves in half a year.
  private static let recency = 0.25
  private static let halfLife = 182.0 * 86_400_000

  /// Weights are those of title, body, tags and collection. The last is a filter and never a find.
  private static let ranked = """
    SELECT collection, item, part, at, id, score, found FROM (
      SELECT id, score, count(*) OVER () AS found FROM (
        SELECT rowid AS id, cp_rank(search_text, ?2, 8, 1, 4, 0) AS score
        FROM search_text WHERE search_text MATCH ?1 ORDER BY rowid DESC LIMIT ?3
      ) ORDER BY score DESC, id DESC LIMIT ?4
    ) CROSS JOIN search_entry ON search_entry.rowid = id
    """
}
