import HTTP
import Store
import Wire

/// Every file that a document is or once was, each with what its server gave to ask for newer bytes with. Bytes that a
/// document once had answer that document.
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

  /// Nil where the server gave none, and of bytes that did not come from one.
  static func validators(of hash: String, document: String, in snapshot: Snapshot) throws -> Validators? {
    try snapshot.db.first(
      "SELECT validators FROM documentBytes WHERE hash = ? AND document = ?", [.text(hash), .text(document)]
    ) { $0.optionalText(0) }.flatMap(\.self).flatMap { try? StoredJSON(stored: $0).value() }
  }
}
