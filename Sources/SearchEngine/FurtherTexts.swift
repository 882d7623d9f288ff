import SQLite

/// The matches that follow the ranked ones, so that a list can be paged to its end: in falling order of their rows, which is
/// the same however often it is requested, and mostly the newest first.
///
/// A query with an expensive prefix (`FrequentPrefixQuery`) has none: its stand-in is ranked in full.
package struct FurtherTexts {
  private let expression: MatchExpression
  private let collections: [String]?
  private let condition: SearchCondition?
  private var filter: FilterRows?
  private let now: Int64
  private let db: Database

  /// Nil where nothing follows, whatever matches.
  ///
  /// - Throws: `DatabaseError`.
  package init?(
    of query: MatchQuery, collections: [String]?, where condition: SearchCondition?, now: Int64, in db: Database
  ) throws {
    guard try FrequentPrefixQuery(query, frequencies: PrefixFrequencies(db: db)) == nil,
      let expression = MatchExpression(query, collections: collections, isRanked: false)
    else { return nil }
    (self.expression, self.collections, self.condition) = (expression, collections, condition)
    (self.now, self.db) = (now, db)
    filter = condition.map { FilterRows($0) }
  }

  /// The next matches, at most so many.
  ///
  /// - Parameter row: they have lesser rows.
  /// - Throws: `DatabaseError`.
  package mutating func texts(below row: Int64, most: Int) throws -> [RankedText] {
    // The rows of a selective filter are known: a scan of all texts for them would read most of the library.
    guard let selected = try filter?.selected(in: db), selected.isWhole else {
      return try texts(in: .below(row), most: most)
    }
    var found: [RankedText] = []
    for piece in SearchIndex.pieces(of: selected.rows(of: collections).drop { $0 >= row }) where found.count < most {
      found += try texts(in: piece, most: most - found.count)
    }
    return found
  }

  private func texts(in piece: RowPiece, most: Int) throws -> [RankedText] {
    var matched = expression.texts(in: piece, where: condition)
    (matched.score, matched.scoreValues) = ("0.0", [])
    return try SearchIndex.newest(matched, most: most, now: now, in: db)
  }

  /// How many texts of an item match, whose rows lie between these, and their parts, at most so many, in order.
  ///
  /// - Throws: `DatabaseError`.
  package func parts(of item: String, in collection: String, most: Int) throws -> (count: Int, parts: [Int]) {
    let bounds = try db.first(
      "SELECT min(rowid), max(rowid) FROM search_entry WHERE collection = ? AND item = ?",
      [.text(collection), .text(item)]
    ) { row in row.isNull(0) ? nil : (row.integer(0), row.integer(1)) }
    guard let (first, last) = bounds.flatMap(\.self) else { return (0, []) }
    var parts: [Int] = []
    try db.each(
      """
      SELECT entry.part FROM search_text CROSS JOIN search_entry AS entry ON entry.rowid = search_text.rowid
      WHERE search_text MATCH ? AND search_text.rowid BETWEEN ? AND ?
        AND entry.collection = ? AND entry.item = ? AND (\(condition?.sql ?? "1"))
      """,
      [.text(expression.match), .integer(first), .integer(last), .text(collection), .text(item)]
        + (condition?.values ?? [])
    ) { parts.append($0.int(0)) }
    return (parts.count, Array(parts.sorted().prefix(most)))
  }

  /// Whether a text of the item matches that has a greater row.
  ///
  /// - Throws: `DatabaseError`.
  package func hasText(of item: String, in collection: String, above row: Int64) throws -> Bool {
    let last = try db.first(
      "SELECT max(rowid) FROM search_entry WHERE collection = ? AND item = ?", [.text(collection), .text(item)]
    ) { $0.isNull(0) ? nil : $0.integer(0) }
    guard let last = last.flatMap(\.self), last > row else { return false }
    return try db.first(
      """
      SELECT 1 FROM search_text CROSS JOIN search_entry AS entry ON entry.rowid = search_text.rowid
      WHERE search_text MATCH ? AND search_text.rowid BETWEEN ? AND ?
        AND entry.collection = ? AND entry.item = ? AND (\(condition?.sql ?? "1")) LIMIT 1
      """,
      [.text(expression.match), .integer(row == .min ? row : row + 1), .integer(last), .text(collection), .text(item)]
        + (condition?.values ?? [])
    ) { _ in true } ?? false
  }
}
