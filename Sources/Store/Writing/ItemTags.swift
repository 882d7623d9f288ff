import SQLite
import Wire

/// The tags of items, for code that handles those of every collection: a field that is searched as tags declares them
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
}

extension Transaction {
  /// Changes the tags of an item. False if there is no such item any more, or if its tags stay as they are.
  ///
  /// - Throws: whatever `body` throws, `StoreError.broken` for tags that no daemon writes, `DatabaseError`.
  package func changeTags(of item: ItemKey, _ body: (_ tags: [String]) throws -> [String]) throws -> Bool {
    let collection = schema.collection(item.collection)
    guard let column = collection.description.columns.tags, let row = try row(of: collection, id: item.id),
      let stored = row.text(column)
    else { return false }
    let tags = try body(try StoredJSON<[String]>(stored: stored).value())
    return try updateRow(
      RowValues([(column, .text(try StoredJSON(tags).json))]), of: row, in: collection, id: item.id)
  }
}
