import SQLite
import Wire

/// Blobs to which rows refer and whose bytes are not in the library: only other devices have them, for the rows were
/// received without them, or they are in a file of the user's own (`LinkedFile`).
///
/// Such a hash is in no row of `blob`: backups and exports contain what is here, and a check does not report it.
///
/// An item may have no file anywhere yet, such as a reference whose PDF nobody has added. Its hash is none of any bytes
/// then: it is derived from the item's id, and begins as no SHA-256 will. Older versions see a file that does not arrive.
package enum BlobsElsewhere {
  /// The beginning of the hashes of no file.
  package static let noFile = String(repeating: "f", count: 16)

  /// The hash of an item that has no file yet, which no other item has.
  package static func noFile(of item: String) -> String {
    noFile + Blobs.hash(of: Array(item.utf8)).prefix(64 - noFile.utf8.count)
  }

  /// Whether this is the hash of an item that has no file yet.
  package static func isNoFile(_ hash: String) -> Bool { hash.utf8.starts(with: noFile.utf8) }

  static let table = "CREATE TABLE blobElsewhere (hash TEXT PRIMARY KEY) WITHOUT ROWID"

  private static let find = CachedStatement("SELECT 1 FROM blobElsewhere WHERE hash = ? AND path IS NULL")

  /// Whether only other devices have the bytes.
  ///
  /// - Throws: `DatabaseError`.
  package static func contains(_ hash: String, in db: Database) throws -> Bool {
    try db.first(find, { $0.add(hash) }, { _ in true }) ?? false
  }

  /// Notes a blob that an item refers to, unless its file is here.
  ///
  /// - Throws: `StoreError.broken` for a text that is no hash, `DatabaseError`.
  package static func note(_ hash: String, in db: Database) throws {
    guard BlobHash(hash) != nil else { throw StoreError.broken(path: "", reason: "badHash") }
    try db.run(
      "INSERT OR IGNORE INTO blobElsewhere (hash) SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM blob WHERE hash = ?1)",
      [.text(hash)])
  }
}
