import HTTP
import Store
import Wire

/// Every file that a document has or once had, each with its server's validators for a conditional request. Bytes
/// that a document once had match that document.
enum DocumentBytes {
  static func note(
    _ hash: String, of document: String, validators: Validators?, in transaction: Transaction
  ) throws {
    try transaction.db.run(
      """
      INSERT INTO documentBytes (hash, document, validators) VALUES (?, ?, ?)
      ON CONFLICT (hash, document) DO UPDATE SET validators = coalesce(excluded.validators, validators)
      """, [.text(hash), .text(document), .text(try validators.map { try StoredJSON($0).json })])
  }

  /// Nil if the server sent none, and for bytes that were not downloaded.
  static func validators(of hash: String, document: String, in snapshot: Snapshot) throws -> Validators? {
    try snapshot.db.first(
      "SELECT validators FROM documentBytes WHERE hash = ? AND document = ?", [.text(hash), .text(document)]
    ) { $0.optionalText(0) }.flatMap(\.self).flatMap { try? StoredJSON(stored: $0).value() }
  }
}
