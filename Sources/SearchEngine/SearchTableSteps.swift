import SQLite

/// Steps from the tables of earlier versions. In a new library they find everything done.
extension SearchTables {
  /// Gives the entries of an earlier version what they lack; a rebuild fills it in. One that was begun is begun anew.
  package static func addLists(in db: Database) throws {
    try dropNext(in: db)
    if try has("lists", in: db) { return }
    try db.execute("ALTER TABLE \(current.entry) ADD COLUMN lists INTEGER NOT NULL DEFAULT 0")
  }

  /// Takes the texts out of the entries, which were one row with them. The index stays as it is: it goes by the numbers of
  /// rows.
  package static func splitTexts(in db: Database) throws {
    if try !has("body", in: db) { return }
    // Its entries are of the former kind, and another rebuild makes them anew.
    try dropNext(in: db)
    // The view first: SQLite renames no table while a view names one that is not there. Then in the order of the rows: a
    // table that is filled so is packed.
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

  /// Takes away what was a copy of FTS5's own sizes, now that these are in memory.
  package static func dropSizes(in db: Database) throws {
    guard try has("sizes", in: db) else { return }
    try dropNext(in: db)
    try db.execute("ALTER TABLE \(current.entry) DROP COLUMN sizes")
  }

  /// Of the texts of an earlier version it is not known which letters they have; a rebuild fills it in.
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
