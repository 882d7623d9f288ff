import Contract
import SQLite
import Wire

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
    let key = ItemKey(collection: collection, id: id)
    let parts = try lostParts(of: [key])[key] ?? []
    return try Self.versions(of: [key] + parts).reduce(0) { try $0 + forget($1) }
  }

  /// Forgets the old versions of items that another device has forgotten, also those that this write replaces.
  ///
  /// A version that was written here after that moment stays. When one from elsewhere was written, is not known here: it
  /// is forgotten.
  ///
  /// - Parameters:
  ///   - items: each with the moment up to which it was forgotten.
  ///   - isReceived: the condition of such commits `c`, in SQL.
  /// - Throws: `DatabaseError`.
  package func forget(_ items: [(collection: String, id: String, until: Instant)], isReceived: String) throws {
    let moments = Dictionary(
      items.map { (ItemKey(collection: $0.collection, id: $0.id), $0.until) }, uniquingKeysWith: max)
    let gone = try gone(of: Set(moments.keys))
    var holders: [String: [(collection: String, column: String)]] = [:]
    for collection in Set(gone.map(\.collection)) {
      for part in schema.collection(collection).description.parts {
        holders[part.collection, default: []].append((collection, part.column))
      }
    }
    try forgetOldValues { note in
      let holder = (holders[note.key.collection] ?? []).lazy.compactMap { holder in
        note.before?[holder.column]?.textValue.map { ItemKey(collection: holder.collection, id: $0) }
      }.first(where: gone.contains)
      let untils = [moments[note.key], holder.flatMap { moments[$0] }].compactMap(\.self)
      guard let until = untils.max() else { return false }
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
    let parts = try lostParts(of: gone)
    for (key, until) in moments {
      for (condition, values) in Self.versions(of: [key] + (parts[key] ?? [])) {
        _ = try forget((condition + isOld, values + [.integer(until.milliseconds)]))
      }
    }
  }

  /// When a version was written that the change `p` of the commit `c` made; 0 if it came from elsewhere.
  private static func time(_ isReceived: String) -> String { "CASE WHEN \(isReceived) THEN 0 ELSE c.at END" }

  private typealias Condition = (sql: String, values: [SQLValue])

  /// One condition for each collection.
  private static func versions(of keys: [ItemKey]) -> [Condition] {
    Dictionary(grouping: keys, by: \.collection).map { collection, keys in
      ("collection = ? AND id IN (SELECT value FROM json_each(?))", [.text(collection), .text(list(keys))])
    }
  }

  private static func list(_ keys: some Sequence<ItemKey>) -> String {
    JSONValue.array(keys.map { .string($0.id) }).description
  }

  /// The items of these that do not exist any more.
  private func gone(of keys: Set<ItemKey>) throws -> Set<ItemKey> {
    try keys.filter { key in
      let table = schema.collection(key.collection).table
      return try db.first("SELECT 1 FROM \(table) WHERE id = ?", [.text(key.id)]) { _ in true } == nil
    }
  }

  /// The parts of those items that do not exist any more, by item. The log of a collection of parts is read once for
  /// all items: it may have a hundred thousand marks. The version before a deletion has all columns of a part; others have
  /// only the changed columns.
  private func lostParts(of keys: Set<ItemKey>) throws -> [ItemKey: [ItemKey]] {
    var parts: [ItemKey: [ItemKey]] = [:]
    for (collection, keys) in Dictionary(grouping: try gone(of: keys), by: \.collection) {
      for part in schema.collection(collection).description.parts {
        let column = SQLValue.text("$.\"\(part.column)\"")
        try db.each(
          """
          SELECT DISTINCT json_extract(before, ?1), id FROM changes
          WHERE collection = ?2 AND before IS NOT NULL AND json_extract(before, ?1) IN (SELECT value FROM json_each(?3))
          """, [column, .text(part.collection), .text(Self.list(keys))]
        ) {
          parts[ItemKey(collection: collection, id: $0.text(0)), default: []]
            .append(ItemKey(collection: part.collection, id: $0.text(1)))
        }
      }
    }
    return parts
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
    // Kinds and revisions stay, so nobody has to be notified.
    keepSilent()
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
