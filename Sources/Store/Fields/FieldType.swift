import Contract
import SQLite
import Wire

/// How values of one Swift type are encoded on the wire (`WireType`) and in a column.
///
/// A field's type follows from its property (`StoredValue`); types with parameters are given by name:
///
///     Field("title", \.title, .text(1...1_000, notBlank: true), "What is to be done, in one line.")
///     Field("priority", \.priority, .integer(1...9), "1 (highest) to 9, as in iCalendar.")
public struct FieldType<Value: Sendable>: Sendable {
  package var wire: WireType<Value>
  /// Whether the column holds JSON as a text.
  let isJSON: Bool
  let read: @Sendable (SQLValue) throws -> Value
  let stored: @Sendable (Value) throws -> SQLValue
  /// Refuses a value whose parts no write of ours stored: JSON that is decoded on demand, numbers outside their limits.
  /// Reads skip it, imports do not.
  let check: @Sendable (Value) throws -> Void

  /// - Parameter read: decodes a column, or its value in the change log. Throws `InvalidColumn` for a value that no
  ///   write of ours stored.
  package init(
    _ wire: WireType<Value>, isJSON: Bool = false,
    read: @escaping @Sendable (SQLValue) throws -> Value,
    stored: @escaping @Sendable (Value) throws -> SQLValue,
    check: @escaping @Sendable (Value) throws -> Void = { _ in }
  ) {
    (self.wire, self.isJSON, self.read, self.stored, self.check) = (wire, isJSON, read, stored, check)
  }

  /// The same type with another wire encoding.
  package func traveling(as wire: WireType<Value>) -> FieldType {
    var type = self
    type.wire = wire
    return type
  }

  /// The same type for a field that may have no value: NULL in its column, absent in replies.
  public var optional: FieldType<Value?> {
    let (read, stored, check) = (read, stored, check)
    return FieldType<Value?>(
      wire.optional, isJSON: isJSON, read: { if case .null = $0 { nil } else { try read($0) } },
      stored: { try $0.map(stored) ?? .null }, check: { if let value = $0 { try check(value) } })
  }
}

/// A column has a value that no write of ours stored, or a property one that no column may store; the field adds its
/// name.
struct InvalidColumn: Error {}

extension FieldType where Value: Comparable {
  /// Refuses a value outside the range, in a row, since the library may be external, and in a write, so that no row is
  /// stored that could not be read.
  fileprivate func within(_ range: ClosedRange<Value>) -> FieldType {
    let (read, stored) = (read, stored)
    @Sendable func checked(_ value: Value) throws -> Value {
      guard range.contains(value) else { throw InvalidColumn() }
      return value
    }
    return FieldType(
      wire, isJSON: isJSON, read: { try checked(read($0)) }, stored: { try stored(checked($0)) }, check: check)
  }
}

/// The whole numbers that JSON and a double represent exactly. Sums of a few of them do not overflow.
private let exactNumbers: ClosedRange<Int64> = -(1 << 53)...1 << 53

/// Typed access to a column. NULL reads as an empty text or zero: the column may have been added after the row.
extension SQLValue {
  fileprivate var text: String {
    get throws {
      switch self {
      case .text(let text): text
      case .null: ""
      default: throw InvalidColumn()
      }
    }
  }

  fileprivate var integer: Int64 {
    get throws {
      switch self {
      case .integer(let integer): return integer
      case .null: return 0
      case .real(let real):
        guard let integer = Int64(exactly: real) else { throw InvalidColumn() }
        return integer
      case .text: throw InvalidColumn()
      }
    }
  }

  fileprivate var int: Int { get throws { Int(try integer) } }
  fileprivate var bool: Bool { get throws { try integer != 0 } }

  fileprivate var real: Double {
    get throws {
      switch self {
      case .real(let real): real
      case .integer(let integer): Double(integer)
      case .null: 0
      case .text: throw InvalidColumn()
      }
    }
  }
}

// MARK: - Types of properties

/// A Swift type that a column can hold, with the default type of its fields.
public protocol StoredValue: Sendable {
  static var fieldType: FieldType<Self> { get }
}

extension Optional: StoredValue where Wrapped: StoredValue {
  public static var fieldType: FieldType<Wrapped?> { Wrapped.fieldType.optional }
}

extension String: StoredValue {
  public static var fieldType: FieldType<String> {
    FieldType(wireType, read: { readable(try $0.text) }, stored: { .text($0) })
  }
}

/// Replaces U+0000 with U+FFFD. No write of ours stores U+0000, but an external library may contain it, and neither
/// clients nor workers may receive it.
private func readable(_ text: String) -> String {
  text.hasNUL ? text.replacing("\0", with: "\u{FFFD}") : text
}

extension Int64: StoredValue {
  public static var fieldType: FieldType<Int64> {
    FieldType(wireType, read: { try $0.integer }, stored: { .integer($0) }).within(exactNumbers)
  }
}

extension Int: StoredValue {
  public static var fieldType: FieldType<Int> {
    FieldType(wireType, read: { try $0.int }, stored: { .integer($0) })
      .within(Int(exactNumbers.lowerBound)...Int(exactNumbers.upperBound))
  }
}

extension Double: StoredValue {
  public static var fieldType: FieldType<Double> {
    FieldType(wireType, read: { try $0.real }, stored: { .real($0) })
      .within(Double(exactNumbers.lowerBound)...Double(exactNumbers.upperBound))
  }
}

extension Bool: StoredValue {
  public static var fieldType: FieldType<Bool> {
    FieldType(wireType, read: { try $0.bool }, stored: { .bool($0) })
  }
}

/// A text on the wire; in its column a number that can be compared and sorted.
extension Instant: StoredValue {
  public static var fieldType: FieldType<Instant> {
    FieldType(
      wireType,
      read: { column in
        guard let instant = Instant(exactly: try column.integer) else { throw InvalidColumn() }
        return instant
      },
      stored: { .integer($0.milliseconds) })
  }
}

extension CalendarDay: StoredValue {
  public static var fieldType: FieldType<CalendarDay> {
    FieldType(
      wireType,
      read: { column in
        guard let day = CalendarDay(try column.text) else { throw InvalidColumn() }
        return day
      },
      stored: { .text($0.description) })
  }
}

extension StoredJSON: StoredValue {
  public static var fieldType: FieldType<StoredJSON> { json(.any) }

  /// - Parameter shape: the shape that clients see.
  package static func json(_ shape: @autoclosure @escaping @Sendable () -> Shape) -> FieldType<StoredJSON> {
    FieldType(
      WireType(
        shape(), write: { $1.write(storedJSON: $0.json) }, parse: { StoredJSON(stored: $0.description) }),
      isJSON: true, read: { StoredJSON(stored: try $0.text) }, stored: { .text($0.json) },
      check: { try $0.check() })
  }

  /// - Throws: `StoreError.broken` for JSON that no daemon writes.
  fileprivate func check() throws {
    _ = try value()
    try checkNumbers(inStored: json, of: Value.self)
  }
}

/// A list whose elements declare limits.
private protocol LimitedList {
  static var shape: Shape { get }
}

extension Array: LimitedList where Element: Payload {
  fileprivate static var shape: Shape { .array(Element.shape) }
}

/// - Throws: `StoreError.broken` with the field of a number outside the limits that its type declares.
private func checkNumbers<Value>(inStored json: String, of type: Value.Type) throws {
  guard let shape = (type as? any Payload.Type)?.shape ?? (type as? any LimitedList.Type)?.shape else { return }
  do {
    try shape.checkNumbers(of: try JSONParser.parse(json))
  } catch {
    throw StoreError(json: error, otherwise: "json")
  }
}

/// A list is stored as JSON. Most lists are empty, and are not parsed.
extension Array: StoredValue where Element: WireValue & Codable {
  public static var fieldType: FieldType<[Element]> {
    let wire = wireType
    return FieldType(
      wire, isJSON: true,
      read: { column in
        let json = try column.text
        if json.isEmpty || sameBytes(json, "[]") { return [] }
        // Most lists contain texts. They skip `Codable`, since a board is decoded for each client that reads it.
        if Element.self == String.self, let list = try? JSONParser.parse(json).arrayValue {
          let texts = list.compactMap(\.stringValue)
          if texts.count == list.count, let value = texts as? [Element] { return value }
        }
        return try StoredJSON<[Element]>(stored: json).value()
      },
      stored: { list in
        if list.isEmpty { return .text("[]") }
        var json = JSONWriter()
        try wire.write(list, &json)
        return .text(String(decoding: json.bytes, as: UTF8.self))
      },
      check: { list in
        if list.isEmpty || Element.self == String.self { return }
        try StoredJSON(list).check()
      })
  }
}

extension FieldType where Value == [String] {
  /// The ids of other items.
  package static var ids: FieldType {
    var type = Value.fieldType
    type.wire.shape = .array(.text(.id))
    return type
  }
}

/// A string enum conforms by its declaration alone: `enum SourceKind: String, StoredWord`.
public protocol StoredWord: StoredValue, RawRepresentable where RawValue == String {}

extension StoredWord {
  public static var fieldType: FieldType<Self> {
    FieldType(
      WireType(
        (self as? any ShapedValue.Type)?.shape ?? .string, write: { $1.write(string: $0.rawValue) },
        parse: { value in
          guard let word = value.stringValue.flatMap(Self.init) else { throw RPCError.internalError }
          return word
        }),
      read: { column in
        guard let word = Self(rawValue: try column.text) else { throw InvalidColumn() }
        return word
      },
      stored: { .text($0.rawValue) })
  }
}

// MARK: - Types by name

extension FieldType where Value == String {
  /// - Parameter length: length in Unicode scalars.
  package static func text(_ length: ClosedRange<Int>, notBlank: Bool = false) -> FieldType {
    var type = String.fieldType
    type.wire.limits = .length(length, notBlank: notBlank)
    return type
  }

  /// A text of a named format, such as an id.
  package static func form(_ form: TextForm) -> FieldType {
    var type = String.fieldType
    type.wire.shape = .text(form)
    return type
  }

  /// The name of a blob, from which a path is formed: 64 hexadecimal digits.
  package static var hash: FieldType {
    FieldType(
      String.wireType,
      read: { column in
        guard let hash = BlobHash(try column.text) else { throw InvalidColumn() }
        return hash.text
      },
      stored: { .text($0) })
  }

  /// An object or a list as the stored JSON, which is parsed only on demand.
  package static func json(_ shape: @autoclosure @escaping @Sendable () -> Shape) -> FieldType {
    let shape = Deferred(shape)
    return FieldType(
      WireType(shape.value, write: { $1.write(storedJSON: $0) }, parse: { $0.description }), isJSON: true,
      read: { try $0.text }, stored: { .text($0) },
      check: { json in
        do {
          try shape.value.check(try JSONParser.parse(json), strict: false)
        } catch {
          throw StoreError(json: error, otherwise: "json")
        }
      })
  }
}

extension FieldType where Value: Payload {
  /// An object, stored as JSON.
  package static var object: FieldType {
    FieldType(
      Value.wireType, isJSON: true, read: { try StoredJSON(stored: try $0.text).value() },
      stored: { .text(try StoredJSON($0).json) }, check: { try StoredJSON($0).check() })
  }
}

extension FieldType where Value == Int {
  package static func integer(_ range: ClosedRange<Int>) -> FieldType {
    var type = Int.fieldType.within(range)
    type.wire.limits = .range(Double(range.lowerBound)...Double(range.upperBound))
    return type
  }
}

extension FieldType where Value == Double {
  package static func number(_ range: ClosedRange<Double>) -> FieldType {
    var type = Double.fieldType.within(range)
    type.wire.limits = .range(range)
    return type
  }
}

extension FieldType where Value == Bool {
  /// In replies only if true.
  package static var flag: FieldType { Bool.fieldType.traveling(as: Bool.wireType.omitted { !$0 }) }
}

extension FieldType where Value == Int? {
  package static func integer(_ range: ClosedRange<Int>) -> FieldType { FieldType<Int>.integer(range).optional }
}

extension FieldType where Value == Double? {
  package static func number(_ range: ClosedRange<Double>) -> FieldType { FieldType<Double>.number(range).optional }
}

extension FieldType where Value == String? {
  package static func text(_ length: ClosedRange<Int>, notBlank: Bool = false) -> FieldType {
    FieldType<String>.text(length, notBlank: notBlank).optional
  }

  package static func json(_ shape: @autoclosure @escaping @Sendable () -> Shape) -> FieldType {
    FieldType<String>.json(shape()).optional
  }
}

extension FieldType where Value: Codable {
  /// An object or a list that is stored as JSON and decoded with the row.
  package static var json: FieldType {
    FieldType(
      WireType(.any) { $1.write(raw: try JSONEncoding.bytes(of: $0)) }, isJSON: true,
      read: { try JSONDecoding.decode(Value.self, from: JSONParser.parse(try $0.text)) },
      stored: { .text(String(decoding: try JSONEncoding.bytes(of: $0), as: UTF8.self)) })
  }
}

extension JSONWriter {
  /// Writes the JSON of a column. An external library may contain any text there; a reply may contain only JSON.
  fileprivate mutating func write(storedJSON json: String) {
    if sameBytes(json, "[]") { return write(literal: "[]") }
    write((try? JSONParser.parse(json)) ?? .null)
  }
}
