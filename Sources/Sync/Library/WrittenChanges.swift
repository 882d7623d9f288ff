import Kit
import SQLite
import Store
import Wire

extension SharedCollections {
  /// The items with changes that were committed here since `clock`, in the order of their newest ones.
  ///
  /// - Returns: nil if there are more than `most` changes; nil for `most` counts none.
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  func written(since clock: Int64, most: Int? = nil, in db: Database) throws -> [SharingTransaction.Written]? {
    var written: [ItemKey: SharingTransaction.Written] = [:]
    var count = 0
    try db.scan(
      writtenStatement, [.integer(clock), .text(SharingTransaction.label)],
      until: { row in
        count += 1
        if let most, count > most { return true }
        try note(row, in: &written)
        return false
      })
    if let most, count > most { return nil }
    return written.values.sorted { ($0.clock, $0.key) < ($1.clock, $1.key) }
  }

  /// Its values are the clock and the label of the runs.
  var writtenStatement: String {
    """
    SELECT h.collection, h.id, h.kind, h.clock, c.at, h.before FROM changes h JOIN commits c ON c.clock = h.clock
    WHERE h.clock > ? AND NOT (c.connection = '' AND c.label = ?)
      AND (+h.collection = '\(ConflictRecord.collectionName)' OR \(changes))
    ORDER BY h.clock, h.place
    """
  }

  /// Whether anything was.
  ///
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  func hasWritten(since clock: Int64, in db: Database) throws -> Bool {
    try written(since: clock, most: 1_000, in: db)?.isEmpty != true
  }

  private func note(_ row: Columns, in written: inout [ItemKey: SharingTransaction.Written]) throws {
    let key = ItemKey(ByteKey(try row.requiredText(0)), ByteKey(try row.requiredText(1)))
    let (clock, at) = (try row.requiredInteger(3), try row.requiredInteger(4))
    let kind = try row.requiredText(2)
    let isRemoval = kind == Change.Kind.removed.rawValue
    let before = row.isNull(5) ? nil : (try? JSONParser.parse(row.requiredText(5)))?.objectValue
    if key.collection == ByteKey(ConflictRecord.collectionName) {
      // A conflict that a person has resolved: the present value is a choice.
      guard isRemoval, let before, before["source"]?.stringValue?.hasPrefix(ConflictRecord.devicePrefix) == true,
        let collection = before["collection"]?.stringValue, let id = before["item"]?.stringValue,
        let field = before["field"]?.stringValue
      else { return }
      let item = ItemKey(ByteKey(collection), ByteKey(id))
      var change = written[item] ?? .init(key: item, clock: clock, at: at, columns: [])
      (change.clock, change.at) = (clock, at)
      if field == ConflictRecord.removal { change.isConfirmed = true } else { change.chosen.insert(ByteKey(field)) }
      written[item] = change
      return
    }
    guard self[key.collection] != nil else { return }
    let isFirst = written[key] == nil
    var change = written[key] ?? .init(key: key, clock: clock, at: at, columns: [])
    (change.clock, change.at) = (clock, at)
    if kind == Change.Kind.updated.rawValue {
      change.columns?.formUnion((before ?? [:]).keys)
    } else {
      change.columns = nil
    }
    change.isOnlyAdded = isFirst && kind == Change.Kind.added.rawValue
    if isRemoval { change.removed = before }
    written[key] = change
  }

  /// All items of the library in the order in which they were last changed, and those that only the states have.
  ///
  /// - Throws: `DatabaseError`.
  func allItems(in db: Database) throws -> [ItemKey] {
    var items: [(at: Int64, key: ItemKey)] = []
    for collection in all {
      try db.each("SELECT id, updatedAt FROM \(collection.items.table) WHERE \(collection.condition)") {
        items.append(($0.integer(1), ItemKey(collection.name, ByteKey($0.text(0)))))
      }
    }
    items.sort { ($0.at, $0.key) < ($1.at, $1.key) }
    var keys = items.map(\.key)
    for collection in all {
      try db.each(
        """
        SELECT id FROM syncItem s WHERE collection = ? AND NOT EXISTS (
          SELECT 1 FROM \(collection.items.table) r WHERE r.id = s.id AND (\(collection.condition))) ORDER BY id
        """, [.text(collection.name.text)]
      ) { keys.append(ItemKey(collection.name, ByteKey($0.text(0)))) }
    }
    return keys
  }
}
