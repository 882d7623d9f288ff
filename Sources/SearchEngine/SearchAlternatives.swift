import Glibc
import SQLite

extension SearchIndex {
  /// The most alternatives that are queried separately.
  static let mostAlternatives = 8

  /// The best texts that match any of the alternatives.
  ///
  /// Each alternative is queried separately, and weighs more the fewer texts match it: a query with a rare word and one
  /// that occurs in every second text is about the text with the rare word. Queried together, only the newest texts
  /// with any of them would be candidates, which contain the common one.
  static func ranking(
    ofAny nodes: [MatchQuery.Node], of query: MatchQuery, collections: [String]?, where filter: inout FilterRows?,
    now: Int64, in db: Database
  ) throws -> SearchRanking {
    let last = try lastRow(in: db)
    var texts: [Int64: RankedText] = [:]
    var isAll = true
    for node in nodes {
      let most = max(mostHits, 2 * rankedCandidates / nodes.count)
      let looked = try lookTwice(
        for: MatchQuery(node), in: collections, where: &filter, among: most, keeping: most, enough: most, now: now,
        in: db)
      guard let looked else { continue }
      let weight = rarity(of: looked.hits.prefix(looked.newest), isAll: looked.isAll, last: last)
      isAll = isAll && looked.isAll
      for var hit in looked.hits {
        hit.rank = hit.rank * weight + (texts[hit.row]?.rank ?? 0)
        texts[hit.row] = hit
      }
    }
    let all = Array(texts.values)
    return try ranking(of: all, asked: query, counts: isAll ? (byCollection(all), all.count) : nil, in: db)
  }

  /// The weight of an alternative by the number of matching texts: log(1 + all / matching), as in BM25. If not all were
  /// scanned, the number is estimated from the rows of the newest ones.
  private static func rarity(of texts: some Collection<RankedText>, isAll: Bool, last: Int) -> Double {
    let rows = texts.lazy.map(\.row)
    let span = isAll ? last : last - Int(rows.min() ?? 0) + 1
    return log(1 + Double(max(span, texts.count)) / Double(max(texts.count, 1)))
  }
}
