import Features
import Foundation
import Kit
import SQLite
import SearchEngine
import TestSupport
import Testing

@testable import Store

/// The tables of a library that is opened for the first time.
@Suite struct NewLibraryTests {
  @Test("a new library has the tables, the migrations and the pages of one that was migrated in steps")
  func steps() throws {
    let (new, migrated) = (TemporaryFolder(), TemporaryFolder())
    try Store.toys(in: new, beside: AllFeatures.features).close()
    // With a table in it, no library is new.
    let table = "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"
    try OldLibraries.begin(in: migrated, "PRAGMA auto_vacuum = INCREMENTAL; \(table)")
    try Store.toys(in: migrated, beside: AllFeatures.features).close()
    let found = try [new, migrated].map { try Contents(in: $0) }
    #expect(found[0].schema == found[1].schema)
    #expect(found[0].rows == found[1].rows)
    #expect(found[0].migrations == Contents.known)
    #expect(found[1].migrations == Contents.known)
    // What is removed is given back to the disk.
    #expect(found[0].vacuum == 2)
  }

  @Test("two new libraries are equal but for their ids, and each is its own")
  func own() throws {
    let folders = [TemporaryFolder(), TemporaryFolder()]
    for folder in folders { try Store.toys(in: folder).close() }
    let found = try folders.map { try Contents(in: $0) }
    #expect(found[0] == found[1])
    let first = try Database(path: LibraryFolder(folders[0].file("library")).database)
    try first.execute("DROP TABLE toy")
    try first.close()
    #expect(try Contents(in: folders[1]) == found[1])
    let third = TemporaryFolder()
    try Store.toys(in: third).close()
    #expect(try Contents(in: third) == found[1])
  }

  @Test("a database of another program is not replaced by a new library")
  func other() throws {
    let folder = TemporaryFolder()
    try OldLibraries.begin(in: folder, "CREATE TABLE recipe (title TEXT); INSERT INTO recipe VALUES ('Soup')")
    try Store.toys(in: folder).close()
    let database = try Database(path: LibraryFolder(folder.file("library")).database, access: .reading)
    #expect(try database.texts("SELECT title FROM recipe") == ["Soup"])
    #expect(try database.tableExists("toy"))
  }

  /// What the migrations of a library made.
  private struct Contents: Equatable {
    var schema: [String]
    var migrations: [String]
    var rows: [String: Int] = [:]
    var vacuum: Int?

    static var known: [String] {
      (Migrations.store + (AllFeatures.features + [ToyFeature.feature]).flatMap(\.migrations)).map(\.name).sorted()
    }

    init(in folder: TemporaryFolder) throws {
      let database = try Database(path: LibraryFolder(folder.file("library")).database) { try SearchIndex.prepare($0) }
      schema = try database.texts("SELECT type || name || ifnull(sql, '') FROM sqlite_schema ORDER BY type, name")
      migrations = try database.texts("SELECT identifier FROM grdb_migrations ORDER BY 1")
      for table in try database.texts("SELECT name FROM sqlite_schema WHERE type = 'table'") {
        rows[table] = try database.integer("SELECT count(*) FROM \"\(table)\"")
      }
      vacuum = try database.integer("PRAGMA auto_vacuum")
      try database.close()
    }
  }
}
