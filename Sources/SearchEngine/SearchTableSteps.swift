import SQLite

/// Migrations from the tables of earlier versions. In a new library they have nothing to do.
extension SearchTables {
  /// Adds the column `lists` to the entries of an earlier version; a rebuild fills it in. An unfinished rebuild starts
  /// over.
  ///
  /// - Throws: `DatabaseError`.
  package static func addLists(in db: Database) throws {
    try dropNext(in: db)
    if try has("lists", in: db) { return }
    try db.execute("ALTER TABLE \(current.entry) ADD COLUMN lists INTEGER NOT NULL DEFAULT 0")
  }

  /// Moves the texts out of the entries' rows into a table of their own. The index stays unchanged: it refers to row
  /// numbers.
  ///
  /// - Throws: `DatabaseError`.
  package static func splitTexts(in db: Database) throws {
    if try !has("body", in: db) { return }
    // Its entries have the old columns, and another rebuild creates them again.
    try dropNext(in: db)
    // The view first: SQLite refuses to rename a table while a view refers to a missing one. Then in row order: a table
    // that is filled in this order is packed.
    try db.execute(
      """
      DROP VIEW search_source;
      ALTER TABLE \(current.entry) RENAME TO search_entry_former;
      """)
    try current.createRows(in: db)
    try db.execute(
      """
      INSERT INTO \(current.entry) (rowid, collection, item, part, at, lists)
        SELECT rowid, collection, item, part, at, lists FROM search_entry_former ORDER BY rowid;
      INSERT INTO \(current.body) (rowid, title, tags, body)
        SELECT rowid, title, tags, body FROM search_entry_former ORDER BY rowid;
      DROP TABLE search_entry_former;
      """)
    try createSource(in: db)
  }

  /// Drops the copy of FTS5's own sizes, now that these are in memory.
  ///
  /// - Throws: `DatabaseError`.
  package static func dropSizes(in db: Database) throws {
    guard try has("sizes", in: db) else { return }
    try dropNext(in: db)
    try db.execute("ALTER TABLE \(current.entry) DROP COLUMN sizes")
  }

  /// Adds the column `folds`: which characters the texts of an earlier version contain is unknown; a rebuild fills it
  /// in.
  ///
  /// - Throws: `DatabaseError`.
  package static func addFolds(in db: Database) throws {
    if try has("folds", in: db) { return }
    try dropNext(in: db)
    try db.execute("ALTER TABLE \(current.entry) ADD COLUMN folds INTEGER NOT NULL DEFAULT 1")
  }

  private static func dropNext(in db: Database) throws {
    try next.drop(in: db)
    try SearchIndex.noteNoRebuild(in: db)
  }

  private static func has(_ column: String, in db: Database) throws -> Bool {
    try db.columns(of: current.entry).contains(column)
  }
}
