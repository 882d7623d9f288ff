import Kit
import SearchEngine
import Store
import Wire

/// A part of the hits of a query: first the ranked ones, then all further matches, which are read as needed.
///
///     ranked, best first, at most 400  ──►  further matches, in descending order of their rows  ──►  the end
struct QueryPart {
  /// A displayed hit: a text, or with `group` the best text of an item.
  struct Group: Sendable {
    var first: RankedText
    /// How many texts of the item match; nil if hits are not grouped.
    var count: Int?
    var pages: [Int] = []
  }

  /// The most pages listed for an item.
  private static let mostPages = 100

  var hits: [Group] = []
  /// Where the list continues; nil at its end.
  var next: Place?

  struct Place: Sendable {
    var offset: Int
    var row: Int64
    var isFurther: Bool
  }

  /// - Parameters:
  ///   - start: how many hits precede it; of the ranked ones unless `row` is given.
  ///   - row: the row of the last further match that was shown.
  init(
    of findings: QueryFindings, _ query: LibraryQuery, from start: Int, after row: Int64?, limit: Int, isGrouped: Bool,
    now: Int64, in snapshot: Snapshot
  ) throws {
    let ranked = isGrouped ? Self.firsts(of: findings.hits) : findings.hits
    var texts: [RankedText] = []
    if row == nil {
      texts = Array(ranked.dropFirst(start).prefix(limit))
      if start + texts.count < ranked.count, let last = texts.last {
        next = Place(offset: start + texts.count, row: last.row, isFurther: false)
      }
    }
    if next == nil, findings.hasFurther,
      var further = try FurtherHits(query, after: findings.hits, isGrouped: isGrouped, now: now, in: snapshot)
    {
      let wanted = limit - texts.count
      let more = try further.texts(below: row ?? findings.lastRow + 1, most: wanted + 1)
      texts += more.prefix(wanted)
      if more.count > wanted {
        next = (texts.last ?? ranked.last).map {
          Place(offset: start + texts.count, row: $0.row, isFurther: row != nil || wanted > 0)
        }
      }
    }
    guard isGrouped else {
      hits = texts.map { Group(first: $0) }
      return
    }
    let matches = try query.further(now: now, in: snapshot)
    hits = try texts.compactMap { text in
      guard let hit = try SearchIndex.hit(of: text, in: snapshot.db) else { return nil }
      let known =
        try matches?.parts(of: hit.item, in: hit.collection, most: Self.mostPages + 1)
        ?? Self.parts(of: text, among: findings.hits, in: snapshot)
      let pages = known.parts.filter { $0 > 0 }.prefix(Self.mostPages).map { $0 - 1 }
      return Group(first: text, count: max(known.count, 1), pages: Array(pages))
    }
  }

  /// The ranked parts of an item, if no others are available.
  private static func parts(
    of text: RankedText, among hits: [RankedText], in snapshot: Snapshot
  ) throws -> (count: Int, parts: [Int]) {
    let parts = try hits.filter { ItemMark($0) == ItemMark(text) }
      .compactMap { try SearchIndex.hit(of: $0, in: snapshot.db)?.part }
    return (parts.count, parts.sorted())
  }

  /// The best text of each item.
  static func firsts(of hits: [RankedText]) -> [RankedText] {
    var seen: Set<ItemMark> = []
    return hits.filter { seen.insert(ItemMark($0)).inserted }
  }
}

/// The common properties of one item's texts in memory.
struct ItemMark: Hashable {
  var collection: CollectionNumber
  var mark: UInt32

  init(_ text: RankedText) { (collection, mark) = (text.collection, text.mark) }
}

/// The matches after the ranked hits, without duplicates.
struct FurtherHits {
  private let query: LibraryQuery
  private let snapshot: Snapshot
  private var matches: FurtherTexts
  private let isGrouped: Bool
  private let ranked: Set<Int64>
  private var items: Set<ItemMark>
  /// For collections with texts under several names, the ranked items.
  private var owners: Set<String>

  /// Nil if there are none.
  init?(
    _ query: LibraryQuery, after hits: [RankedText], isGrouped: Bool, now: Int64, in snapshot: Snapshot
  ) throws {
    guard let matches = try query.further(now: now, in: snapshot) else { return nil }
    (self.query, self.snapshot, self.matches, self.isGrouped) = (query, snapshot, matches, isGrouped)
    ranked = Set(hits.map(\.row))
    items = isGrouped ? Set(hits.map(ItemMark.init)) : []
    owners = []
    for hit in hits where query.owners[hit.collection]?.aliases.isEmpty == false {
      if let found = try query.hit(of: hit, in: snapshot) { owners.insert(found.owner ?? found.item) }
    }
  }

  mutating func texts(below row: Int64, most: Int) throws -> [RankedText] {
    var found: [RankedText] = []
    var row = row
    let chunk = max(2 * most, 64)
    while found.count < most {
      let texts = try matches.texts(below: row, most: chunk)
      for text in texts where found.count < most {
        row = text.row
        if try isShown(text) { found.append(text) }
      }
      if texts.count < chunk { break }
    }
    return found
  }

  private mutating func isShown(_ text: RankedText) throws -> Bool {
    if ranked.contains(text.row) { return false }
    if isGrouped {
      // An item is at the place of its newest text; an item that an earlier part showed has such a text.
      guard items.insert(ItemMark(text)).inserted, let hit = try SearchIndex.hit(of: text, in: snapshot.db),
        try !matches.hasText(of: hit.item, in: hit.collection, above: text.row)
      else { return false }
    }
    guard let source = query.owners[text.collection], !source.aliases.isEmpty else { return true }
    guard let hit = try query.hit(of: text, in: snapshot), owners.insert(hit.owner ?? hit.item).inserted else {
      return false
    }
    // Another source's content of a post is not a hit beside the post's own text.
    guard let owner = hit.owner else { return true }
    return try !matches.hasText(of: owner, in: source.collection, above: .min)
  }
}

extension LibraryQuery {
  /// Nil if no match follows the ranked ones.
  func further(now: Int64, in snapshot: Snapshot) throws -> FurtherTexts? {
    try FurtherTexts(of: words, collections: indexed, where: condition, now: now, in: snapshot.db)
  }
}
