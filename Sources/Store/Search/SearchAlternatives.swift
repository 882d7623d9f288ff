import Foundation
import GRDB

extension SearchIndex {
  /// So many alternatives are looked for one by one.
  static let mostAlternatives = 8

  /// The best of what has one of some alternatives.
  ///
  /// Each is looked for by itself, and counts for the more the fewer texts have it: the one text with a rare word is what a
  /// question is about whose other word is in every second one. Together they would be looked for among the newest texts
  /// with any of them, which have the common one.
  static func ranking(
    ofAny nodes: [MatchQuery.Node], of query: MatchQuery, collections: [String]?, where filter: inout FilterRows?,
    now: Int64, in db: Database
  ) throws -> SearchRanking {
    let last = try lastRow(in: db)
    var texts: [Int64: RankedText] = [:]
    var isAll = true
    func add(_ hits: [RankedText], weight: Double) {
      for hit in hits {
        var text = hit
        text.rank = hit.rank * weight + (texts[hit.row]?.rank ?? 0)
        texts[hit.row] = text
      }
    }
    for node in nodes {
      let alternative = MatchQuery(node)
      guard let expression = MatchExpression(alternative, collections: collections) else { continue }
      let most = max(keptHits, 2 * rankedCandidates / nodes.count)
      let looked = try look(
        for: expression, in: collections, where: &filter, among: most, keeping: most, enough: most, now: now, in: db)
      let weight = rarity(of: looked.hits, isAll: looked.isAll, last: last)
      add(looked.hits, weight: weight)
      if looked.isAll { continue }
      isAll = false
      guard expression.open == nil,
        let titles = MatchExpression(alternative, collections: collections, titlesOnly: true)
      else { continue }
      let known = Set(looked.hits.map(\.row))
      let older = try look(
        for: titles, in: collections, where: &filter, among: rankedTitles, enough: 0, except: known, now: now, in: db)
      add(older.hits, weight: weight)
    }
    let all = Array(texts.values)
    var ranking = SearchRanking(hits: best(all), found: isAll ? all.count : nil)
    if isAll { ranking.counts = byCollection(all) }
    if let forms = LiteralForms(query, found: ranking.found) { ranking.hits = try forms.ranked(ranking.hits, in: db) }
    return ranking
  }

  /// How much it says that a text has something, from how many have it: log(1 + all / these), as of BM25. Where not all were
  /// looked at, the rows of the newest of them tell how many there are.
  private static func rarity(of texts: [RankedText], isAll: Bool, last: Int) -> Double {
    let rows = texts.lazy.map(\.row)
    let span = isAll ? last : last - Int(rows.min() ?? 0) + 1
    return log(1 + Double(max(span, texts.count)) / Double(max(texts.count, 1)))
  }
}
