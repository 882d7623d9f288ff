import Contract
import SQLite

/// Forgets old versions on purpose: kinds and revisions stay, so that clients are notified correctly; the previous
/// values are deleted.
extension Transaction {
  /// Forgets the old versions of one item. Returns how many there were.
  ///
  /// Parts of a deleted item were deleted with it, and cannot be addressed any more: the quotes of highlights and the
  /// texts of memos are forgotten with their document.
  ///
  /// - Throws: `DatabaseError`.
  package func forget(collection: String, id: String) throws -> Int {
    let whole = schema.collection(collection)
    let isThere = try db.first("SELECT 1 FROM \(whole.table) WHERE id = ?", [.text(id)]) { _ in true } ?? false
    var count = 0
    for part in isThere ? [] : whole.description.parts {
      // The version before a deletion has all columns of a part; others have only the changed columns.
      count += try forget(
        """
        collection = ? AND id IN
          (SELECT id FROM changes WHERE collection = ? AND before IS NOT NULL AND json_extract(before, ?) = ?)
        """, [.text(part.collection), .text(part.collection), .text("$.\"\(part.column)\""), .text(id)])
    }
    return count + (try forget("collection = ? AND id = ?", [.text(collection), .text(id)]))
  }

  /// Removes an item with its old versions. Clients are notified; undo cannot restore it.
  ///
  /// - Throws: `DatabaseError`, or `RPCError` if the item does not exist.
  package func removeForGood<Item: StoredItem>(_ item: Item) throws {
    _ = try forget(collection: Item.collectionName, id: item.id)
    try removeRow(in: schema.collection(Item.collectionName), id: item.id, isForgotten: true)
  }

  /// Forgets all versions that were replaced before `instant`. Returns how many there were.
  ///
  /// - Throws: `DatabaseError`.
  package func forget(before instant: Instant) throws -> Int {
    try forget("clock IN (SELECT clock FROM commits WHERE at < ?)", [.integer(instant.milliseconds)])
  }

  private func forget(_ condition: String, _ values: [SQLValue]) throws -> Int {
    // A commit with a forgotten change cannot be undone as a whole any more, and neither can its chunked commit group.
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
