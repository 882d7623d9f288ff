import SQLite
import Wire

/// The tags of items, and the queries that name tags, for code that handles those of every collection: a field that is searched as tags declares them
/// (`Field.searched`).
extension ItemCollection {
  /// Calls `body` for each tag of each item, as written and folded. The tags of one item follow each other.
  ///
  /// - Throws: whatever `body` throws, `DatabaseError`.
  package func eachTag(
    in db: Database, _ body: (_ id: String, _ tag: String, _ folded: String) throws -> Void
  ) throws {
    guard let column = columns.tags else { return }
    try db.each(
      """
      SELECT item.id, value, fold(value) FROM \(table) AS item, json_each(item.\(column))
      WHERE item.\(column) <> '[]' AND json_each.type = 'text'
      """, []
    ) { row in try body(row.text(0), row.text(1), row.text(2)) }
  }

  /// The same for the next rows, so that a write can let others through between two parts of a large table.
  ///
  /// - Parameter row: the row after which to start; nil for the first one.
  /// - Returns: the last row, after which to continue; nil at the end.
  /// - Throws: whatever `body` throws, `DatabaseError`.
  package func eachTag(
    after row: Int64?, limit: Int, in db: Database,
    _ body: (_ id: String, _ tag: String, _ folded: String) throws -> Void
  ) throws -> Int64? {
    guard let column = columns.tags else { return nil }
    var (last, count) = (row ?? Int64.min, 0)
    try db.each(
      """
      SELECT item.row, item.id, value, fold(value)
      FROM (SELECT rowid AS row, id, nullif(\(column), '[]') AS tags FROM \(table) WHERE rowid > ? ORDER BY rowid LIMIT ?)
        AS item LEFT JOIN json_each(item.tags) ON json_each.type = 'text'
      """, [.integer(last), .integer(limit)]
    ) { found in
      let row = found.integer(0)
      if row != last { (last, count) = (row, count + 1) }
      if !found.isNull(2) { try body(found.text(1), found.text(2), found.text(3)) }
    }
    return count == limit ? last : nil
  }
}

extension ItemCollection {
  /// The queries of its items (`Field.query`), by id.
  ///
  /// - Throws: `DatabaseError`.
  package func queries(in db: Database) throws -> [(id: String, text: String)] {
    guard let column = columns.query else { return [] }
    var queries: [(id: String, text: String)] = []
    try db.each("SELECT id, \(column) FROM \(table) ORDER BY createdAt, id", []) { row in
      queries.append((row.text(0), row.text(1)))
    }
    return queries
  }
}

extension Transaction {
  /// Changes the query of an item. False if there is no such item.
  ///
  /// - Throws: `DatabaseError`.
  package func changeQuery(of item: ItemKey, to text: String) throws -> Bool {
    let collection = schema.collection(item.collection)
    guard let column = collection.description.columns.query, let row = try row(of: collection, id: item.id) else {
      return false
    }
    return try updateRow(RowValues([(column, .text(text))]), of: row, in: collection, id: item.id)
  }

  /// Changes the tags of an item. False if there is no such item any more, or if its tags stay as they are.
  ///
  /// - Throws: whatever `body` throws, `StoreError.broken` for tags that no daemon writes, `DatabaseError`.
  package func changeTags(of item: ItemKey, _ body: (_ tags: [String]) throws -> [String]) throws -> Bool {
    let collection = schema.collection(item.collection)
    guard let column = collection.description.columns.tags, let row = try row(of: collection, id: item.id),
      let stored = row.text(column)
    else { return false }
    let tags = JSONValue.array(try body(try StoredJSON<[String]>.texts(stored: stored)).map { .string($0) })
    return try updateRow(
      RowValues([(column, .text(String(decoding: JSONWriter.bytes(of: tags), as: UTF8.self)))]), of: row,
      in: collection, id: item.id)
  }
}
