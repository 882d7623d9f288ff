import SQLite
import Store

/// Columns that fetches write: without revision, version or undo.
package enum QuietColumns {
  /// Columns that are not reported to clients: they change with every request.
  private static let unreported: Set = ["state", "cursor", "frontier", "freshUntil", "nextAt", "fetchedAt", "bodyMark"]

  /// Writes the values that differ, and reports those that a client sees.
  ///
  /// - Throws: `DatabaseError`.
  package static func write<Item: StoredItem>(
    _ values: [(column: String, value: SQLValue)], of type: Item.Type, id: String, in transaction: Transaction
  ) throws {
    let names = values.map(\.column).joined(separator: ", ")
    let known = try transaction.db.first(
      "SELECT revision, \(names) FROM \(Item.tableName) WHERE id = ?", [.text(id)]
    ) { row in (revision: row.integer(0), values: try values.indices.map { try row.value($0 + 1) }) }
    guard let known else { return }
    let changed = values.indices.filter { !same(values[$0].value, known.values[$0]) }
    guard !changed.isEmpty else { return }
    transaction.keepSilent()
    try transaction.db.run(
      "UPDATE \(Item.tableName) SET \(changed.map { "\(values[$0].column) = ?" }.joined(separator: ", ")) WHERE id = ?",
      changed.map { values[$0].value } + [.text(id)])
    let reported = changed.map { values[$0].column }.filter { !unreported.contains($0) }
    if !reported.isEmpty {
      transaction.touch(collection: Item.collectionName, id: id, revision: known.revision, fields: reported)
    }
  }

  private static func same(_ left: SQLValue, _ right: SQLValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    default: false
    }
  }
}
