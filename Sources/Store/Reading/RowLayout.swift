import GRDB
import Synchronization

/// The columns of a table, and the statements about one of its rows.
struct RowLayout: Sendable {
  let columns: [String]
  let table: String
  /// All columns of some rows; `WHERE …` and `ORDER BY …` go behind it.
  let select: String
  let selectByID: String
  let insert: String
  private let updates = Updates()

  init(table: String, columns: [String]) {
    self.columns = columns
    self.table = table
    let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
    select = "SELECT \(names) FROM \(table) "
    selectByID = select + "WHERE id = ?"
    insert = "INSERT INTO \(table) (\(names)) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
  }

  /// Writes some columns, and the two that every change writes; the values in this order, the id at the end.
  func update(_ places: [Int]) -> String {
    updates.known.withLock { known in
      if let statement = known[places] { return statement }
      let statement = makeUpdate(places)
      // As many as there are kinds of changes, which is few; but nothing says so.
      if known.count < 64 { known[places] = statement }
      return statement
    }
  }

  private final class Updates: Sendable {
    let known = Mutex<[[Int]: String]>([:])
  }

  private func makeUpdate(_ places: [Int]) -> String {
    let assignments = places.map { "\"\(columns[$0])\" = ?" }.joined(separator: ", ")
    return "UPDATE \(table) SET \(assignments), revision = ?, updatedAt = ? WHERE id = ?"
  }

  // MARK: - By type

  private static let known = Mutex<[ObjectIdentifier: RowLayout]>([:])

  /// The columns that an item of this type names, in its order. A table may have more of them.
  static func of<Item: StoredItem>(_ type: Item.Type) -> RowLayout {
    let id = ObjectIdentifier(type)
    if let layout = known.withLock({ $0[id] }) { return layout }
    let layout = RowLayout(table: Item.tableName, columns: Item.columnNames())
    known.withLock { $0[id] = layout }
    return layout
  }
}

extension StoredItem {
  /// The item of this id.
  package static func find(_ id: String, in db: Database) throws -> Self? {
    try db.first(RowLayout.of(Self.self).selectByID, [.text(id)], Self.init(row:))
  }

  /// The first item of a selection: `WHERE …`, `ORDER BY …`, with a place for each value.
  package static func first(in db: Database, _ selection: String, _ values: [SQLValue] = []) throws -> Self? {
    try db.first(RowLayout.of(Self.self).select + selection, values, Self.init(row:))
  }

  /// All items of a selection.
  package static func all(in db: Database, _ selection: String, _ values: [SQLValue] = []) throws -> [Self] {
    var items: [Self] = []
    try db.each(RowLayout.of(Self.self).select + selection, values) { items.append(try Self(row: $0)) }
    return items
  }
}
