import SQLite

/// The texts that match a query, in index order, without ranks.
package struct SearchPostings: Sendable {
  /// Rows of `search_entry`, oldest first.
  package var rows: [Int64]
  /// Whether these are all matches.
  package var isWhole: Bool
  /// The number of matches; if not all were read, extrapolated from the part that was.
  package var estimate: Int
}

extension SearchIndex {
  /// The first `most` matching texts of a collection.
  ///
  /// For one word this reads at most `most` positions of a list, however common the word is. For phrases and several
  /// words all of their lists are read until there are enough matches. For a frequent prefix only certain matches are
  /// returned, and the estimate treats it as matching every text: see `FrequentPrefixQuery`.
  ///
  /// - Throws: `DatabaseError`.
  package static func postings(
    of query: MatchQuery, in collection: String, most: Int, db: Database
  ) throws -> SearchPostings {
    let wide = try FrequentPrefixQuery(query, frequencies: PrefixFrequencies(db: db))
    let asked = wide.map { $0.known ?? MatchQuery(nil) } ?? query
    guard let expression = MatchExpression(asked, collections: [collection], isRanked: false) else {
      return SearchPostings(rows: [], isWhole: wide == nil, estimate: wide == nil ? 0 : try lastRow(in: db))
    }
    var rows: [Int64] = []
    try db.each(
      "SELECT rowid FROM search_text WHERE search_text MATCH ? ORDER BY rowid LIMIT ?",
      [.text(expression.match), .integer(most + 1)]
    ) { rows.append($0.integer(0)) }
    guard rows.count > most, let last = rows.last else {
      return SearchPostings(
        rows: rows, isWhole: wide == nil, estimate: wide == nil ? rows.count : try lastRow(in: db))
    }
    rows.removeLast()
    let all = try Int64(lastRow(in: db))
    return SearchPostings(
      rows: rows, isWhole: false, estimate: Int(Double(rows.count) * Double(all) / Double(max(1, last))))
  }

  /// The row of the newest text, or 0: an upper bound of the number of texts.
  ///
  /// - Throws: `DatabaseError`.
  package static func lastRow(in db: Database) throws -> Int {
    try db.first("SELECT coalesce(max(rowid), 0) FROM search_entry") { $0.int(0) } ?? 0
  }

  private static let selectEntry = CachedStatement("SELECT item, part FROM search_entry WHERE rowid = ?")

  /// The item and part of a row; nil if it does not exist.
  ///
  /// - Throws: `DatabaseError`.
  package static func entry(of row: Int64, in db: Database) throws -> (item: String, part: Int)? {
    try db.first(selectEntry, { $0.add(row) }, { columns in (item: columns.text(0), part: columns.int(1)) })
  }
}
