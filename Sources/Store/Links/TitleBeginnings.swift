import SQLite
import SearchEngine

/// Items whose titles begin with what somebody has typed, told by the titles that links are found by.
///
/// The search index knows the words of titles and not where they stand, and ranks the newest that have them: in a large
/// library an older title that begins so is not among these. Here the titles lie in their order. A title that many items
/// have is met once, and no more than `mostKeys` are looked at.
package struct TitleBeginnings {
  /// So many titles are looked at, in the order of their bytes.
  static let mostKeys = 16
  /// So many items are met, of all titles and of one.
  private static let mostItems = 1_000
  private static let mostOfKey = 200
  /// So many items of one title are counted.
  package static let mostCounted = 1_000

  private let db: Database

  package init(in db: Database) {
    self.db = db
  }

  private static let next = KeptStatement("SELECT key FROM linkTitle WHERE key > ? AND key < ? ORDER BY key LIMIT 1")
  private static let first = KeptStatement("SELECT key FROM linkTitle WHERE key >= ? AND key < ? ORDER BY key LIMIT 1")

  /// Of each title the newest in each collection, as a statement's rows; last how many were met. Two places are for the
  /// title and for how many may be met.
  private static let newest = KeptStatement(
    """
    SELECT \(RankedText.columns), t.count FROM (
      SELECT collection, item, max(at), count(*) AS count FROM (
        SELECT collection, item, at FROM linkTitle WHERE key = ? AND isFormer = 0 ORDER BY at DESC LIMIT ?
      ) GROUP BY collection
    ) t CROSS JOIN search_entry AS entry USING (collection, item) WHERE entry.part = 0
    """)

  /// The newest item of each title that begins so in each of these collections, the newest of all first, as hits that
  /// nothing has ranked.
  ///
  /// - Parameter typed: the beginning of a title, folded; of Korean its last letter may be half-typed.
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
      func ask(_ statement: KeptStatement, _ from: String) throws -> String? {
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

  /// How many items of a collection have this title now, at most `mostCounted`; 0 where its titles are not kept so.
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

/// How a title goes with what somebody has typed of it: the nearest first.
package enum TitleNearness: Int, Comparable, Sendable {
  /// It begins with what was typed, letter for letter.
  case beginsExactly
  /// It begins with what that may become, or with other diacritics.
  case begins
  /// One of its words does.
  case beginsWord
  case holds

  package static func < (left: TitleNearness, right: TitleNearness) -> Bool { left.rawValue < right.rawValue }

  /// - Parameters:
  ///   - typed: all that was typed, folded.
  ///   - query: the same as one term.
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
  private static let selectTitle = KeptStatement("SELECT title FROM search_body WHERE rowid = ?")

  /// The title of a hit, as it was indexed, without reading the page of its text.
  package static func title(of hit: RankedText, in db: Database) throws -> String? {
    try db.first(selectTitle, { $0.add(hit.row) }, { $0.text(0) })
  }
}
