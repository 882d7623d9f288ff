import SQLite
import Synchronization

/// The columns of a table, and the statements for one of its rows.
final class RowLayout: Sendable {
  let columns: [String]
  let table: String
  /// Selects all columns; `WHERE …` and `ORDER BY …` are appended.
  let select: String
  let selectByID: CachedStatement
  let insert: CachedStatement
  let delete: CachedStatement
  private let updates = Mutex<[(places: [Int], statement: CachedStatement)]>([])
  private let selections = Mutex<[(clause: UInt, statement: CachedStatement)]>([])

  private init(table: String, columns: [String]) {
    self.columns = columns
    self.table = table
    let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
    select = "SELECT \(names) FROM \(table) "
    selectByID = CachedStatement(select + "WHERE id = ?")
    insert = CachedStatement(
      "INSERT INTO \(table) (\(names)) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))")
    delete = CachedStatement("DELETE FROM \(table) WHERE id = ?")
  }

  /// Cached statements are never dropped, and there are many sets of columns: a client that changes every combination
  /// must not fill the memory.
  static let mostUpdates = 64
  private static let ownColumns: Set = ["id", "revision", "createdAt", "updatedAt"]

  /// An update of these columns, and of the two that every change writes: the values of `places`, then revision,
  /// instant and id. The first `mostUpdates` sets of columns each get their own statement; all others share one that
  /// writes every column, unchanged ones with their old values.
  func update(_ changed: [Int]) -> (places: [Int], statement: CachedStatement) {
    updates.withLock { known in
      if let known = known.first(where: { $0.places == changed }) { return known }
      let all = columns.indices.filter { !Self.ownColumns.contains(columns[$0]) }
      let places = known.count < Self.mostUpdates - 1 ? changed : all
      if let known = known.first(where: { $0.places == places }) { return known }
      let assignments = places.map { "\"\(columns[$0])\" = ?" }.joined(separator: ", ")
      let update = (
        places: places,
        statement: CachedStatement("UPDATE \(table) SET \(assignments), revision = ?, updatedAt = ? WHERE id = ?")
      )
      known.append(update)
      return update
    }
  }

  var updateCount: Int { updates.withLock(\.count) }

  /// A selection from a literal in the sources, whose address identifies it.
  func selection(_ clause: StaticString) -> CachedStatement {
    let place = UInt(bitPattern: clause.utf8Start)
    return selections.withLock { known in
      if let known = known.first(where: { $0.clause == place }) { return known.statement }
      let statement = CachedStatement(select + clause.description)
      known.append((place, statement))
      return statement
    }
  }

  // MARK: - By type

  private static let known = Mutex<[ObjectIdentifier: RowLayout]>([:])

  /// The columns that an item of this type has, in its order. A table may have more columns.
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

  /// Shared by all libraries of this process with such a table: its statements are never dropped.
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
