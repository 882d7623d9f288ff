import Wire

/// Determines the encoding of a type by running its synthesized `init(from:)` with a decoder that only records.
///
/// Every field that the initializer decodes is recorded with its type, and gets some value so that decoding continues.
/// No macros, since compiling swift-syntax takes minutes on a small machine; no mirrors, since they do not show the
/// type of a nil optional.
package enum Probe {
  /// The shape of a type.
  ///
  /// - Throws: `ProbeError` for a type that cannot be described, a programming error that the first test detects.
  package static func shape<Value: Decodable>(of type: Value.Type) throws(ProbeError) -> Shape {
    do {
      return try shape(of: type, within: []).shape
    } catch let error as ProbeError {
      throw error
    } catch {
      throw ProbeError(type: typeName(type), reason: "\(error)")
    }
  }

  /// The shape and some value of the type; without a value for a type that contains itself.
  fileprivate static func shape<Value: Decodable>(
    of type: Value.Type, within outer: [Any.Type]
  ) throws -> (shape: Shape, value: Value?) {
    if let primitive = primitive(type) { return primitive }
    if let shaped = type as? any ShapedValue.Type { return (shaped.shape, shaped.sample as? Value) }
    if let list = type as? any ProbedContainer.Type {
      return (try list.probe(within: outer), list.emptyContainer as? Value)
    }
    let name = typeName(type)
    if outer.contains(where: { $0 == type }) { return (.recursion(name), nil) }
    let listener = Listener(name: name, outer: outer + [type])
    let value = try Value(from: ListeningDecoder(listener: listener))
    return (listener.shape(describedBy: type as? any Payload.Type), value)
  }

  private static func primitive<Value: Decodable>(_ type: Value.Type) -> (Shape, Value?)? {
    if let value = "" as? Value { return (.string, value) }
    if let value = false as? Value { return (.boolean, value) }
    if let value = 0.0 as? Value { return (.number, value) }
    if let value = Float(0) as? Value { return (.number, value) }
    if let whole = type as? any FixedWidthInteger.Type { return (.integer, whole.init(exactly: 0) as? Value) }
    return nil
  }
}

/// A type whose encoding cannot be determined.
package struct ProbeError: Error, Equatable {
  package var type: String
  package var reason: String
}

/// The element type of a list or a dictionary; an empty container serves as its value.
private protocol ProbedContainer {
  static func probe(within outer: [Any.Type]) throws -> Shape
  static var emptyContainer: Self { get }
}

extension Array: ProbedContainer where Element: Decodable {
  fileprivate static func probe(within outer: [Any.Type]) throws -> Shape {
    .array(try Probe.shape(of: Element.self, within: outer).shape)
  }

  fileprivate static var emptyContainer: [Element] { [] }
}

extension Dictionary: ProbedContainer where Key == String, Value: Decodable {
  fileprivate static func probe(within outer: [Any.Type]) throws -> Shape {
    .dictionary(try Probe.shape(of: Value.self, within: outer).shape)
  }

  fileprivate static var emptyContainer: [String: Value] { [:] }
}

/// The fields recorded while one object was decoded.
private final class Listener {
  let name: String
  let outer: [Any.Type]
  var fields: [ObjectShape.Field] = []
  /// The shape of a type that is a single value, such as a wrapped text.
  var single: Shape?

  init(name: String, outer: [Any.Type]) {
    self.name = name
    self.outer = outer
  }

  func shape(describedBy payload: (any Payload.Type)?) -> Shape {
    if let single { return single }
    var object = ObjectShape(name: name, fields: fields)
    object.containsItself = fields.contains { $0.shape.contains(recursion: name) }
    guard let payload else { return .object(object) }
    object.isDescribed = true
    object.declaredNames =
      Set(payload.fields.keys).union(payload.limits.keys).union(payload.secrets).union(payload.terms.keys)
    object.exactlyOne = payload.exactlyOne
    object.atMostOne = payload.atMostOne
    for index in object.fields.indices {
      let name = object.fields[index].name
      object.fields[index].note = payload.fields[name] ?? ""
      object.fields[index].limits = payload.limits[name] ?? FieldLimits()
      object.fields[index].isSecret = payload.secrets.contains(name)
      object.fields[index].term = payload.terms[name]
    }
    return .object(object)
  }

  func hear<Value: Decodable>(_ type: Value.Type, named name: String, _ presence: ObjectShape.Presence) throws
    -> Value?
  {
    let (shape, value) = try Probe.shape(of: type, within: outer)
    fields.append(ObjectShape.Field(name: name, shape: shape, presence: presence, note: ""))
    return value
  }

  func unsupported(_ what: String) -> ProbeError { ProbeError(type: name, reason: what) }
}

private struct ListeningDecoder: Decoder, SingleValueDecodingContainer {
  let listener: Listener
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(ListeningContainer(listener: listener))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw listener.unsupported("reads itself from an array; make it a list of one type")
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
  func decodeNil() -> Bool { false }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let (shape, value) = try Probe.shape(of: type, within: listener.outer)
    listener.single = shape
    guard let value else { throw listener.unsupported("contains itself") }
    return value
  }
}

/// One generic `decode` implements the protocol's fourteen.
private struct ListeningContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let listener: Listener
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [] }

  func contains(_ key: Key) -> Bool { true }
  func decodeNil(forKey key: Key) -> Bool { false }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    if let patch = type as? any ProbedPatch.Type {
      try patch.hear(by: listener, named: key.stringValue)
      if let value = patch.unchanged as? Value { return value }
    }
    guard let value = try listener.hear(type, named: key.stringValue, .required) else {
      throw listener.unsupported("contains itself in \(key.stringValue)")
    }
    return value
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    try listener.hear(type, named: key.stringValue, .optional)
  }

  // The protocol has default implementations of these fourteen, which would call `decode` and so record the fields as
  // required.
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try optional(type, key) }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try optional(type, key) }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try optional(type, key) }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try optional(type, key) }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try optional(type, key) }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try optional(type, key) }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try optional(type, key) }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try optional(type, key) }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try optional(type, key) }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try optional(type, key) }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try optional(type, key) }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try optional(type, key) }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try optional(type, key) }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try optional(type, key) }

  private func optional<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value? {
    try listener.hear(type, named: key.stringValue, .optional)
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws
    -> KeyedDecodingContainer<Nested>
  { throw byHand }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw byHand }
  func superDecoder() throws -> any Decoder { throw byHand }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw byHand }

  private var byHand: ProbeError { listener.unsupported("is decoded by hand; give the part a type of its own") }
}

/// A field of an update; the type of its value is recorded.
private protocol ProbedPatch {
  static func hear(by listener: Listener, named name: String) throws
  static var unchanged: Self { get }
}

extension Patch: ProbedPatch {
  fileprivate static func hear(by listener: Listener, named name: String) throws {
    _ = try listener.hear(Value.self, named: name, .patch)
  }

  fileprivate static var unchanged: Patch { .absent }
}
