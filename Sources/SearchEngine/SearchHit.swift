import CTokenizer
import Glibc
import SQLite

/// A matching text, with the ranking data from memory. For the texts that are shown, `SearchIndex.hit` reads the rest.
package struct RankedText: Sendable {
  /// The row of `search_entry`: the last tie-breaker, the newest first.
  package var row: Int64
  /// More is better.
  package var rank: Double
  /// UTC milliseconds.
  package var at: Int64
  package var collection: CollectionNumber
  package var isPage: Bool
  /// See `SearchEntry.mayFold`.
  package var mayFold: Bool
  /// Equal for texts of one item; for other pairs of items equal with a probability of one in four thousand million.
  package var mark: UInt32
}

/// A matching text, and its item.
package struct SearchHit: Sendable {
  package var collection: String
  package var item: String
  /// The item to which the text belongs, if it differs from the one it was indexed with; otherwise nil.
  package var owner: String?
  package var part: Int
  /// UTC milliseconds.
  package var at: Int64
}

extension RankedText {
  /// A text of today ranks a quarter above the same text of long ago; the advantage halves in half a year.
  private static let recency = 0.25
  private static let halfLife = 182.0 * 86_400_000

  /// The rank for a score.
  static func rank(_ score: Double, at: Int64, lists: Bool, now: Int64) -> Double {
    let age = max(0, Double(now - at))
    return score * (lists ? ListedPage.share : 1) * (1 + recency * exp2(-age / halfLife))
  }

  /// From a row of `columns`.
  package init(_ entry: Columns, score: Double, now: Int64) {
    let (at, item) = (entry.integer(3), entry.bytes(1))
    self.init(
      row: entry.integer(4), rank: Self.rank(score, at: at, lists: entry.bool(5), now: now), at: at,
      collection: CollectionNumber(entry.bytes(0)), isPage: entry.integer(2) > 0, mayFold: entry.bool(6),
      mark: cp_figures_mark(item.baseAddress, item.count))
  }

  /// From a row with the row of a text, its score and its statistics; nil if the statistics are not known.
  init?(_ row: Columns, now: Int64) {
    let bytes = UnsafeRawBufferPointer(row.bytes(2))
    guard bytes.count == MemoryLayout<cp_figures>.size else { return nil }
    let figures = bytes.loadUnaligned(as: cp_figures.self)
    self.init(
      row: row.integer(0), rank: Self.rank(row.real(1), at: figures.at, lists: figures.lists, now: now), at: figures.at,
      collection: CollectionNumber(figure: figures.collection), isPage: figures.is_page,
      mayFold: figures.may_fold, mark: figures.item)
  }

  package static let columns = "collection, item, part, at, entry.rowid, lists, folds"
}

extension SearchIndex {
  private static let selectEntry = CachedStatement(
    "SELECT collection, item, part FROM search_entry WHERE rowid = ?")
  private static let selectWhole = CachedStatement(
    """
    SELECT collection, item, part, title, body, tags
    FROM search_entry AS entry CROSS JOIN search_body AS texts ON texts.rowid = entry.rowid WHERE entry.rowid = ?
    """)

  /// The item of a text; nil if the text does not exist any more.
  ///
  /// - Throws: `DatabaseError`.
  package static func hit(of text: RankedText, in db: Database) throws -> SearchHit? {
    try db.first(selectEntry, { $0.add(text.row) }, { SearchHit(text, $0) })
  }

  /// The same, with the text as it was indexed.
  ///
  /// - Throws: `DatabaseError`.
  package static func texts(
    of text: RankedText, in db: Database
  ) throws -> (hit: SearchHit, title: String, body: String, tags: String)? {
    try db.first(
      selectWhole, { $0.add(text.row) },
      { row in (hit: SearchHit(text, row), title: row.text(3), body: row.text(4), tags: row.text(5)) })
  }
}

extension SearchHit {
  /// From a row with its collection, item and part. These are not taken from memory, which has the newest state: in the
  /// reader's snapshot the row may belong to another text.
  fileprivate init(_ text: RankedText, _ row: Columns) {
    self.init(collection: row.text(0), item: row.text(1), part: row.int(2), at: text.at)
  }
}
