import Glibc
import SQLite

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
    for node in nodes {
      let most = max(keptHits, 2 * rankedCandidates / nodes.count)
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

  /// How much it says that a text has something, from how many have it: log(1 + all / these), as of BM25. Where not all were
  /// looked at, the rows of the newest of them tell how many there are.
  private static func rarity(of texts: some Collection<RankedText>, isAll: Bool, last: Int) -> Double {
    let rows = texts.lazy.map(\.row)
    let span = isAll ? last : last - Int(rows.min() ?? 0) + 1
    return log(1 + Double(max(span, texts.count)) / Double(max(texts.count, 1)))
  }
}
