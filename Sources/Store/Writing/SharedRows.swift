import Contract
import SQLite
import Wire

/// Reads and writes the rows of a collection whose items devices share.
package struct SharedRows: Sendable {
  /// The shared columns of an item, its `revision`, and its times in milliseconds; nil if there is no such item.
  package let row: @Sendable (_ id: String, _ db: Database) throws -> JSONObject?
  /// Adds an item, or changes those of its columns that differ. It is logged, notified and indexed as any other write.
  ///
  /// - Throws: `StoreError.broken` or `RPCError` for values that this version cannot store, `DatabaseError`.
  package let put: @Sendable (_ id: String, _ values: JSONObject, _ times: ItemTimes, Transaction) throws -> Void
  /// The shared columns of an item of which nothing was given: what a row has where `put` gets no value.
  package let unset: @Sendable () throws -> JSONObject
  /// Removes an item, if it is there.
  package let remove: @Sendable (_ id: String, Transaction) throws -> Void

  package init<Item: StoredItem>(_ type: Item.Type) {
    row = { id, db in
      guard let item = try Item.find(id, in: db) else { return nil }
      var row = try item.content(of: Item.fields.columns.shared.flatMap(\.columns))
      row["revision"] = .integer(item.revision)
      row["createdAt"] = .integer(item.createdAt.milliseconds)
      row["updatedAt"] = .integer(item.updatedAt.milliseconds)
      return row
    }
    unset = { try Item().content(of: Item.fields.columns.shared.flatMap(\.columns)) }
    put = { id, values, times, transaction in
      // The file of an item that another device has added follows, or is fetched once it is opened.
      for column in Item.fields.columns.blobs {
        if let hash = values[column]?.stringValue { try BlobsElsewhere.note(hash, in: transaction.db) }
      }
      if let item = try transaction.snapshot.find(Item.self, id: id) {
        let changed = try transaction.change(item) {
          try $0.restore(values)
          try $0.check()
        }
        try transaction.putQuiet(from: item, to: changed)
        // A row that did not change here did not change elsewhere, except for columns that are not shared. One that this
        // write has changed before has its revision already.
        let isUnchanged = changed.revision == item.revision && item.revision != transaction.clock
        if isUnchanged, times.created == item.createdAt { return }
        try transaction.setTimes(times, of: item)
      } else {
        var item = Item()
        item.id = id
        try item.restore(values)
        try item.check()
        _ = try transaction.insert(item, at: times)
      }
    }
    remove = { id, transaction in
      guard let item = try transaction.snapshot.find(Item.self, id: id) else { return }
      try transaction.remove(item)
    }
  }
}

extension Transaction {
  /// Writes the quiet columns that differ, such as a reading position: `change` leaves them as they are.
  fileprivate func putQuiet<Item: StoredItem>(from item: Item, to changed: Item) throws {
    let quiet = Item.fields.columns.quiet
    let (old, new) = (try item.content(of: quiet), try changed.content(of: quiet))
    let columns = quiet.filter { old[$0] != new[$0] }
    if columns.isEmpty { return }
    try deriving(from: 0) {
      try db.run(
        "UPDATE \(Item.tableName) SET \(columns.map { "\"\($0)\" = ?" }.joined(separator: ", ")) WHERE id = ?",
        columns.map { SQLValue(json: new[$0] ?? .null) } + [.text(item.id)])
    }
    // Which members show them is the feature's affair: clients fetch the item.
    touch(collection: Item.collectionName, id: item.id, revision: changed.revision, fields: [])
  }

  /// Sets the times of an item that this write has changed to those of the device that wrote it. Of two items with one
  /// title links lead to the older one, so the tables of links have `createdAt` too.
  fileprivate func setTimes<Item: StoredItem>(_ times: ItemTimes, of item: Item) throws {
    try deriving(from: 0) {
      try db.run(
        "UPDATE \(Item.tableName) SET createdAt = ?, updatedAt = ? WHERE id = ?",
        [.integer(times.created.milliseconds), .integer(times.updated.milliseconds), .text(item.id)])
      guard times.created != item.createdAt else { return }
      try LinkTables.setCreation(
        times.created.milliseconds, of: ItemKey(collection: Item.collectionName, id: item.id), in: db)
    }
  }
}
