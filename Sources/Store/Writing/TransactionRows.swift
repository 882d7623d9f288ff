import GRDB
import Wire

/// Rows by column, which is all that undo and history know of an item.
extension Transaction {
  /// `values` in the order of the collection's columns.
  func insertRow(_ values: [SQLValue], into collection: Schema.Entry, id: String) throws {
    try db.run(collection.layout.insert, values)
    note(
      ChangeNote(
        key: ItemKey(collection: collection.name, id: id), kind: .added,
        revision: clock, fields: []))
  }

  /// The same by name; what is not given becomes null.
  func insertRow(_ values: RowValues, into collection: Schema.Entry, id: String) throws {
    try insertRow(collection.columns.map { values.values[$0] ?? .null }, into: collection, id: id)
  }

  /// Writes the columns that differ, byte for byte. False when none did.
  func updateRow(_ values: [SQLValue], in collection: Schema.Entry, id: String) throws -> Bool {
    try updateRow(in: collection, id: id) { values[$0] }
  }

  /// The same by name; what is not given stays.
  func updateRow(_ values: RowValues, in collection: Schema.Entry, id: String) throws -> Bool {
    try updateRow(in: collection, id: id) { values.values[collection.columns[$0]] }
  }

  private func updateRow(in collection: Schema.Entry, id: String, to new: (Int) -> SQLValue?) throws -> Bool {
    var changed: [(column: String, value: SQLValue)] = []
    var before = RowValues([:])
    let isThere: Void? = try db.first(collection.layout.selectByID, [.text(id)]) { old in
      for place in collection.contentColumns {
        guard let value = new(place), !old.holds(value, at: place) else { continue }
        changed.append((collection.columns[place], value))
        before.values[collection.columns[place]] = old.value(place)
      }
    }
    guard isThere != nil else { throw RPCError.notFound(collection.name, id: id) }
    guard !changed.isEmpty else { return false }
    let assignments = changed.map { "\"\($0.column)\" = ?" }.joined(separator: ", ")
    try db.run(
      "UPDATE \(collection.table) SET \(assignments), revision = ?, updatedAt = ? WHERE id = ?",
      changed.map(\.value) + [.integer(clock), .integer(now.milliseconds), .text(id)])
    note(
      ChangeNote(
        key: ItemKey(collection: collection.name, id: id), kind: .updated, revision: clock,
        fields: changed.map(\.column), before: before))
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
