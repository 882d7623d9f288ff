import SQLite

/// The tables of an index that is not in use any more, on their way out of the file.
///
/// SQLite zeroes the pages that it frees where it was built with SECURE_DELETE, as Debian's is, and nothing of a forgotten
/// text is to be left in the file. `DROP TABLE` so writes every page of the index into the log in one transaction. The tables
/// are therefore renamed in the transaction that puts them out of use, which writes next to nothing, and are emptied in
/// slices after it, between which the log is moved into the library.
package enum DiscardedTables {
  /// Pages that one slice frees: 2 MiB.
  private static let slicePages = 512
  /// Rows between two looks at how many that are. A row of texts has the pages of a whole page of a document.
  private static let rowsAtOnce = 16

  /// FTS5's averages and its list of segments, of which it reads the latter before the table can be dropped: rows 1 and 10
  /// of its data (fts5_index.c).
  private static let indexHead = 10

  private static var tables: SearchTables { .discarded }

  package static func areThere(in db: Database) throws -> Bool {
    try !names(in: db).isEmpty
  }

  /// Puts the tables out of use. There must be no discarded ones.
  static func add(_ old: SearchTables, in db: Database) throws {
    for (name, new) in [(old.text, tables.text), (old.entry, tables.entry), (old.body, tables.body)] {
      guard try db.tableExists(name) else { continue }
      try db.execute("ALTER TABLE \(name) RENAME TO \(new)")
    }
  }

  /// Removes the next slice, in the caller's transaction.
  ///
  /// - Returns: Whether there was anything to remove, so that more may be left.
  package static func removeSlice(in db: Database) throws -> Bool {
    let names = try names(in: db)
    guard !names.isEmpty else { return false }
    // The tables of FTS5 itself cannot be written to otherwise. These belong to an index that nobody reads.
    try db.defend(false)
    defer { try? db.defend(true) }
    let free = try freePages(db)
    for name in names {
      let kept = name == tables.text + "_data" ? indexHead : -1
      let rows = "SELECT rowid FROM \(name) WHERE rowid > \(kept) ORDER BY rowid LIMIT \(rowsAtOnce)"
      while try freePages(db) - free < slicePages {
        try db.run("DELETE FROM \(name) WHERE rowid IN (\(rows))")
        if db.changesCount == 0 { break }
      }
      if try freePages(db) - free >= slicePages { return true }
    }
    try tables.drop(in: db)
    return true
  }

  /// Those of the tables that are there and have as many pages as there are texts. What is left of FTS5's goes with `DROP`.
  private static func names(in db: Database) throws -> [String] {
    let all = [tables.body, tables.text + "_data", tables.text + "_docsize", tables.entry]
    return try all.filter { try db.tableExists($0) }
  }

  private static func freePages(_ db: Database) throws -> Int {
    try db.first("PRAGMA freelist_count") { $0.int(0) } ?? 0
  }
}
