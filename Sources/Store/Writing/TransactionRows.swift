import GRDB
import Wire

/// Rows by column name, which is all that undo and history know of an item.
extension Transaction {
  func insertRow(_ values: [String: DatabaseValue], into collection: Schema.Entry, id: String) throws {
    let columns = collection.columns
    let statement = try db.cachedStatement(sql: collection.insertSQL)
    try statement.execute(arguments: StatementArguments(columns.map { values[$0] ?? .null }))
    note(
      ChangeNote(
        key: ItemKey(collection: collection.name, id: id), kind: .added,
        revision: clock, fields: []))
  }

  /// Writes the columns that differ, byte for byte. False when none did.
  func updateRow(_ values: [String: DatabaseValue], in collection: Schema.Entry, id: String) throws -> Bool {
    guard let old = try row(of: collection, id: id) else { throw RPCError.notFound(collection.name, id: id) }
    let changed = collection.contentColumns.filter { column in
      guard let new = values[column], let old = old.values[column] else { return false }
      return !sameValue(new, old)
    }
    guard !changed.isEmpty else { return false }
    let assignments = changed.map { "\"\($0)\" = ?" }.joined(separator: ", ")
    let statement = try db.cachedStatement(
      sql: "UPDATE \(collection.table) SET \(assignments), revision = ?, updatedAt = ? WHERE id = ?")
    var arguments = changed.map { values[$0]! }
    arguments += [clock.databaseValue, now.databaseValue, id.databaseValue]
    try statement.execute(arguments: StatementArguments(arguments))
    let before = old.values.filter { changed.contains($0.key) }
    note(
      ChangeNote(
        key: ItemKey(collection: collection.name, id: id), kind: .updated, revision: clock, fields: changed,
        before: RowValues(before)))
    return true
  }

  func removeRow(in collection: Schema.Entry, id: String) throws {
    guard let old = try row(of: collection, id: id) else { throw RPCError.notFound(collection.name, id: id) }
    let statement = try db.cachedStatement(sql: "DELETE FROM \(collection.table) WHERE id = ?")
    try statement.execute(arguments: [id])
    note(
      ChangeNote(
        key: ItemKey(collection: collection.name, id: id), kind: .removed, revision: old.revision, fields: [],
        before: old))
  }

  func row(of collection: Schema.Entry, id: String) throws -> RowValues? {
    let statement = try db.cachedStatement(sql: "SELECT * FROM \(collection.table) WHERE id = ?")
    return try Row.fetchOne(statement, arguments: [id]).map(RowValues.init(row:))
  }
}

/// Whether two column values are the same bytes.
func sameValue(_ left: DatabaseValue, _ right: DatabaseValue) -> Bool {
  switch (left.storage, right.storage) {
  case (.string(let a), .string(let b)): sameBytes(a, b)
  default: left == right
  }
}

/// The values of a row by column, and their form in the change log.
struct RowValues {
  var values: [String: DatabaseValue]

  init(_ values: [String: DatabaseValue]) {
    self.values = values
  }

  init(row: Row) {
    values = Dictionary(row.map { ($0.0, $0.1) }, uniquingKeysWith: { first, _ in first })
  }

  var revision: Int64 {
    values["revision"].flatMap(Int64.fromDatabaseValue) ?? 0
  }

  /// JSON with the columns in alphabetic order. No collection has a column of raw bytes.
  var json: JSONValue {
    .object(
      JSONObject(
        values.sorted { $0.key < $1.key }.map { column, value in
          JSONObject.Member(key: column, value: Self.json(value))
        }))
  }

  init(json: JSONObject) {
    values = Dictionary(
      json.members.map { ($0.key, Self.value($0.value)) }, uniquingKeysWith: { _, last in last })
  }

  static func json(_ value: DatabaseValue) -> JSONValue {
    switch value.storage {
    case .null: .null
    case .int64(let integer): .integer(integer)
    case .double(let double): .number(double)
    case .string(let string): .string(string)
    case .blob: preconditionFailure("a collection's column holds bytes; they belong into a blob")
    }
  }

  static func value(_ json: JSONValue) -> DatabaseValue {
    switch json {
    case .null: .null
    case .bool(let bool): bool.databaseValue
    case .integer(let integer): integer.databaseValue
    case .number(let double): double.databaseValue
    case .string(let string): string.databaseValue
    case .array, .object: String(describing: json).databaseValue
    }
  }
}
