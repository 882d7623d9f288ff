import Contract
import Wire

/// Goes through the columns of an item, once for all directions: the item names each column with the field that it
/// lies in, and the field is read from a row, or its value taken for one.
///
///     mutating func columns(_ row: inout RowFields) throws {
///       row("title", &title)
///       try row("lines", json: &lines)
///     }
///
/// Written out where `Codable` would need no line at all: that asks for every field by name and by type at run time,
/// which costs ten times what SQLite needs to read the row.
package struct RowFields {
  fileprivate enum Direction {
    case naming
    case reading(Columns)
    case writing
  }

  private let direction: Direction
  private var place = 0
  private(set) var names: [String] = []
  private(set) var values: [SQLValue] = []

  fileprivate init(direction: Direction, capacity: Int = 0) {
    self.direction = direction
    values.reserveCapacity(capacity)
  }

  package mutating func callAsFunction(_ name: StaticString, _ field: inout String) {
    go(name, &field, { readable($0.text($1)) }, { .text($0) })
  }

  package mutating func callAsFunction(_ name: StaticString, _ field: inout String?) {
    go(name, &field, { $0.optionalText($1).map(readable) }, { .text($0) })
  }

  package mutating func callAsFunction(_ name: StaticString, _ field: inout Int64) {
    go(name, &field, { $0.integer($1) }, { .integer($0) })
  }

  package mutating func callAsFunction(_ name: StaticString, _ field: inout Int) {
    go(name, &field, { $0.int($1) }, { .integer($0) })
  }

  /// A number that becomes a page or a count. Others may have made the library, and no range of numbers traps.
  ///
  /// - Throws: `StoreError.broken` for a number outside of the range.
  package mutating func callAsFunction(
    _ name: StaticString, _ field: inout Int, in range: ClosedRange<Int>
  ) throws {
    try go(
      name, &field, { try inside(range, $0.int($1), name) },
      { .integer($0) })
  }

  /// The name of a blob, which becomes a path.
  ///
  /// - Throws: `StoreError.broken` for what is no hash.
  package mutating func callAsFunction(_ name: StaticString, hash field: inout String) throws {
    try go(name, &field, { try known($0.text($1), BlobHash.init, name).text }, { .text($0) })
  }

  package mutating func callAsFunction(_ name: StaticString, _ field: inout Int?) {
    go(name, &field, { $0.isNull($1) ? nil : $0.int($1) }, { $0.map { .integer($0) } ?? .null })
  }

  package mutating func callAsFunction(_ name: StaticString, _ field: inout Double) {
    go(name, &field, { $0.real($1) }, { .real($0) })
  }

  package mutating func callAsFunction(_ name: StaticString, _ field: inout Double?) {
    go(name, &field, { $0.isNull($1) ? nil : $0.real($1) }, { $0.map { .real($0) } ?? .null })
  }

  package mutating func callAsFunction(_ name: StaticString, _ field: inout Bool) {
    go(name, &field, { $0.bool($1) }, { .bool($0) })
  }

  /// On the wire a text, in its column a number that can be compared and sorted.
  package mutating func callAsFunction(_ name: StaticString, _ field: inout Instant) {
    go(name, &field, { Instant(milliseconds: $0.integer($1)) }, { .integer($0.milliseconds) })
  }

  package mutating func callAsFunction(_ name: StaticString, _ field: inout Instant?) {
    go(
      name, &field, { $0.isNull($1) ? nil : Instant(milliseconds: $0.integer($1)) }, { .integer($0?.milliseconds) })
  }

  package mutating func callAsFunction(_ name: StaticString, _ field: inout CalendarDay) throws {
    try go(name, &field, { try known($0.text($1), CalendarDay.init, name) }, { .text($0.description) })
  }

  package mutating func callAsFunction(_ name: StaticString, _ field: inout CalendarDay?) throws {
    try go(
      name, &field, { try $0.optionalText($1).map { try known($0, CalendarDay.init, name) } },
      { .text($0?.description) })
  }

  package mutating func callAsFunction<Word: RawRepresentable<String>>(
    _ name: StaticString, _ field: inout Word
  ) throws {
    try go(name, &field, { try known($0.text($1), Word.init, name) }, { .text($0.rawValue) })
  }

  package mutating func callAsFunction<Value>(_ name: StaticString, _ field: inout StoredJSON<Value>) {
    go(name, &field, { StoredJSON(stored: $0.text($1)) }, { .text($0.json) })
  }

  /// An object or a list, as JSON in its column.
  ///
  /// - Throws: `StoreError.broken` for JSON that cannot be read as one.
  package mutating func callAsFunction<Value: Codable>(_ name: StaticString, json field: inout Value) throws {
    try go(
      name, &field,
      { columns, place in
        do {
          return try JSONDecoding.decode(Value.self, from: JSONParser.parse(columns.bytes(place)))
        } catch {
          throw StoreError(json: error, otherwise: name.description)
        }
      },
      { .text(String(decoding: try JSONEncoding.bytes(of: $0), as: UTF8.self)) })
  }

  @inline(__always)
  private mutating func go<Value>(
    _ name: StaticString, _ field: inout Value, _ read: (Columns, Int) throws -> Value,
    _ write: (Value) throws -> SQLValue
  ) rethrows {
    switch direction {
    case .reading(let columns):
      field = try read(columns, place)
      place += 1
    case .writing: values.append(try write(field))
    case .naming: names.append(name.description)
    }
  }
}

private func inside(_ range: ClosedRange<Int>, _ number: Int, _ column: StaticString) throws -> Int {
  guard range.contains(number) else { throw StoreError.broken(path: "", reason: column.description) }
  return number
}

/// No write of ours stores U+0000. A library that somebody else made may hold it, and neither clients nor workers are sent
/// it: they get the mark of a character that cannot be shown.
private func readable(_ text: String) -> String {
  text.hasNUL ? text.replacing("\0", with: "\u{FFFD}") : text
}

/// A word or day of a column as its type has it. What is there that its type does not know was not written by us.
private func known<Value>(_ text: String, _ make: (String) -> Value?, _ column: StaticString) throws -> Value {
  guard let value = make(text) else { throw StoreError.broken(path: "", reason: column.description) }
  return value
}

extension StoredItem {
  private mutating func visit(_ row: inout RowFields) throws {
    row("id", &id)
    row("revision", &revision)
    row("createdAt", &createdAt)
    row("updatedAt", &updatedAt)
    try columns(&row)
  }

  /// Where each column comes among the values of an item.
  static func columnNames() -> [String] {
    var item = Self()
    var fields = RowFields(direction: .naming)
    // Names are given, not read: there is nothing that could fail.
    try? item.visit(&fields)
    return fields.names
  }

  /// The item in a row whose columns come in the order in which the item names them.
  init(row columns: Columns) throws {
    self.init()
    var fields = RowFields(direction: .reading(columns))
    try visit(&fields)
  }

  /// The values of the columns, in the order in which the item names them.
  func columnValues(count: Int) throws -> [SQLValue] {
    var item = self
    var fields = RowFields(direction: .writing, capacity: count)
    try item.visit(&fields)
    return fields.values
  }
}
