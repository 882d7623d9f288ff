import SQLite

/// The matching texts of some collections, as an SQL statement of their rows: for lists with an order of their own.
///
/// An unfinished word may be a frequent prefix; then it matches as a word, in titles, and in the newest texts of these
/// collections: see `FrequentPrefixQuery`.
package struct MatchingRows: Sendable {
  /// A statement with one column, `rowid`, without duplicates.
  package private(set) var sql: String
  package private(set) var values: [SQLValue]
  /// Whether all matching texts are included.
  package private(set) var isAll: Bool

  /// The number of newest texts that are scanned for a frequent prefix.
  package static let lookedThrough = 1_000

  /// Nil for an empty query.
  ///
  /// - Parameter part: every term must be in this part.
  /// - Throws: `DatabaseError`.
  package init?(_ query: MatchQuery, in collections: [String], part: SearchPart? = nil, db: Database) throws {
    guard let expression = MatchExpression(query, collections: collections, part: part, isRanked: false) else {
      return nil
    }
    guard let wide = try FrequentPrefixQuery(query, frequencies: PrefixFrequencies(db: db), part: part) else {
      (sql, values, isAll) = (Self.matches, [.text(expression.match)], true)
      return
    }
    var rows: [Int64] = []
    isAll = wide.isComplete
    for scan in wide.scans {
      let (found, hasAll) = try scan.rows(in: collections, part: part, most: Self.lookedThrough, db: db)
      rows += found
      isAll = isAll && hasAll
    }
    sql = "SELECT value AS rowid FROM json_each(?)"
    values = [.text("[" + rows.map(String.init).joined(separator: ",") + "]")]
    let known = wide.known.flatMap { MatchExpression($0, collections: collections, part: part, isRanked: false) }
    if let known {
      sql = "\(Self.matches) UNION \(sql)"
      values.insert(.text(known.match), at: 0)
    }
  }

  private static let matches = "SELECT rowid FROM search_text WHERE search_text MATCH ?"
}

extension FrequentPrefixQuery.TextScan {
  /// The newest texts that match, and whether these are all matches.
  fileprivate func rows(
    in collections: [String], part: SearchPart?, most: Int, db: Database
  ) throws -> (rows: [Int64], isAll: Bool) {
    // Without words the condition is not restricted to a part.
    let query = words ?? MatchQuery(.within(collections))
    guard
      let expression = MatchExpression(
        query, collections: collections, part: words == nil ? nil : part, isRanked: false)
    else { return ([], true) }
    var (rows, seen) = ([Int64](), 0)
    try db.each(
      """
      SELECT id, \(condition.sql) FROM (
        SELECT rowid AS id FROM search_text WHERE search_text MATCH ? ORDER BY rowid DESC LIMIT ?
      ) CROSS JOIN search_body AS texts ON texts.rowid = id
      """, condition.values + [.text(expression.match), .integer(most)]
    ) { row in
      seen += 1
      if row.bool(1) { rows.append(row.integer(0)) }
    }
    return (rows, seen < most)
  }
}
