import Kit
import SQLite

extension PassageSource {
  /// How many rows are tried for each draw.
  private static let tries = 200

  /// Items by chance, each as likely as any other; all in random order if there are no more.
  ///
  /// Rows have successive numbers, with gaps where one was removed. So a random number that is a row's costs one look
  /// into the table, however many it has. Where few rows have passages, these are listed.
  ///
  /// - Throws: `DatabaseError`.
  func draw(_ count: Int, in db: Database) throws -> [String] {
    let ends = try db.first("SELECT (SELECT min(rowid) FROM \(table)), (SELECT max(rowid) FROM \(table))") {
      row -> (Int64, Int64)? in row.isNull(0) ? nil : (row.integer(0), row.integer(1))
    }
    guard let (first, last) = ends ?? nil else { return [] }
    if UInt64(bitPattern: last &- first) >= UInt64(Self.tries) {
      var (items, tried): ([String], Set<Int64>) = ([], [])
      for _ in 0..<Self.tries {
        if items.count == count { return items }
        let row = Int64.random(in: first...last)
        guard tried.insert(row).inserted else { continue }
        let item = try db.first("SELECT id FROM \(table) WHERE rowid = ? AND (\(condition))", [.integer(row)]) {
          $0.text(0)
        }
        if let item { items.append(item) }
      }
    }
    return try db.texts("SELECT id FROM (\(items)) ORDER BY random() LIMIT ?", [.integer(count)])
  }
}
