import Contract
import Glibc
import SQLite
import SearchEngine
import Synchronization

/// One numbered schema migration, `projects/001`. Once released it is never changed.
package struct Migration: Sendable {
  package let name: String
  package let run: @Sendable (Database) throws -> Void

  package init(_ name: String, _ run: @escaping @Sendable (Database) throws -> Void) {
    self.name = name
    self.run = run
  }

  /// A migration given as SQL.
  package init(_ name: String, sql: String) {
    self.init(name) { try $0.execute(sql) }
  }
}

package enum Migrations {
  static let store = [
    Migration("store/001") { db in
      try ChangeLog.createTables(in: db)
      try SearchIndex.create(in: db)
    },
    Migration("store/002") { try ChunkedCommitGroup.createTables(in: $0) },
    Migration("store/003") { try LinkTables.create(in: $0) },
    // A new library already has it after the first migration.
    Migration("store/004") { try SearchTables.addLists(in: $0) },
    Migration("store/005") { try SearchTables.current.configureMerging(in: $0) },
    // Once more, with later additions.
    Migration("store/006") { try SearchTables.current.configureMerging(in: $0) },
    // A new library already has both, as with store/004.
    Migration("store/007") { try SearchTables.splitTexts(in: $0) },
    Migration("store/008") { try SearchTables.dropSizes(in: $0) },
    Migration("store/009") { try SearchTables.addFolds(in: $0) },
    Migration("store/010", sql: "ALTER TABLE commits ADD COLUMN reason TEXT"),
    Migration("store/011", sql: TextTables.sql),
    Migration("store/012", sql: BlobsElsewhere.table),
    // Titles that arrived from another device had the time of their arrival.
    Migration(
      "store/013", sql: "UPDATE linkState SET isFilling = 1 WHERE EXISTS (SELECT 1 FROM commits WHERE client = 'sync')"),
    Migration("store/014", sql: ForgottenVersions.table),
    Migration("store/015", sql: LinkedFile.columns),
  ]

  /// Migrates a library to this version.
  ///
  /// - Throws: `newer` for a library with migrations that this version does not have; it stays unchanged.
  ///   `noRoomForSteps` if the disk is too full; the library stays as it was.
  static func run(
    _ migrations: [Migration], on db: Database, path: String, freeBytes: (String) -> Int64?, log: Log
  ) throws {
    let all = store + migrations
    // On the writer's connection, which is already open: another connection would first have to read the whole schema.
    let applied = try applied(in: db)
    try check(applied, all, path: path)
    guard applied.count < all.count else { return }
    if try isEmpty(db) { return try create(all, in: db) }
    let split = try TextSplit(db, path: path, freeBytes: freeBytes, log: log)
    do {
      try apply(all.filter { !applied.contains($0.name) }, to: db)
    } catch {
      throw split.map { $0.failure(error) } ?? error
    }
  }

  /// Refuses a newer library before it is opened for writing, which sets its journal mode: a newer library must stay
  /// unchanged. A library with a WAL is checked by `run`.
  static func refuseNewer(_ migrations: [Migration], at file: String, path: String) throws {
    var information = stat()
    guard stat(file, &information) == 0, stat(file + "-wal", &information) != 0 || information.st_size == 0 else {
      return
    }
    // If it cannot be read, opening the library reports the error.
    let applied = try? applied(in: Database(path: file, access: .reading))
    try check(applied ?? [], store + migrations, path: path)
  }

  /// Refuses an external library that contains SQL which no migration of ours created: a trigger would run with every
  /// write, and a view in place of a table with every read.
  ///
  /// Called before the migrations, which write, with the library as it was imported, and after them. The triggers are
  /// compared with those that the library's migrations create. The views are compared only after the migrations, since
  /// an earlier version may have created other ones; before, only their names are compared.
  ///
  /// - Returns: Whether the library has any triggers or views. A library without any has only ours after the
  ///   migrations.
  /// - Throws: `broken` for a library with external programs.
  static func refuseForeignPrograms(
    _ migrations: [Migration], in db: Database, path: String, isCurrent: Bool
  ) throws -> Bool {
    let found = try programs(db, withViews: isCurrent)
    // So a new library is opened without creating a second one for comparison.
    guard !found.isEmpty else { return false }
    let applied = try applied(in: db)
    let ours = try withNewLibrary((store + migrations).filter { applied.contains($0.name) }, like: db) { new in
      try programs(new, withViews: isCurrent)
    }
    guard found.isSubset(of: ours) else { throw StoreError.broken(path: path, reason: "foreignTriggers") }
    return true
  }

  /// The triggers with their SQL, and the views with their SQL or by name. Numbers in the view of the search index
  /// depend on the version of the tokenizer that built it, so they are ignored.
  private static func programs(_ db: Database, withViews: Bool) throws -> Set<[String]> {
    var programs: Set<[String]> = []
    try db.each("SELECT type, name, sql FROM sqlite_schema WHERE type IN ('trigger', 'view')") { row in
      let sql = row.text(0) == "trigger" ? row.text(2) : withViews ? row.text(2).filter { !$0.isNumber } : ""
      programs.insert([row.text(0), row.text(1), sql])
    }
    return programs
  }

  // MARK: - New libraries

  /// The new libraries of this process, by the names of their migrations; nil to keep none. Tests open thousands in one
  /// process, and their tables would take longer than what is tested.
  package static let kept = Mutex<[[String]: Database]?>(nil)

  /// Creates the tables of a new library in memory and copies them in one transaction: each migration in its own would
  /// wait for the disk as often, and a library that was only begun would be migrated by a later version.
  private static func create(_ all: [Migration], in db: Database) throws {
    try withNewLibrary(all, like: db) { try $0.backUp(to: db, pagesPerStep: -1) }
  }

  /// Calls `body` with the tables of these migrations, in memory and in pages of the size of those of `db`.
  private static func withNewLibrary<Result: Sendable>(
    _ migrations: [Migration], like db: Database, _ body: (Database) throws -> Result
  ) throws -> Result {
    try kept.withLock { kept in
      let names = migrations.map(\.name)
      let new = try kept?[names] ?? inMemory(migrations, pageSize: db.first("PRAGMA page_size") { $0.integer(0) })
      kept?[names] = new
      return try body(new)
    }
  }

  private static func inMemory(_ migrations: [Migration], pageSize: Int64?) throws -> Database {
    let new = try Database(path: Database.inMemory) { db in
      try SearchIndex.prepare(db)
      // A log takes pages of one size only.
      if let pageSize { try db.execute("PRAGMA page_size = \(pageSize)") }
      try SpaceReclaimer.enable(in: db)
    }
    try apply(migrations, to: new)
    return new
  }

  /// Whether nothing was ever written into the file; a database of another program has other tables.
  private static func isEmpty(_ db: Database) throws -> Bool {
    try db.first("SELECT 1 FROM sqlite_schema") { _ in } == nil
  }

  // MARK: - Applied migrations

  // The table is named after the library that created it first: every version knows it by this name.

  /// The names of a library's migrations; empty if it is new.
  private static func applied(in db: Database) throws -> Set<String> {
    do {
      return Set(try db.texts("SELECT identifier FROM grdb_migrations"))
    } catch {
      guard let isThere = try? db.tableExists("grdb_migrations"), !isThere else { throw error }
      return []
    }
  }

  /// Runs migrations, each in its own transaction, which also records it.
  private static func apply(_ steps: [Migration], to db: Database) throws {
    try db.execute("CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
    for step in steps {
      try db.transaction {
        try step.run(db)
        try db.run("INSERT INTO grdb_migrations (identifier) VALUES (?)", [.text(step.name)])
      }
    }
  }

  private static func check(_ applied: Set<String>, _ known: [Migration], path: String) throws {
    let unknown = applied.subtracting(known.map(\.name))
    guard unknown.isEmpty else { throw StoreError.newer(path: path, unknown: unknown.sorted()) }
  }
}
