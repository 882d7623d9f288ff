import Contract
import Wire

/// Reads an item from a row through its synthesized `Codable`: a field is the column of its name, an object or a list
/// is JSON in one.
enum RowDecoding {
  static func item<Item: StoredItem>(_ type: Item.Type, from columns: Columns, layout: RowLayout) throws -> Item {
    try Item(from: RowDecoder(columns: columns, layout: layout))
  }
}

private struct RowDecoder: Decoder {
  let columns: Columns
  let layout: RowLayout
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(RowFields<Key>(columns: columns, layout: layout))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw mistake("a row is an object") }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw mistake("a row is an object") }
}

/// One generic `decode` stands for most of the fourteen that the protocol lists; see `JSONEncoding`.
private struct RowFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let columns: Columns
  let layout: RowLayout
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { layout.columns.compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool { layout.index(of: key.stringValue) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { columns.isNull(try place(of: key)) }

  func decode(_ type: String.Type, forKey key: Key) throws -> String { try columns.text(place(of: key)) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try columns.int(place(of: key)) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try columns.integer(place(of: key)) }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try columns.bool(place(of: key)) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try columns.real(place(of: key)) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try ColumnDecoder(columns: columns, index: try place(of: key)).read(type)
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws
    -> KeyedDecodingContainer<Nested>
  {
    try superDecoder(forKey: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try superDecoder(forKey: key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { throw mistake("an item inherits nothing") }
  func superDecoder(forKey key: Key) throws -> any Decoder {
    ColumnDecoder(columns: columns, index: try place(of: key))
  }

  private func place(of key: Key) throws -> Int {
    guard let index = layout.index(of: key.stringValue) else {
      throw mistake("the table \(layout.table) has no column \(key.stringValue)")
    }
    return index
  }
}

private struct ColumnDecoder: Decoder, SingleValueDecodingContainer {
  let columns: Columns
  let index: Int
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// The comparisons of types fold away where the caller's type is known, as in synthesized code.
  @inline(__always)
  func read<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if type == String.self { return same(columns.text(index), as: type) }
    if type == Int.self { return same(columns.int(index), as: type) }
    if type == Int64.self { return same(columns.integer(index), as: type) }
    if type == Bool.self { return same(columns.bool(index), as: type) }
    if type == Double.self { return same(columns.real(index), as: type) }
    // On the wire a text, here a number that can be compared and sorted.
    if type == Instant.self { return same(Instant(milliseconds: columns.integer(index)), as: type) }
    return try Value(from: self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
  func decodeNil() -> Bool { columns.isNull(index) }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try read(type) }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try json().container(keyedBy: type)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try json().unkeyedContainer() }

  private func json() throws -> any Decoder {
    JSONDecoding.decoder(for: try JSONParser.parse(columns.bytes(index)))
  }
}

private func mistake(_ reason: String) -> DecodingError {
  .dataCorrupted(.init(codingPath: [], debugDescription: reason))
}
