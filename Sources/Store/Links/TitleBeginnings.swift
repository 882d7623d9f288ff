import SQLite
import SearchEngine

/// Items whose titles begin with the typed text, from the table of titles by which links are resolved.
///
/// The search index has the words of titles without their positions, and ranks the newest items first: in a large
/// library an older title with the typed prefix is not among its hits. This table is sorted by title. A title of many
/// items counts once, and at most `mostKeys` titles are scanned.
package struct TitleBeginnings {
  /// The most titles that are scanned, in byte order.
  static let mostKeys = 16
  /// The most items that are scanned: of all titles, and of one.
  private static let mostItems = 1_000
  private static let mostOfKey = 200
  /// The most items that are counted for one title.
  package static let mostCounted = 1_000

  private let db: Database

  package init(in db: Database) {
    self.db = db
  }

  private static let next = CachedStatement("SELECT key FROM linkTitle WHERE key > ? AND key < ? ORDER BY key LIMIT 1")
  private static let first = CachedStatement(
    "SELECT key FROM linkTitle WHERE key >= ? AND key < ? ORDER BY key LIMIT 1")

  /// Selects the newest item of a title in each collection, and the number of scanned items. Its parameters are the
  /// title and the most items to scan.
  private static let newest = CachedStatement(
    """
    SELECT \(RankedText.columns), t.count FROM (
      SELECT collection, item, max(at), count(*) AS count FROM (
        SELECT collection, item, at FROM linkTitle WHERE key = ? AND isFormer = 0 ORDER BY at DESC LIMIT ?
      ) GROUP BY collection
    ) t CROSS JOIN search_entry AS entry USING (collection, item) WHERE entry.part = 0
    """)

  /// The newest item of each title with this prefix in each of these collections, newest first, as hits without a rank.
  ///
  /// - Parameter typed: the beginning of a title, folded; in Korean its last syllable may be incomplete.
  /// - Throws: `DatabaseError`.
  package func hits(typed: String, collections: [String], limit: Int) throws -> [RankedText] {
    var hits: [RankedText] = []
    var left = Self.mostItems
    for key in try keys(typed: typed) where left > 0 {
      try db.each(
        Self.newest,
        {
          $0.add(key)
          $0.add(min(left, Self.mostOfKey))
        },
        { row in
          left -= row.int(7)
          let hit = RankedText(row, score: 0, now: 0)
          if collections.contains(hit.collection.name) { hits.append(hit) }
        })
    }
    return Array(hits.sorted { ($1.at, $1.row) < ($0.at, $0.row) }.prefix(limit))
  }

  private func keys(typed: String) throws -> [String] {
    var keys: [String] = []
    for (start, end) in HangulTyping.beginnings(of: typed) {
      func ask(_ statement: CachedStatement, _ from: String) throws -> String? {
        try db.first(
          statement,
          {
            $0.add(from)
            $0.add(end)
          }, { $0.text(0) })
      }
      var key = try ask(Self.first, start)
      while let found = key, keys.count < Self.mostKeys {
        keys.append(found)
        key = try ask(Self.next, found)
      }
    }
    return keys
  }

  /// The number of items in a collection that have this title now, at most `mostCounted`; 0 if the collection has no
  /// titles in this table.
  ///
  /// - Throws: `DatabaseError`.
  package func count(of title: String, in collection: String) throws -> Int {
    guard let key = LinkRow.key(of: title) else { return 0 }
    return try db.first(
      """
      SELECT count(*) FROM (
        SELECT 1 FROM linkTitle WHERE key = ? AND isFormer = 0 AND collection = ? LIMIT \(Self.mostCounted))
      """, [.text(key), .text(collection)]
    ) { $0.int(0) } ?? 0
  }
}

/// How well a title matches the typed text, best first.
package enum TitleNearness: Int, Comparable, Sendable {
  /// The title begins with exactly the typed text.
  case beginsExactly
  /// The title begins with a completion of the typed text, or with other diacritics.
  case begins
  /// One of its words begins with the typed text.
  case beginsWord
  case holds

  package static func < (left: TitleNearness, right: TitleNearness) -> Bool { left.rawValue < right.rawValue }

  /// - Parameters:
  ///   - typed: the whole typed text, folded.
  ///   - query: the same as a single term.
  package init(of title: String, typed: String, _ query: MatchQuery) {
    let found = TextRanges(of: query, in: title, isTitle: true).ranges
    guard !found.isEmpty else {
      self = .holds
      return
    }
    let units = TextUnits(title).units
    if found.first?.lowerBound == units.first?.range.lowerBound {
      self = foldedText(title).utf8.starts(with: typed.utf8) ? .beginsExactly : .begins
    } else {
      let starts = Set(units.lazy.filter { !$0.glued }.map(\.range.lowerBound))
      self = found.contains { starts.contains($0.lowerBound) } ? .beginsWord : .holds
    }
  }
}

extension SearchIndex {
  private static let selectTitle = CachedStatement("SELECT title FROM search_body WHERE rowid = ?")

  /// The title of a hit, as it was indexed. It does not read the page of the hit's text.
  ///
  /// - Throws: `DatabaseError`.
  package static func title(of hit: RankedText, in db: Database) throws -> String? {
    try db.first(selectTitle, { $0.add(hit.row) }, { $0.text(0) })
  }
}
