import GRDB
import Wire

/// Rows by column, which is all that undo and history know of an item.
extension Transaction {
  /// `values` in the order in which the statement has them.
  func insertRow(_ values: [SQLValue], by statement: String, into collection: Schema.Entry, id: String) throws {
    try db.run(statement, values)
    note(
      ChangeNote(
        key: ItemKey(collection: collection.name, id: id), kind: .added,
        revision: clock, fields: []))
  }

  /// The same by name; what is not given becomes null.
  func insertRow(_ values: RowValues, into collection: Schema.Entry, id: String) throws {
    try insertRow(
      collection.columns.map { values.values[$0] ?? .null }, by: collection.layout.insert, into: collection, id: id)
  }

  /// Writes the columns that differ from the stored row, byte for byte; what is not given stays. False when none did.
  func updateRow(_ values: RowValues, in collection: Schema.Entry, id: String) throws -> Bool {
    guard let old = try row(of: collection, id: id) else { throw RPCError.notFound(collection.name, id: id) }
    let columns = collection.columns
    func new(_ place: Int) -> SQLValue? { values.values[columns[place]] }
    func stored(_ place: Int) -> SQLValue { old.values[columns[place]] ?? .null }
    let places = columns.indices.filter { place in
      guard let new = new(place), collection.contentColumns.contains(columns[place]) else { return false }
      return !stored(place).isSame(as: new)
    }
    return try updateRow(
      at: places, from: stored, to: { new($0) ?? .null }, by: collection.layout, in: collection, id: id)
  }

  /// Writes the columns at these places. False when there are none.
  func updateRow(
    at places: [Int], from old: (Int) -> SQLValue, to new: (Int) -> SQLValue, by layout: RowLayout,
    in collection: Schema.Entry, id: String
  ) throws -> Bool {
    guard !places.isEmpty else { return false }
    try db.run(layout.update(places), places.map(new) + [.integer(clock), .integer(now.milliseconds), .text(id)])
    let columns = places.map { layout.columns[$0] }
    note(
      ChangeNote(
        key: ItemKey(collection: collection.name, id: id), kind: .updated, revision: clock, fields: columns,
        before: RowValues(Dictionary(uniqueKeysWithValues: zip(columns, places.map(old))))))
    return true
  }

  func removeRow(in collection: Schema.Entry, id: String) throws {
    guard let old = try row(of: collection, id: id) else { throw RPCError.notFound(collection.name, id: id) }
    try db.run("DELETE FROM \(collection.table) WHERE id = ?", [.text(id)])
    note(
      ChangeNote(
        key: ItemKey(collection: collection.name, id: id), kind: .removed, revision: old.revision, fields: [],
        before: old))
  }

  func row(of collection: Schema.Entry, id: String) throws -> RowValues? {
    let columns = collection.columns
    return try db.first(collection.layout.selectByID, [.text(id)]) { row in
      RowValues(Dictionary(uniqueKeysWithValues: columns.indices.map { (columns[$0], row.value($0)) }))
    }
  }
}

/// The values of a row by column, and their form in the change log.
struct RowValues {
  var values: [String: SQLValue]

  init(_ values: [String: SQLValue]) {
    self.values = values
  }

  var revision: Int64 {
    if case .integer(let revision) = values["revision"] { revision } else { 0 }
  }

  func text(_ column: String) -> String? {
    if case .text(let text) = values[column] { text } else { nil }
  }

  /// JSON with the columns in alphabetic order.
  var json: JSONValue {
    .object(
      JSONObject(
        values.sorted { $0.key < $1.key }.map { column, value in
          JSONObject.Member(key: column, value: value.json)
        }))
  }

  init(json: JSONObject) {
    values = Dictionary(
      json.members.map { ($0.key, SQLValue(json: $0.value)) }, uniquingKeysWith: { _, last in last })
  }
}

extension SQLValue {
  var json: JSONValue {
    switch self {
    case .null: .null
    case .integer(let integer): .integer(integer)
    case .real(let double): .number(double)
    case .text(let text): .string(text)
    }
  }

  init(json: JSONValue) {
    switch json {
    case .null: self = .null
    case .bool(let bool): self = .bool(bool)
    case .integer(let integer): self = .integer(integer)
    case .number(let double): self = .real(double)
    case .string(let string): self = .text(string)
    case .array, .object: self = .text(String(describing: json))
    }
  }
}
