import SQLite
import Store

/// Libraries that no daemon of this version would leave behind.
package enum OldLibraries {
  /// Changes the library file of a library that nobody owns.
  package static func execute(_ sql: String, in folder: LibraryFolder) throws {
    let database = try Database(path: folder.database)
    try database.write { try $0.execute(sql) }
    try database.close()
  }

  /// Makes the library file of a library that nobody has opened yet.
  package static func begin(in folder: TemporaryFolder, _ sql: String) throws {
    let library = LibraryFolder(folder.file("library"))
    try library.prepare()
    try execute(sql, in: library)
  }

  /// As if a newer version had written it.
  package static func addMigration(_ name: String, to folder: LibraryFolder) throws {
    try execute("INSERT INTO grdb_migrations (identifier) VALUES ('\(name)')", in: folder)
  }

  /// As a version made it that never gave unused pages back.
  package static func forbidVacuum(in folder: LibraryFolder) throws {
    let database = try Database(path: folder.database)
    try database.execute("PRAGMA auto_vacuum = NONE; VACUUM")
    try database.close()
  }
}
