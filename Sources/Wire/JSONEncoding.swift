/// Encodes `Encodable` values as JSON bytes: compact, in the declared order of the fields, whole numbers without a
/// fraction.
///
/// Foundation's encoder sorts by a hash, builds a tree first, and writes 64-bit integers through `NSNumber`. This one
/// streams: encoded values are written directly into the bytes of the reply.
package enum JSONEncoding {
  /// The bytes of a value.
  ///
  /// - Throws: `EncodingError` for a number that JSON cannot represent, and whatever the value throws.
  package static func bytes(of value: some Encodable) throws -> [UInt8] {
    try bytes(of: value, adding: [])
  }

  /// The bytes of an object with further members after its own, such as the `clock` of every reply.
  ///
  /// A member that the object has itself is not replaced.
  ///
  /// - Throws: `EncodingError` if members are to be added to a value that is not an object, and whatever the value
  ///   throws.
  package static func bytes(of value: some Encodable, adding members: [(key: String, value: JSONValue)]) throws
    -> [UInt8]
  {
    let sink = JSONSink(adding: members)
    try sink.encode(value)
    return try sink.finish(value)
  }

  /// Encodes a value whose JSON already exists; the JSON is copied if the encoder writes bytes.
  ///
  /// - Throws: `JSONSyntaxError`, or the encoder's error.
  package static func encode(written json: [UInt8], to encoder: any Encoder) throws {
    // The root must remain open for further members, so it is encoded member by member.
    if let stream = encoder as? JSONStreamEncoder, stream.level > 0 {
      stream.sink.write(raw: json)
    } else {
      try JSONParser.parse(json).encode(to: encoder)
    }
  }

  /// The value as a tree, for inspecting rather than sending it.
  ///
  /// - Throws: as `bytes(of:)`.
  package static func value(of value: some Encodable) throws -> JSONValue {
    let bytes = try bytes(of: value)
    do {
      return try JSONParser.parse(bytes)
    } catch {
      // Only the depth can be invalid here, which means that the value does not end.
      throw EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: "deeper than JSON may be"))
    }
  }
}

/// The bytes written so far and the objects and arrays still open in them.
///
/// Codable does not report when a container is complete. So every container knows the nesting level at which it began,
/// and the next write first closes the deeper levels.
final class JSONSink {
  private struct Open {
    var isObject: Bool
    var isEmpty = true
  }

  // Exclusive access is not checked at run time here, where a check would precede every byte: only one thread encodes,
  // and no call leaves this type while it changes one of these.
  @exclusivity(unchecked) private var writer = JSONWriter(reservingCapacity: 2048)
  @exclusivity(unchecked) private var open: [Open] = []
  /// Whether the bytes end with a key, a comma or nothing, so that a value has to follow.
  @exclusivity(unchecked) private var awaitsValue = true
  @exclusivity(unchecked) private var added: [(key: String, value: JSONValue)]

  init(adding members: [(key: String, value: JSONValue)]) {
    added = members
    open.reserveCapacity(8)
  }

  func finish(_ value: some Encodable) throws -> [UInt8] {
    if !added.isEmpty {
      guard let root = open.first, root.isObject else {
        throw EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: "not an object"))
      }
      // The root stays open until here, since only it can get more members.
      for member in added {
        beginMember(member.key, level: 1)
        write(member.value)
      }
    }
    close(to: 0)
    return writer.bytes
  }

  // MARK: Containers

  var level: Int { open.count }

  func beginContainer(isObject: Bool, level: Int) {
    if open.count > level {
      // A type that flattens another into itself requests the container of the same value again.
      precondition(open[level].isObject == isObject, "a value is an object or an array, not both")
      close(to: level + 1)
      return
    }
    writer.write(byte: isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
    open.append(Open(isObject: isObject))
    awaitsValue = false
  }

  func beginMember(_ key: String, level: Int) {
    close(to: level)
    separate(level)
    if level == 1, !added.isEmpty { added.removeAll { sameBytes($0.key, key) && open.count == 1 } }
    writer.write(string: key)
    writer.write(byte: UInt8(ascii: ":"))
    awaitsValue = true
  }

  func beginElement(level: Int) {
    close(to: level)
    separate(level)
    awaitsValue = true
  }

  @inline(__always)
  private func separate(_ level: Int) {
    if open[level - 1].isEmpty { open[level - 1].isEmpty = false } else { writer.write(byte: UInt8(ascii: ",")) }
  }

  @inline(__always)
  private func close(to level: Int) {
    if awaitsValue || open.count > level { closeDeeper(than: level) }
  }

  private func closeDeeper(than level: Int) {
    // A value that encoded nothing is an object without members.
    if awaitsValue { write(empty: "{}") }
    while open.count > level {
      writer.write(byte: open.removeLast().isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    }
  }

  // MARK: Values

  private func write(empty literal: StaticString) {
    writer.write(literal: literal)
    awaitsValue = false
  }

  func writeNull() { write(empty: "null") }

  func write(_ value: JSONValue) {
    writer.write(value)
    awaitsValue = false
  }

  func write(raw json: [UInt8]) {
    writer.write(raw: json)
    awaitsValue = false
  }

  /// Encodes one value. The type comparisons are resolved at compile time if the caller's type is known, as in
  /// synthesized code.
  @inline(__always)
  func encode<Value: Encodable>(_ value: Value) throws {
    if Value.self == String.self {
      writer.write(string: same(value, as: String.self))
    } else if Value.self == Int.self {
      writer.write(integer: same(value, as: Int.self))
    } else if Value.self == Int64.self {
      writer.write(integer: same(value, as: Int64.self))
    } else if Value.self == Bool.self {
      writer.write(literal: same(value, as: Bool.self) ? "true" : "false")
    } else if Value.self == Double.self {
      try write(number: same(value, as: Double.self))
    } else {
      return try encodeOther(value)
    }
    awaitsValue = false
  }

  private func encodeOther<Value: Encodable>(_ value: Value) throws {
    if Value.self == JSONValue.self, !isRoot { return write(same(value, as: JSONValue.self)) }
    if Value.self == Float.self {
      try write(number: Double(same(value, as: Float.self)))
      awaitsValue = false
    } else if isOtherWholeNumber(Value.self), let integer = value as? any FixedWidthInteger {
      writer.write(integer: integer)
      awaitsValue = false
    } else {
      let level = open.count
      try value.encode(to: JSONStreamEncoder(sink: self, level: level))
      // The root stays open for additional members.
      if level > 0 { close(to: level) } else if awaitsValue { beginContainer(isObject: true, level: 0) }
    }
  }

  private var isRoot: Bool { open.isEmpty }

  private func write(number: Double) throws {
    guard number.isFinite else {
      throw EncodingError.invalidValue(number, .init(codingPath: [], debugDescription: "JSON has no such number"))
    }
    writer.write(number: number)
  }
}

/// Whether a type is a whole number other than `Int` and `Int64`.
///
/// Compares types instead of casting: a failed cast to a protocol costs more than writing a small object.
func isOtherWholeNumber(_ type: Any.Type) -> Bool {
  type == Int32.self || type == UInt64.self || type == UInt32.self || type == UInt.self || type == UInt8.self
    || type == Int16.self || type == UInt16.self || type == Int8.self
}

struct JSONStreamEncoder: Encoder {
  let sink: JSONSink
  /// The number of open containers when the encoded value began.
  let level: Int

  /// Empty: paths are not tracked, and an error here is the daemon's, not a client's.
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    sink.beginContainer(isObject: true, level: level)
    return KeyedEncodingContainer(JSONMembers<Key>(sink: sink, level: level + 1))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    sink.beginContainer(isObject: false, level: level)
    return JSONElements(sink: sink, level: level + 1)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { JSONSingleValue(sink: sink) }
}

/// One generic `encode` implements nine of the protocol's fourteen. The five types of nearly all fields have overloads,
/// since the generic one needs run-time lookups.
private struct JSONMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let sink: JSONSink
  let level: Int
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) {
    sink.beginMember(key.stringValue, level: level)
    sink.writeNull()
  }

  func encode(_ value: String, forKey key: Key) throws { try write(value, key) }
  func encode(_ value: Int, forKey key: Key) throws { try write(value, key) }
  func encode(_ value: Int64, forKey key: Key) throws { try write(value, key) }
  func encode(_ value: Bool, forKey key: Key) throws { try write(value, key) }
  func encode(_ value: Double, forKey key: Key) throws { try write(value, key) }
  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try write(value, key) }

  @inline(__always)
  private func write<Value: Encodable>(_ value: Value, _ key: Key) throws {
    sink.beginMember(key.stringValue, level: level)
    try sink.encode(value)
  }

  func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
    nested(key).container(keyedBy: Nested.self)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { nested(key).unkeyedContainer() }
  func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

  func superEncoder() -> any Encoder {
    sink.beginMember("super", level: level)
    return JSONStreamEncoder(sink: sink, level: level)
  }

  private func nested(_ key: Key) -> JSONStreamEncoder {
    sink.beginMember(key.stringValue, level: level)
    return JSONStreamEncoder(sink: sink, level: level)
  }
}

private struct JSONElements: UnkeyedEncodingContainer {
  let sink: JSONSink
  let level: Int
  private(set) var count = 0
  var codingPath: [any CodingKey] { [] }

  init(sink: JSONSink, level: Int) {
    self.sink = sink
    self.level = level
  }

  mutating func encodeNil() {
    _ = superEncoder()
    sink.writeNull()
  }

  mutating func encode<Value: Encodable>(_ value: Value) throws {
    count += 1
    sink.beginElement(level: level)
    try sink.encode(value)
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type) -> KeyedEncodingContainer<Nested> {
    superEncoder().container(keyedBy: Nested.self)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { superEncoder().unkeyedContainer() }

  mutating func superEncoder() -> any Encoder {
    count += 1
    sink.beginElement(level: level)
    return JSONStreamEncoder(sink: sink, level: level)
  }
}

private struct JSONSingleValue: SingleValueEncodingContainer {
  let sink: JSONSink
  var codingPath: [any CodingKey] { [] }

  func encodeNil() { sink.writeNull() }
  func encode(_ value: String) throws { try sink.encode(value) }
  func encode<Value: Encodable>(_ value: Value) throws { try sink.encode(value) }
}
