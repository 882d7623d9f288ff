import SQLite

/// A file of the user's own to which an item is linked: its bytes stay where they are, and the library only reads them.
///
/// The link is this machine's: it is a note on a blob that is elsewhere. Devices and archives get the item without it,
/// and the note is dropped with the last item and the last stored version that refer to the hash. The file is never
/// written, moved or deleted.
package struct LinkedFile: Sendable, Equatable {
  /// Why the bytes could not be read when they were last used.
  package enum Problem: String, Sendable {
    /// There was no readable file at the path.
    case missing
    /// The file at the path had other bytes.
    case changed
  }

  package var path: String
  /// Differs whenever the file has changed since its bytes were last hashed.
  package var signature: String
  package var problem: Problem?

  package init(path: String, signature: String, problem: Problem? = nil) {
    (self.path, self.signature, self.problem) = (path, signature, problem)
  }

  static let columns = """
    ALTER TABLE blobElsewhere ADD COLUMN path TEXT;
    ALTER TABLE blobElsewhere ADD COLUMN signature TEXT;
    ALTER TABLE blobElsewhere ADD COLUMN problem TEXT;
    """

  private static let select = CachedStatement(
    "SELECT path, signature, problem FROM blobElsewhere WHERE hash = ? AND path IS NOT NULL")

  /// The file with these bytes; nil if they are not linked.
  ///
  /// - Throws: `DatabaseError`.
  package static func find(_ hash: String, in db: Database) throws -> LinkedFile? {
    try db.first(
      select, { $0.add(hash) },
      { row in
        LinkedFile(
          path: row.text(0), signature: row.optionalText(1) ?? "",
          problem: row.optionalText(2).flatMap(Problem.init(rawValue:)))
      })
  }

  /// Notes where the bytes with this hash are, unless the library has them itself.
  ///
  /// - Throws: `DatabaseError`.
  package func keep(as hash: String, in db: Database) throws {
    try db.run(
      """
      INSERT INTO blobElsewhere (hash, path, signature, problem)
      SELECT ?1, ?2, ?3, ?4 WHERE NOT EXISTS (SELECT 1 FROM blob WHERE hash = ?1)
      ON CONFLICT (hash) DO UPDATE SET path = excluded.path, signature = excluded.signature, problem = excluded.problem
      """, [.text(hash), .text(path), .text(signature), .text(problem?.rawValue)])
  }
}
