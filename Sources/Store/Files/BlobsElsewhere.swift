import SQLite
import Wire

/// Blobs to which rows refer and whose files only other devices have: their rows were received without them.
///
/// Such a hash is in no row of `blob`: backups and exports contain what is here, and a check does not report it.
package enum BlobsElsewhere {
  static let table = "CREATE TABLE blobElsewhere (hash TEXT PRIMARY KEY) WITHOUT ROWID"

  private static let find = CachedStatement("SELECT 1 FROM blobElsewhere WHERE hash = ?")

  /// - Throws: `DatabaseError`.
  package static func contains(_ hash: String, in db: Database) throws -> Bool {
    try db.first(find, { $0.add(hash) }, { _ in true }) ?? false
  }

  /// Notes a blob that an item refers to, unless its file is here.
  ///
  /// - Throws: `StoreError.broken` for a text that is no hash, `DatabaseError`.
  static func note(_ hash: String, in db: Database) throws {
    guard BlobHash(hash) != nil else { throw StoreError.broken(path: "", reason: "badHash") }
    try db.run(
      "INSERT OR IGNORE INTO blobElsewhere (hash) SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM blob WHERE hash = ?1)",
      [.text(hash)])
  }
}
