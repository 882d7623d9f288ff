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
      count += try forget(Self.versions(of: part, id))
    }
    return count + (try forget(Self.versions(ItemKey(collection: collection, id: id))))
  }

  /// Forgets the old versions of an item that another device has forgotten, also those that this write replaces.
  ///
  /// A version that was written here after that moment stays. When one was written that came from elsewhere, is not known
  /// here: it is forgotten.
  ///
  /// - Parameter isReceived: the condition of such commits `c`, in SQL.
  /// - Throws: `DatabaseError`.
  package func forget(collection: String, id: String, until: Instant, isReceived: String) throws {
    let whole = schema.collection(collection)
    let isThere = try db.first("SELECT 1 FROM \(whole.table) WHERE id = ?", [.text(id)]) { _ in true } ?? false
    let key = ItemKey(collection: collection, id: id)
    let parts = isThere ? [] : whole.description.parts
    try forgetOldValues { note in
      let isPart = parts.contains { part in
        part.collection == note.key.collection && note.before?[part.column]?.textValue == id
      }
      guard note.key == key || isPart else { return false }
      let written = try db.first(
        """
        SELECT \(Self.time(isReceived)) FROM changes p JOIN commits c ON c.clock = p.clock
        WHERE p.collection = ? AND p.id = ? ORDER BY p.clock DESC LIMIT 1
        """, [.text(note.key.collection), .text(note.key.id)]
      ) { $0.integer(0) }
      return written ?? 0 <= until.milliseconds
    }
    let isOld = """
      AND ifnull((SELECT \(Self.time(isReceived)) FROM changes p JOIN commits c ON c.clock = p.clock
        WHERE p.collection = changes.collection AND p.id = changes.id AND p.clock < changes.clock
        ORDER BY p.clock DESC LIMIT 1), 0) <= ?
      """
    for (condition, values) in parts.map({ Self.versions(of: $0, id) }) + [Self.versions(key)] {
      _ = try forget((condition + isOld, values + [.integer(until.milliseconds)]))
    }
  }

  /// When a version was written that the change `p` of the commit `c` made; 0 if it came from elsewhere.
  private static func time(_ isReceived: String) -> String { "CASE WHEN \(isReceived) THEN 0 ELSE c.at END" }

  private typealias Condition = (sql: String, values: [SQLValue])

  private static func versions(_ key: ItemKey) -> Condition {
    ("collection = ? AND id = ?", [.text(key.collection), .text(key.id)])
  }

  /// The old versions of the parts of a deleted item. The version before a deletion has all columns of a part; others have
  /// only the changed columns.
  private static func versions(of part: ItemCollection.Part, _ id: String) -> Condition {
    (
      """
      collection = ? AND id IN
        (SELECT id FROM changes WHERE collection = ? AND before IS NOT NULL AND json_extract(before, ?) = ?)
      """, [.text(part.collection), .text(part.collection), .text("$.\"\(part.column)\""), .text(id)]
    )
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
    try forget(("clock IN (SELECT clock FROM commits WHERE at < ?)", [.integer(instant.milliseconds)]))
  }

  private func forget(_ forgotten: Condition) throws -> Int {
    let (condition, values) = forgotten
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
