/// Decodes `Decodable` values from JSON, with errors that name the field and the reason.
package enum JSONDecoding {
  /// Whether a field may have this number: at most 2⁵³ in either direction, beyond which programs differ in the integer
  /// that they read (RFC 8259, section 6). So `Int` can represent it, and sums and small multiples do not overflow.
  package static func holds(_ number: Double) -> Bool { number.magnitude <= 0x1p53 }

  /// Decodes a value.
  ///
  /// Whole numbers must be exact, and a text with U+0000 is refused: SQLite would truncate it there.
  ///
  /// - Throws: `RPCError.invalidParams` with the field's path in the client's notation: `lines[2].text`.
  package static func decode<Value: Decodable>(_ type: Value.Type, from value: JSONValue) throws(RPCError) -> Value {
    do {
      return try JSONSource(value: value, path: .root).read(type)
    } catch let error as RPCError {
      throw error
    } catch {
      throw .invalidParams(field: JSONPath.root.text, reason: Text("param.invalid"))
    }
  }
}

/// Thrown by a type that decodes itself from a text or number; the decoder adds the field.
package struct InvalidValue: Error, Equatable {
  package var reason: Text

  package init(_ reason: Text) { self.reason = reason }
}

extension RPCError {
  /// The error for a value of another JSON type than the field's.
  package static func wrongType(_ path: JSONPath, expected: String, found: JSONValue) -> RPCError {
    .invalidParams(
      field: path.text, reason: Text("param.wrongType", ["expected": expected, "found": found.typeName]))
  }

  package static func missing(_ path: JSONPath) -> RPCError {
    .invalidParams(field: path.text, reason: Text("param.missing"))
  }
}

extension JSONValue {
  /// The value, if it is exactly a whole number that a field may have.
  ///
  /// `3.0` is 3, as in JavaScript.
  package var exactInteger: Int64? {
    switch self {
    case .integer(let integer) where integer.magnitude <= 1 << 53: integer
    case .number(let number) where JSONDecoding.holds(number): Int64(exactly: number)
    default: nil
    }
  }
}

extension RPCError {
  /// The error for a value whose `exactInteger` is nil.
  package static func notExact(_ value: JSONValue, at path: JSONPath) -> RPCError {
    switch value {
    case .integer: .tooLargeNumber(at: path)
    case .number: .invalidParams(field: path.text, reason: Text("param.integer"))
    default: .wrongType(path, expected: "integer", found: value)
    }
  }

  package static func tooLargeNumber(at path: JSONPath) -> RPCError {
    .invalidParams(field: path.text, reason: Text("param.numberTooLarge"))
  }
}

/// A value and its path; every container decodes through it.
private struct JSONSource {
  let value: JSONValue
  let path: JSONPath

  /// Decodes any type. The type comparisons are resolved at compile time if the caller's type is known.
  @inline(__always)
  func read<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if type == String.self { return same(try string(), as: type) }
    if type == Int.self { return same(try integer(Int.self), as: type) }
    if type == Bool.self { return same(try bool(), as: type) }
    return try readOther(type)
  }

  private func readOther<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if type == Double.self { return same(try number(), as: type) }
    if type == Float.self { return same(Float(try number()), as: type) }
    if type == Int64.self { return same(try integer(Int64.self), as: type) }
    if isOtherWholeNumber(type), let whole = type as? any FixedWidthInteger.Type,
      let integer = try integer(whole) as? Value
    {
      return integer
    }
    if type == JSONValue.self {
      try refuseNUL(in: value, at: path)
      return same(value, as: type)
    }
    do {
      return try Value(from: JSONValueDecoder(source: self))
    } catch let error as InvalidValue {
      throw RPCError.invalidParams(field: path.text, reason: error.reason)
    } catch let error as DecodingError {
      throw RPCError(error, at: path)
    }
  }

  private func string() throws -> String {
    guard case .string(let string) = value else { throw RPCError.wrongType(path, expected: "string", found: value) }
    if string.hasNUL { throw RPCError.invalidParams(field: path.text, reason: Text("param.nul")) }
    return string
  }

  private func bool() throws -> Bool {
    guard case .bool(let bool) = value else { throw RPCError.wrongType(path, expected: "boolean", found: value) }
    return bool
  }

  private func number() throws -> Double {
    guard let number = value.doubleValue else { throw RPCError.wrongType(path, expected: "number", found: value) }
    guard JSONDecoding.holds(number) else { throw RPCError.tooLargeNumber(at: path) }
    return number
  }

  private func integer<Whole: FixedWidthInteger>(_ type: Whole.Type) throws -> Whole {
    guard let integer = value.exactInteger else { throw RPCError.notExact(value, at: path) }
    guard let whole = Whole(exactly: integer) else {
      throw RPCError.invalidParams(
        field: path.text,
        reason: Text("param.range", ["minimum": String(Whole.min), "maximum": String(Whole.max)]))
    }
    return whole
  }
}

/// Free-form values are eventually stored as text, so the same rule applies to their strings.
private func refuseNUL(in value: JSONValue, at path: JSONPath) throws(RPCError) {
  switch value {
  case .string(let string) where string.hasNUL:
    throw .invalidParams(field: path.text, reason: Text("param.nul"))
  case .array(let elements):
    for (index, element) in elements.enumerated() { try refuseNUL(in: element, at: .element(path, index)) }
  case .object(let object):
    for member in object.members {
      try refuseNUL(in: .string(member.key), at: path)
      try refuseNUL(in: member.value, at: .field(path, member.key))
    }
  default: break
  }
}

extension RPCError {
  fileprivate init(_ error: DecodingError, at path: JSONPath) {
    if case .keyNotFound(let key, _) = error {
      self = .missing(.field(path, key.stringValue))
    } else {
      self = .invalidParams(field: path.text, reason: Text("param.invalid"))
    }
  }
}

private struct JSONValueDecoder: Decoder, SingleValueDecodingContainer {
  let source: JSONSource
  var codingPath: [any CodingKey] { source.path.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let object) = source.value else {
      throw RPCError.wrongType(source.path, expected: "object", found: source.value)
    }
    return KeyedDecodingContainer(JSONMembers(object: object, path: source.path))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = source.value else {
      throw RPCError.wrongType(source.path, expected: "array", found: source.value)
    }
    return JSONElements(elements: elements, path: source.path)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
  func decodeNil() -> Bool { source.value.isNull }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try source.read(type) }
}

/// One generic `decode` implements most of the protocol's fourteen; see `JSONEncoding`.
private struct JSONMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let object: JSONObject
  let path: JSONPath
  var codingPath: [any CodingKey] { path.codingPath }

  var allKeys: [Key] { object.members.compactMap { Key(stringValue: $0.key) } }
  func contains(_ key: Key) -> Bool { object[key.stringValue] != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try source(key).value.isNull }

  func decode(_ type: String.Type, forKey key: Key) throws -> String { try read(type, key) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try read(type, key) }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try read(type, key) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try read(type, key) }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try read(type, key) }

  @inline(__always)
  private func read<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value {
    // Only the keys of a dictionary can contain U+0000; names of fields do not.
    if key.stringValue.hasNUL {
      throw RPCError.invalidParams(field: path.text, reason: Text("param.nul"))
    }
    return try source(key).read(type)
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws
    -> KeyedDecodingContainer<Nested>
  {
    try superDecoder(forKey: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try superDecoder(forKey: key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    JSONValueDecoder(source: JSONSource(value: object["super"] ?? .null, path: .field(path, "super")))
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { JSONValueDecoder(source: try source(key)) }

  private func source(_ key: Key) throws(RPCError) -> JSONSource {
    let path = JSONPath.field(path, key.stringValue)
    guard let value = object[key.stringValue] else { throw .missing(path) }
    return JSONSource(value: value, path: path)
  }
}

private struct JSONElements: UnkeyedDecodingContainer {
  let elements: [JSONValue]
  let path: JSONPath
  private(set) var currentIndex = 0

  init(elements: [JSONValue], path: JSONPath) {
    self.elements = elements
    self.path = path
  }

  var codingPath: [any CodingKey] { path.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex == elements.count }

  mutating func decodeNil() throws -> Bool {
    guard try next().value.isNull else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try next().read(type)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
    try superDecoder().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try superDecoder().unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = JSONValueDecoder(source: try next())
    currentIndex += 1
    return decoder
  }

  private func next() throws(RPCError) -> JSONSource {
    let path = JSONPath.element(path, currentIndex)
    guard currentIndex < elements.count else { throw .missing(path) }
    return JSONSource(value: elements[currentIndex], path: path)
  }
}
