import Contract
import GRDB

/// Forgetting on purpose: kinds and revisions stay, so that clients are told rightly; what was written there goes.
extension Transaction {
  /// Forgets the old versions of one item. Returns how many there were.
  package func forget(collection: String, id: String) throws -> Int {
    try forget("collection = ? AND id = ?", [collection, id])
  }

  /// Forgets everything that was replaced before a moment.
  package func forget(before instant: Instant) throws -> Int {
    try forget("clock IN (SELECT clock FROM commits WHERE at < ?)", [instant])
  }

  private func forget(_ condition: String, _ arguments: StatementArguments) throws -> Int {
    // A commit of which a part is forgotten cannot be undone as a whole any more, and no more can a series.
    for column in ["clock", "series"] {
      try db.execute(
        sql: """
          UPDATE commits SET undoable = 0 WHERE \(column) IN
            (SELECT \(column) FROM commits WHERE \(column) IS NOT NULL AND clock IN
              (SELECT clock FROM changes WHERE before IS NOT NULL AND \(condition)))
          """, arguments: arguments)
    }
    try db.execute(
      sql: """
        DELETE FROM changeBlob WHERE clock IN
          (SELECT clock FROM changes WHERE before IS NOT NULL AND \(condition))
        """, arguments: arguments)
    try db.execute(
      sql: "UPDATE changes SET before = NULL WHERE before IS NOT NULL AND \(condition)", arguments: arguments)
    return db.changesCount
  }
}
