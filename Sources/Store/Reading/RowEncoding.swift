import Contract
import Wire

/// The values of an item's columns, in the order of the layout; the counterpart of `RowDecoding`.
enum RowEncoding {
  static func values(of item: some StoredItem, layout: RowLayout) throws -> [SQLValue] {
    let sink = RowSink(layout: layout)
    try item.encode(to: RowEncoder(sink: sink))
    return sink.values
  }
}

private final class RowSink {
  let layout: RowLayout
  /// A field that is nil encodes nothing and leaves its column null.
  var values: [SQLValue]

  init(layout: RowLayout) {
    self.layout = layout
    values = Array(repeating: .null, count: layout.columns.count)
  }

  @inline(__always)
  func write<Value: Encodable>(_ value: Value, to column: String) throws {
    guard let index = layout.index(of: column) else { throw mistake("\(layout.table) has no column \(column)") }
    values[index] = try sqlValue(of: value)
  }
}

/// The comparisons of types fold away where the caller's type is known.
@inline(__always)
private func sqlValue<Value: Encodable>(of value: Value) throws -> SQLValue {
  if Value.self == String.self { return .text(same(value, as: String.self)) }
  if Value.self == Int.self { return .integer(same(value, as: Int.self)) }
  if Value.self == Int64.self { return .integer(same(value, as: Int64.self)) }
  if Value.self == Bool.self { return .bool(same(value, as: Bool.self)) }
  if Value.self == Double.self { return .real(same(value, as: Double.self)) }
  if Value.self == Instant.self { return .integer(same(value, as: Instant.self).milliseconds) }
  let column = ColumnEncoder()
  try value.encode(to: column)
  return try column.value()
}

private struct RowEncoder: Encoder {
  let sink: RowSink
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(RowFields<Key>(sink: sink))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { preconditionFailure("an item is no list") }
  func singleValueContainer() -> any SingleValueEncodingContainer { preconditionFailure("an item is no single value") }
}

/// One generic `encode` stands for most of the fourteen that the protocol lists; see `JSONEncoding`.
private struct RowFields<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let sink: RowSink
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) throws {}
  func encode(_ value: String, forKey key: Key) throws { try sink.write(value, to: key.stringValue) }
  func encode(_ value: Int, forKey key: Key) throws { try sink.write(value, to: key.stringValue) }
  func encode(_ value: Int64, forKey key: Key) throws { try sink.write(value, to: key.stringValue) }
  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try sink.write(value, to: key.stringValue) }

  func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
    preconditionFailure("only synthesized Codable goes into a row")
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    preconditionFailure("only synthesized Codable goes into a row")
  }
  func superEncoder() -> any Encoder { preconditionFailure("an item inherits nothing") }
  func superEncoder(forKey key: Key) -> any Encoder { preconditionFailure("an item inherits nothing") }
}

/// A value that is none of the simple ones: a single value in the end, or JSON.
private final class ColumnEncoder: Encoder, SingleValueEncodingContainer {
  private var single = SQLValue.null
  private var json: JSONCollector?
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func value() throws -> SQLValue {
    guard let json else { return single }
    return .text(String(decoding: try json.finish(), as: UTF8.self))
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    collector().container(keyedBy: type)
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { collector().unkeyedContainer() }
  func singleValueContainer() -> any SingleValueEncodingContainer { self }
  func encodeNil() {}
  func encode<Value: Encodable>(_ value: Value) throws { single = try sqlValue(of: value) }

  private func collector() -> any Encoder {
    let collector = json ?? JSONCollector()
    json = collector
    return collector.encoder
  }
}

private func mistake(_ reason: String) -> EncodingError {
  .invalidValue("", .init(codingPath: [], debugDescription: reason))
}
