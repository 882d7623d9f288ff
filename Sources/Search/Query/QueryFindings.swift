import Display
import Kit
import SearchEngine
import Store
import Wire

/// The results of a query, in the order of display, and their number.
struct QueryFindings: Sendable {
  /// Best first, without duplicate items or pages, under the names of their own collections.
  var hits: [RankedText]
  /// The number of hits, including unranked ones.
  var total: Int
  var totalIsEstimate: Bool
  /// The same by collection, without empty ones.
  var counts: [Count]

  struct Count: Sendable, Equatable {
    var collection: String
    var count: Int
    /// Whether there may be others.
    var isEstimate: Bool
    /// Whether there are `count` at least, and there may be more.
    var isFloor = false
  }

  /// Whether `total` is a lower bound.
  var totalIsFloor = false
  /// Whether there are certainly more than `total`.
  var hasMoreThanTotal = false
  /// Whether `hits` are all that match.
  var isWhole = false
  /// The greatest row number at the time of the query: texts written later are not part of the list.
  var lastRow: Int64 = 0
  /// Whether further matches can be listed after `hits`: not where a stand-in was searched for.
  var hasFurther = false

  /// Whether there are others that no part of the list has. Each text of a post with several sources is counted, and the
  /// post is one hit: a list that is not full may be all there is.
  var isCut: Bool {
    if isWhole || hasFurther || totalIsEstimate && hits.count < SearchIndex.mostHits { return false }
    return total > max(hits.count, SearchIndex.mostHits)
  }

  /// The number of hits, for people.
  var heading: Text {
    let count = ["count": grouped(total)]
    if hasMoreThanTotal, totalIsFloor { return Text("search.foundMoreThan", count) }
    if totalIsFloor { return Text("search.foundAtLeast", count) }
    return Text(totalIsEstimate ? "search.foundAbout" : "search.found", count)
  }

  /// The same with items counted instead of texts: the ranked ones, if these are not all.
  var ofItems: QueryFindings {
    var items = self
    items.total = QueryPart.firsts(of: hits).count
    items.totalIsEstimate = !isWhole
    items.totalIsFloor = !isWhole
    items.hasMoreThanTotal = false
    return items
  }

  static let none = QueryFindings(hits: [], total: 0, totalIsEstimate: false, counts: [])

  /// With more hits of a collection not all are counted, unless the client already has hits to show.
  static let counted = 1_000
}

extension LibraryQuery {
  /// The hits, as they are shown.
  func ranking(now: Int64, in snapshot: Snapshot) throws -> SearchRanking {
    if sources.isEmpty { return SearchRanking(hits: [], found: 0) }
    var ranking = try SearchIndex.ranking(of: words, collections: indexed, where: condition, now: now, in: snapshot.db)
    let hits = try shownOnce(ranking.hits, in: snapshot)
    // Without words all hits rank equally: the newest is first, or the one that is due first.
    ranking.hits = hasWords ? Self.spread(hits) : try byDay(hits, in: snapshot)
    return ranking
  }

  private struct Shown: Hashable {
    var collection: String
    var item: String
    var part: Int
  }

  /// Only collections with texts under several names may have duplicates.
  private func shownOnce(_ hits: [RankedText], in snapshot: Snapshot) throws -> [RankedText] {
    var seen: Set<Shown> = []
    let once = Set(sources.lazy.filter(\.aliases.isEmpty).map { CollectionNumber($0.collection) })
    return try hits.compactMap { text -> RankedText? in
      if once.contains(text.collection) { return text }
      guard let hit = try hit(of: text, in: snapshot) else { return nil }
      let shown = Shown(collection: collection(of: text), item: hit.owner ?? hit.item, part: hit.part)
      return seen.insert(shown).inserted ? text : nil
    }
  }

  /// The newest first; but hits that match by their deadlines start with the earliest, as in Todoist and Taskwarrior,
  /// and on one day with the last written.
  private func byDay(_ hits: [RankedText], in snapshot: Snapshot) throws -> [RankedText] {
    let dated = try hits.map { hit in
      (hit, moment: try day(of: hit, in: snapshot).map { Int64($0.daysSince1970) * 86_400_000 } ?? hit.at)
    }
    return dated.sorted { left, right in
      if left.moment != right.moment { return (left.moment < right.moment) == isByDays }
      return left.0.row > right.0.row
    }.map(\.0)
  }

  /// The most pages of one document that precede other results.
  private static let pagesAtFirst = 3

  /// A long document with many occurrences of a word does not precede everything else that has it: its further pages
  /// follow the other results, in their order.
  private static func spread(_ hits: [RankedText]) -> [RankedText] {
    var pages: [UInt32: Int] = [:]
    func isFurther(_ count: inout Int) -> Bool {
      count += 1
      return count > pagesAtFirst
    }
    var (first, others) = ([RankedText](), [RankedText]())
    first.reserveCapacity(hits.count)
    for hit in hits {
      if hit.isPage, isFurther(&pages[hit.mark, default: 0]) { others.append(hit) } else { first.append(hit) }
    }
    return first + others
  }

  /// The collection under whose name a hit is shown.
  func collection(of hit: RankedText) -> String {
    shownNames[hit.collection] ?? hit.collection.name
  }

  /// The item of a text and its owner; nil if the item was removed.
  func hit(of text: RankedText, in snapshot: Snapshot) throws -> SearchHit? {
    guard let hit = try SearchIndex.hit(of: text, in: snapshot.db) else { return nil }
    return try owned(hit, in: snapshot)
  }

  func owned(_ hit: SearchHit, in snapshot: Snapshot) throws -> SearchHit? {
    guard let owner = aliases[CollectionNumber(hit.collection)] else { return hit }
    var hit = hit
    hit.owner = try owner(hit.item, snapshot)
    return hit.owner == nil ? nil : hit
  }

  /// The number of results. With `isWhole` all are counted, however long that takes; but not for a query that was
  /// approximated.
  func findings(_ ranking: SearchRanking, isWhole: Bool, in snapshot: Snapshot) throws -> QueryFindings {
    var findings = QueryFindings.none
    findings.hits = ranking.hits
    findings.isWhole = ranking.substitute == nil && ranking.found.map { $0 <= SearchIndex.mostHits } ?? false
    findings.hasFurther = ranking.substitute == nil && !findings.isWhole
    if findings.hasFurther { findings.lastRow = Int64(try SearchIndex.lastRow(in: snapshot.db)) }
    var filter = ranking.filter
    var counts: [String: (count: Int, isEstimate: Bool)] = [:]
    // Collections whose count is a lower bound.
    var floors: Set<String> = []
    if let stand = ranking.substitute {
      counts = shown(ranking.hits).mapValues { ($0, true) }
      floors = Set(sources.map(\.collection))
      for source in sources {
        guard let query = stand.query else { break }
        let known = try SearchIndex.count(
          matching: query, collections: source.indexed, where: &filter, most: QueryFindings.counted, in: snapshot.db
        ).count
        counts[source.collection] = (max(known, counts[source.collection]?.count ?? 0), true)
      }
    } else if let found = ranking.found, found <= SearchIndex.mostHits {
      counts = shown(ranking.hits).mapValues { ($0, false) }
    } else if ranking.found != nil {
      for source in sources {
        let each = source.indexed.map { ranking.counts[CollectionNumber($0)] ?? 0 }
        counts[source.collection] = (each.reduce(0, +), each.dropFirst().contains { $0 > 0 })
      }
    } else {
      // One more, to determine whether there are more.
      let most = isWhole ? nil : QueryFindings.counted + 1
      for source in sources {
        let (found, isAll) = try SearchIndex.count(
          matching: words, collections: source.indexed, where: &filter, most: most, in: snapshot.db)
        let count = isAll ? found : min(found, QueryFindings.counted)
        counts[source.collection] = (count, !isAll || !source.aliases.isEmpty && count > 0)
        findings.totalIsEstimate = findings.totalIsEstimate || !isAll
        // Several texts of one item may be counted twice.
        if !isAll, try hasOneTextEach(source, in: snapshot) {
          floors.insert(source.collection)
          findings.hasMoreThanTotal = findings.hasMoreThanTotal || found > count
        }
      }
      // With a filter that matches most texts, other texts may have been read.
      for (collection, shown) in shown(ranking.hits) where shown > counts[collection]?.count ?? 0 {
        counts[collection] = (shown, true)
        floors.insert(collection)
      }
    }
    for source in sources {
      guard let (count, isEstimate) = counts[source.collection], count > 0 else { continue }
      findings.counts.append(
        .init(
          collection: source.collection, count: count, isEstimate: isEstimate,
          isFloor: isEstimate && floors.contains(source.collection)))
      findings.total += count
      findings.totalIsEstimate = findings.totalIsEstimate || isEstimate
    }
    findings.totalIsFloor =
      findings.counts.contains(where: \.isFloor) && findings.counts.allSatisfy { !$0.isEstimate || $0.isFloor }
    return findings
  }

  /// Whether texts match under the collection's own name only, so that each text is an item.
  private func hasOneTextEach(_ source: SearchSource, in snapshot: Snapshot) throws -> Bool {
    if source.aliases.isEmpty { return true }
    let others = Array(source.aliases.keys)
    return try SearchIndex.count(matching: words, collections: others, most: 1, in: snapshot.db) == 0
  }

  /// The number of hits of each collection.
  private func shown(_ hits: [RankedText]) -> [String: Int] {
    SearchIndex.byCollection(hits).reduce(into: [:]) { counts, each in
      counts[shownNames[each.key] ?? each.key.name, default: 0] += each.value
    }
  }
}
