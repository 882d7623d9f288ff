import Kit
import SearchEngine
import Store
import Wire

/// What a question finds, in the order in which it is shown, and how much there is of it.
struct QueryFindings: Sendable {
  /// Best first, no item or page twice, under the names of their own collections.
  var hits: [RankedText]
  /// How many there are, hits that are not ranked too.
  var total: Int
  var totalIsEstimate: Bool
  /// The same by collection, without those that have none.
  var counts: [Count]

  struct Count: Sendable, Equatable {
    var collection: String
    var count: Int
    /// Whether there may be others.
    var isEstimate: Bool
    /// Whether there are `count` at least, and there may be more.
    var isFloor = false
  }

  /// Whether `total` is a lower bound: there are so many at least.
  var totalIsFloor = false
  /// Whether there are certainly more than `total`.
  var hasMoreThanTotal = false
  /// Whether `hits` are all that match.
  var isWhole = false
  /// No text had a greater row when the question was asked: what is written meanwhile is none of the list.
  var lastRow: Int64 = 0
  /// Whether further matches can be listed after `hits`: not where a stand-in was searched for.
  var hasFurther = false

  /// Whether there are others that no part of the list has. Each text of a post with several sources is counted, and the
  /// post is one hit: a list that is not full may be all there is.
  var isCut: Bool {
    if isWhole || hasFurther || totalIsEstimate && hits.count < SearchIndex.mostHits { return false }
    return total > max(hits.count, SearchIndex.mostHits)
  }

  /// How many were found, for people.
  var heading: Text {
    let count = ["count": String(total)]
    if hasMoreThanTotal, totalIsFloor { return Text("search.foundMoreThan", count) }
    if totalIsFloor { return Text("search.foundAtLeast", count) }
    return Text(totalIsEstimate ? "search.foundAbout" : "search.found", count)
  }

  /// The same with items counted instead of texts: those that are ranked, where these are not all.
  var ofItems: QueryFindings {
    var items = self
    items.total = QueryPart.firsts(of: hits).count
    items.totalIsEstimate = !isWhole
    items.totalIsFloor = !isWhole
    items.hasMoreThanTotal = false
    return items
  }

  static let none = QueryFindings(hits: [], total: 0, totalIsEstimate: false, counts: [])

  /// Of more hits of a collection not all are counted, unless the client has hits to show meanwhile.
  static let counted = 1_000
}

extension LibraryQuery {
  /// The hits, as they are shown.
  func ranking(now: Int64, in snapshot: Snapshot) throws -> SearchRanking {
    if sources.isEmpty { return SearchRanking(hits: [], found: 0) }
    var ranking = try SearchIndex.ranking(of: words, collections: indexed, where: condition, now: now, in: snapshot.db)
    let hits = try shownOnce(ranking.hits, in: snapshot)
    // Without words nothing is better than another: what is newest comes first, or what is to be done first.
    ranking.hits = hasWords ? Self.spread(hits) : try byDay(hits, in: snapshot)
    return ranking
  }

  private struct Shown: Hashable {
    var collection: String
    var item: String
    var part: Int
  }

  /// Only what has texts under several names may have been found twice.
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

  /// The newest first; but of what is asked for by its deadlines the earliest, as Todoist and Taskwarrior have it, and of
  /// one day what was written last.
  private func byDay(_ hits: [RankedText], in snapshot: Snapshot) throws -> [RankedText] {
    let dated = try hits.map { hit in
      (hit, moment: try day(of: hit, in: snapshot).map { Int64($0.daysSince1970) * 86_400_000 } ?? hit.at)
    }
    return dated.sorted { left, right in
      if left.moment != right.moment { return (left.moment < right.moment) == isByDays }
      return left.0.row > right.0.row
    }.map(\.0)
  }

  /// So many pages of one document come before other things that were found.
  private static let pagesAtFirst = 3

  /// A long document that is full of a word does not stand before everything else that has it: its further pages come
  /// behind, in their order.
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

  /// What a text is of, and the item that it belongs to; nil where that has gone.
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

  /// How many there are. All are counted with `isWhole`, however long that takes; but not of a question that has a stand-in.
  func findings(_ ranking: SearchRanking, isWhole: Bool, in snapshot: Snapshot) throws -> QueryFindings {
    var findings = QueryFindings.none
    findings.hits = ranking.hits
    findings.isWhole = ranking.substitute == nil && ranking.found.map { $0 <= SearchIndex.mostHits } ?? false
    findings.hasFurther = ranking.substitute == nil && !findings.isWhole
    if findings.hasFurther { findings.lastRow = Int64(try SearchIndex.lastRow(in: snapshot.db)) }
    var filter = ranking.filter
    var counts: [String: (count: Int, isEstimate: Bool)] = [:]
    // Where not all are counted, so that there are as many at least.
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
      // One more, which tells whether there are more.
      let most = isWhole ? nil : QueryFindings.counted + 1
      for source in sources {
        let (found, isAll) = try SearchIndex.count(
          matching: words, collections: source.indexed, where: &filter, most: most, in: snapshot.db)
        let count = isAll ? found : min(found, QueryFindings.counted)
        counts[source.collection] = (count, !isAll || !source.aliases.isEmpty && count > 0)
        findings.totalIsEstimate = findings.totalIsEstimate || !isAll
        // An item with several texts may be counted twice.
        if !isAll, try hasOneTextEach(source, in: snapshot) {
          floors.insert(source.collection)
          findings.hasMoreThanTotal = findings.hasMoreThanTotal || found > count
        }
      }
      // Of a filter that leaves much, other texts may have been looked at.
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

  /// Whether no text under another name than the collection's own matches, so that each text is an item.
  private func hasOneTextEach(_ source: SearchSource, in snapshot: Snapshot) throws -> Bool {
    if source.aliases.isEmpty { return true }
    let others = Array(source.aliases.keys)
    return try SearchIndex.count(matching: words, collections: others, most: 1, in: snapshot.db) == 0
  }

  /// How many hits of each collection there are.
  private func shown(_ hits: [RankedText]) -> [String: Int] {
    SearchIndex.byCollection(hits).reduce(into: [:]) { counts, each in
      counts[shownNames[each.key] ?? each.key.name, default: 0] += each.value
    }
  }
}
