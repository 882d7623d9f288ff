import SQLite
import Synchronization

/// The columns of a table, and the statements about one of its rows.
final class RowLayout: Sendable {
  let columns: [String]
  let table: String
  /// All columns of some rows; `WHERE …` and `ORDER BY …` go behind it.
  let select: String
  let selectByID: KeptStatement
  let insert: KeptStatement
  let delete: KeptStatement
  private let updates = Mutex<[(places: [Int], statement: KeptStatement)]>([])
  private let selections = Mutex<[(clause: UInt, statement: KeptStatement)]>([])

  private init(table: String, columns: [String]) {
    self.columns = columns
    self.table = table
    let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
    select = "SELECT \(names) FROM \(table) "
    selectByID = KeptStatement(select + "WHERE id = ?")
    insert = KeptStatement(
      "INSERT INTO \(table) (\(names)) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))")
    delete = KeptStatement("DELETE FROM \(table) WHERE id = ?")
  }

  /// Kept statements are never forgotten, and sets of columns are many: a client that changes all that it can should not
  /// fill the memory with them.
  static let mostUpdates = 64
  private static let ownColumns: Set = ["id", "revision", "createdAt", "updatedAt"]

  /// Writes these columns, and the two that every change writes: the values of `places`, then revision, instant and id.
  /// Of the first kinds of changes each has a statement of its own; all others share one that writes every column, those
  /// that stay with what they have.
  func update(_ changed: [Int]) -> (places: [Int], statement: KeptStatement) {
    updates.withLock { known in
      if let known = known.first(where: { $0.places == changed }) { return known }
      let all = columns.indices.filter { !Self.ownColumns.contains(columns[$0]) }
      let places = known.count < Self.mostUpdates - 1 ? changed : all
      if let known = known.first(where: { $0.places == places }) { return known }
      let assignments = places.map { "\"\(columns[$0])\" = ?" }.joined(separator: ", ")
      let update = (
        places: places,
        statement: KeptStatement("UPDATE \(table) SET \(assignments), revision = ?, updatedAt = ? WHERE id = ?")
      )
      known.append(update)
      return update
    }
  }

  var updateCount: Int { updates.withLock(\.count) }

  /// A selection that stands in the sources, so that its place there is its name.
  func selection(_ clause: StaticString) -> KeptStatement {
    let place = UInt(bitPattern: clause.utf8Start)
    return selections.withLock { known in
      if let known = known.first(where: { $0.clause == place }) { return known.statement }
      let statement = KeptStatement(select + clause.description)
      known.append((place, statement))
      return statement
    }
  }

  // MARK: - By type

  private static let known = Mutex<[ObjectIdentifier: RowLayout]>([:])

  /// The columns that an item of this type names, in its order. A table may have more of them.
  static func of<Item: StoredItem>(_ type: Item.Type) -> RowLayout {
    let id = ObjectIdentifier(type)
    if let layout = known.withLock({ $0[id] }) { return layout }
    let layout = of(table: Item.tableName, columns: Item.columnNames())
    known.withLock { $0[id] = layout }
    return layout
  }

  // MARK: - By table

  private struct Key: Hashable {
    var table: String
    var columns: [String]
  }
  private static let tables = Mutex<[Key: RowLayout]>([:])

  /// One for all libraries of this process that have such a table: its statements are never forgotten.
  static func of(table: String, columns: [String]) -> RowLayout {
    tables.withLock { tables in
      let key = Key(table: table, columns: columns)
      if let known = tables[key] { return known }
      let layout = RowLayout(table: table, columns: columns)
      tables[key] = layout
      return layout
    }
  }
}

extension StoredItem {
  /// The item of this id.
  public static func find(_ id: String, in db: Database) throws -> Self? {
    try db.first(RowLayout.of(Self.self).selectByID, { $0.add(id) }, Self.init(row:))
  }

  /// The first item of a selection that every request asks for: `WHERE …`, `ORDER BY …`.
  public static func first(
    in db: Database, kept selection: StaticString, _ fill: (inout Binding) throws -> Void
  ) throws -> Self? {
    try db.first(RowLayout.of(Self.self).selection(selection), fill, Self.init(row:))
  }

  /// The first item of a selection: `WHERE …`, `ORDER BY …`, with a place for each value.
  public static func first(in db: Database, _ selection: String, _ values: [SQLValue] = []) throws -> Self? {
    try db.first(RowLayout.of(Self.self).select + selection, values, Self.init(row:))
  }

  /// All items of a selection.
  public static func all(in db: Database, _ selection: String, _ values: [SQLValue] = []) throws -> [Self] {
    var items: [Self] = []
    try db.each(RowLayout.of(Self.self).select + selection, values) { items.append(try Self(row: $0)) }
    return items
  }
}
