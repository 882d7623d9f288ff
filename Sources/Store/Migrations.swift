import GRDB

/// One numbered step of the tables, `projects/001`. Once released it is never changed.
package struct Migration: Sendable {
  package let name: String
  package let run: @Sendable (Database) throws -> Void

  package init(_ name: String, _ run: @escaping @Sendable (Database) throws -> Void) {
    self.name = name
    self.run = run
  }

  /// Steps given as SQL.
  package init(_ name: String, sql: String) {
    self.init(name) { try $0.execute(sql: sql) }
  }
}

enum Migrations {
  static let store = [
    Migration("store/001") { db in
      try ChangeLog.createTables(in: db)
      try SearchIndex.create(in: db)
    },
    Migration("store/002") { try Series.createTables(in: $0) },
  ]

  /// Brings a library to this version. A library that knows steps which we do not was written by a newer version and
  /// is left alone.
  static func run(_ migrations: [Migration], on pool: DatabasePool, path: String) throws {
    var migrator = DatabaseMigrator()
    for migration in store + migrations {
      migrator.registerMigration(migration.name) { try migration.run($0) }
    }
    let known = migrator.migrations
    // By a reader: whatever the writer's connection has read, it empties the log when it closes, and a newer library is
    // to be left as it is.
    let applied = try pool.read { try migrator.appliedIdentifiers($0) }
    let unknown = applied.subtracting(known)
    guard unknown.isEmpty else { throw StoreError.newer(path: path, unknown: unknown.sorted()) }
    if applied.count < known.count { try migrator.migrate(pool) }
  }
}
