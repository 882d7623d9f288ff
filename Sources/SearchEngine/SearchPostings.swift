import SQLite

/// The texts that a question finds, as they lie in the index: not ranked.
package struct SearchPostings: Sendable {
  /// Rows of `search_entry`, the oldest first.
  package var rows: [Int64]
  /// Whether these are all that there are.
  package var isWhole: Bool
  /// How many there are; where not all were read, as many as there would be if the rest were like the part that was.
  package var estimate: Int
}

extension SearchIndex {
  /// The first `most` texts of a collection that match.
  ///
  /// Of one word it costs no more than `most` places of a list, however common the word is. Words that must stand
  /// together, or be in one text, are looked for through all of their lists until so many were found. Of a beginning of
  /// very many words only what is surely found is told, and it counts as being everywhere: see `WideQuery`.
  package static func postings(
    of query: MatchQuery, in collection: String, most: Int, db: Database
  ) throws -> SearchPostings {
    let wide = try WideQuery(query, widths: PrefixWidths(db: db))
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

  /// The row of the text that came last, or 0: as many texts as there are at most.
  package static func lastRow(in db: Database) throws -> Int {
    try db.first("SELECT coalesce(max(rowid), 0) FROM search_entry") { $0.int(0) } ?? 0
  }

  /// What a row is a text of.
  package static func entry(of row: Int64, in db: Database) throws -> (item: String, part: Int)? {
    try db.first("SELECT item, part FROM search_entry WHERE rowid = ?", [.integer(Int(row))]) { columns in
      (item: columns.text(0), part: columns.int(1))
    }
  }
}
