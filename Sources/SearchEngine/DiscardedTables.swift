import SQLite

/// Tables of an index that is no longer used, until they are deleted from the file.
///
/// A forgotten text must leave no trace in the file, and SQLite zeroes the pages that it frees if it was built with
/// SECURE_DELETE, as Debian's is. So `DROP TABLE` writes every page of the index to the WAL in one transaction.
/// Therefore the tables are only renamed in the transaction that replaces them, which writes next to nothing, and are
/// emptied in slices after it, between which the WAL is checkpointed.
package enum DiscardedTables {
  /// Pages that one slice frees: 2 MiB.
  private static let slicePages = 512
  /// Rows that are deleted between two checks of the number of freed pages. A row of texts has the pages of a whole
  /// page of a document.
  private static let rowsAtOnce = 16

  /// FTS5's averages and its list of segments, which it reads before the table can be dropped: rows 1 and 10 of its
  /// data (fts5_index.c).
  private static let indexHead = 10

  private static var tables: SearchTables { .discarded }

  /// - Throws: `DatabaseError`.
  package static func areThere(in db: Database) throws -> Bool {
    try !names(in: db).isEmpty
  }

  /// Renames the tables. There must be no discarded ones.
  static func add(_ old: SearchTables, in db: Database) throws {
    for (name, new) in [(old.text, tables.text), (old.entry, tables.entry), (old.body, tables.body)] {
      guard try db.tableExists(name) else { continue }
      try db.execute("ALTER TABLE \(name) RENAME TO \(new)")
    }
  }

  /// Deletes the next slice, in the caller's transaction.
  ///
  /// - Returns: Whether there was anything to delete, so that more may be left.
  /// - Throws: `DatabaseError`.
  package static func removeSlice(in db: Database) throws -> Bool {
    let names = try names(in: db)
    guard !names.isEmpty else { return false }
    // SQLite in defensive mode refuses writes to the tables of FTS5 itself. These belong to an index that is not read
    // any more.
    try db.defend(false)
    defer { try? db.defend(true) }
    let free = try freePages(db)
    for name in names {
      let retained = name == tables.text + "_data" ? indexHead : -1
      let rows = "SELECT rowid FROM \(name) WHERE rowid > \(retained) ORDER BY rowid LIMIT \(rowsAtOnce)"
      while try freePages(db) - free < slicePages {
        try db.run("DELETE FROM \(name) WHERE rowid IN (\(rows))")
        if db.changesCount == 0 { break }
      }
      if try freePages(db) - free >= slicePages { return true }
    }
    try tables.drop(in: db)
    return true
  }

  /// The existing tables that have about as many pages as there are texts. FTS5's other tables are removed by `DROP`.
  private static func names(in db: Database) throws -> [String] {
    let all = [tables.body, tables.text + "_data", tables.text + "_docsize", tables.entry]
    return try all.filter { try db.tableExists($0) }
  }

  private static func freePages(_ db: Database) throws -> Int {
    try db.first("PRAGMA freelist_count") { $0.int(0) } ?? 0
  }
}
