import Contract
import SQLite

/// Forgetting on purpose: kinds and revisions stay, so that clients are told rightly; what was written there goes.
extension Transaction {
  /// Forgets the old versions of one item. Returns how many there were.
  ///
  /// Of an item that is gone its parts are gone too, and nobody can name them any more: what a highlight quoted and a memo
  /// said is forgotten with their document.
  package func forget(collection: String, id: String) throws -> Int {
    let whole = schema.collection(collection)
    let isThere = try db.first("SELECT 1 FROM \(whole.table) WHERE id = ?", [.text(id)]) { _ in true } ?? false
    var count = 0
    for part in isThere ? [] : whole.description.parts {
      // The version before it went has all of a part, others only what was changed.
      count += try forget(
        """
        collection = ? AND id IN
          (SELECT id FROM changes WHERE collection = ? AND before IS NOT NULL AND json_extract(before, ?) = ?)
        """, [.text(part.collection), .text(part.collection), .text("$.\"\(part.column)\""), .text(id)])
    }
    return count + (try forget("collection = ? AND id = ?", [.text(collection), .text(id)]))
  }

  /// Removes an item together with its old versions. Clients are notified; no undo brings it back.
  package func removeForGood<Item: StoredItem>(_ item: Item) throws {
    _ = try forget(collection: Item.collectionName, id: item.id)
    try removeRow(in: schema.collection(Item.collectionName), id: item.id, isForgotten: true)
  }

  /// Forgets everything that was replaced before a moment.
  package func forget(before instant: Instant) throws -> Int {
    try forget("clock IN (SELECT clock FROM commits WHERE at < ?)", [.integer(instant.milliseconds)])
  }

  private func forget(_ condition: String, _ values: [SQLValue]) throws -> Int {
    // A commit of which a part is forgotten cannot be undone as a whole any more, and no more can a series.
    for column in ["clock", "series"] {
      try db.run(
        """
        UPDATE commits SET undoable = 0 WHERE \(column) IN
          (SELECT \(column) FROM commits WHERE \(column) IS NOT NULL AND clock IN
            (SELECT clock FROM changes WHERE before IS NOT NULL AND \(condition)))
        """, values)
    }
    try db.run(
      """
      DELETE FROM changeBlob WHERE clock IN
        (SELECT clock FROM changes WHERE before IS NOT NULL AND \(condition))
      """, values)
    try db.run("UPDATE changes SET before = NULL WHERE before IS NOT NULL AND \(condition)", values)
    return db.changesCount
  }
}
