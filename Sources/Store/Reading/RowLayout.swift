import GRDB
import Synchronization

/// The columns of a table in their order, and the statements about one of its rows.
///
/// A row is read and written by position: `RowDecoding` and `RowEncoding` find the place of a field here.
struct RowLayout: Sendable {
  let columns: [String]
  let table: String
  /// All columns of some rows; `WHERE …` and `ORDER BY …` go behind it.
  let select: String
  let selectByID: String
  let insert: String

  init(table: String, columns: [String]) {
    self.columns = columns
    self.table = table
    let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
    select = "SELECT \(names) FROM \(table) "
    selectByID = select + "WHERE id = ?"
    insert = "INSERT INTO \(table) (\(names)) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
  }

  func index(of column: String) -> Int? {
    // Names of columns are ASCII, where `==` compares bytes.
    columns.firstIndex { $0 == column }
  }

  // MARK: - By type

  private static let known = Mutex<[ObjectIdentifier: RowLayout]>([:])

  /// The layout of an item's table, learnt from the first library that is read: the statements name the columns, so a
  /// table that has gained one since is still read right.
  static func of<Item: StoredItem>(_ type: Item.Type, in db: Database) throws -> RowLayout {
    let id = ObjectIdentifier(type)
    if let layout = known.withLock({ $0[id] }) { return layout }
    let layout = RowLayout(table: Item.tableName, columns: try db.columns(in: Item.tableName).map(\.name))
    known.withLock { $0[id] = layout }
    return layout
  }
}

extension StoredItem {
  /// The item of this id.
  package static func find(_ id: String, in db: Database) throws -> Self? {
    let layout = try RowLayout.of(Self.self, in: db)
    return try db.first(layout.selectByID, [.text(id)]) { try RowDecoding.item(Self.self, from: $0, layout: layout) }
  }

  /// The first item of a selection: `WHERE …`, `ORDER BY …`, with a place for each value.
  package static func first(in db: Database, _ selection: String, _ values: [SQLValue] = []) throws -> Self? {
    let layout = try RowLayout.of(Self.self, in: db)
    return try db.first(layout.select + selection, values) {
      try RowDecoding.item(Self.self, from: $0, layout: layout)
    }
  }

  /// All items of a selection.
  package static func all(in db: Database, _ selection: String, _ values: [SQLValue] = []) throws -> [Self] {
    let layout = try RowLayout.of(Self.self, in: db)
    var items: [Self] = []
    try db.each(layout.select + selection, values) {
      items.append(try RowDecoding.item(Self.self, from: $0, layout: layout))
    }
    return items
  }
}
