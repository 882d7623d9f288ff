import SQLite
import Wire

extension StoredItem {
  /// The item with this id; nil if it does not exist.
  ///
  /// - Throws: `StoreError.broken` for an invalid row, `DatabaseError`.
  public static func find(_ id: String, in db: Database) throws -> Self? {
    try db.first(RowLayout.of(Self.self).selectByID, { $0.add(id) }, Self.init(row:))
  }

  /// The first item of a frequent selection, whose statement is cached: `WHERE …`, `ORDER BY …`.
  ///
  /// - Throws: `StoreError.broken` for an invalid row, `DatabaseError`.
  public static func first(
    in db: Database, cached selection: StaticString, _ fill: (inout Binding) throws -> Void
  ) throws -> Self? {
    try db.first(RowLayout.of(Self.self).selection(selection), fill, Self.init(row:))
  }

  /// The first item of a selection: `WHERE …`, `ORDER BY …`, with a placeholder for each value.
  ///
  /// - Throws: `StoreError.broken` for an invalid row, `DatabaseError`.
  public static func first(in db: Database, _ selection: String, _ values: [SQLValue] = []) throws -> Self? {
    try db.first(RowLayout.of(Self.self).select + selection, values, Self.init(row:))
  }

  /// All items of a selection.
  ///
  /// - Throws: `StoreError.broken` for an invalid row, `DatabaseError`.
  public static func all(in db: Database, _ selection: String, _ values: [SQLValue] = []) throws -> [Self] {
    var items: [Self] = []
    try db.each(RowLayout.of(Self.self).select + selection, values) { items.append(try Self(row: $0)) }
    return items
  }
}

extension Snapshot {
  /// - Throws: `StoreError.broken` for a row that no daemon writes, `DatabaseError`.
  public func find<Item: StoredItem>(_ type: Item.Type, id: String) throws -> Item? {
    try Item.find(id, in: db)
  }

  /// Returns the item.
  ///
  /// - Throws: `RPCError` of the kind `notFound` with the collection and the id, `StoreError.broken`, `DatabaseError`.
  public func get<Item: StoredItem>(_ type: Item.Type, id: String) throws -> Item {
    guard let item = try find(type, id: id) else { throw RPCError.notFound(Item.collectionName, id: id) }
    return item
  }
}
