import Wire

/// How values of one Swift type are encoded as members of an object.
public struct WireType<Value: Sendable>: Sendable {
  package var shape: Shape {
    get { makeShape() }
    set {
      let shape = newValue
      makeShape = { shape }
    }
  }
  /// Computed lazily for the reference: startup does not wait for the shapes of all types.
  private var makeShape: @Sendable () -> Shape
  /// Limits of a client's values beyond the shape.
  package var limits: FieldLimits
  /// Whether the member is omitted for a value; nil for a type whose member is always present.
  package private(set) var isNothing: (@Sendable (Value) -> Bool)?
  /// Writes a value that is not omitted.
  package private(set) var write: @Sendable (_ value: Value, _ json: inout JSONWriter) throws -> Void
  /// Parses a value that was checked against `shape` and `limits`.
  package let parse: @Sendable (JSONValue) throws -> Value

  public init(
    _ shape: @autoclosure @escaping @Sendable () -> Shape, limits: FieldLimits = FieldLimits(),
    write: @escaping @Sendable (Value, inout JSONWriter) throws -> Void,
    parse: @escaping @Sendable (JSONValue) throws -> Value
  ) {
    (makeShape, self.limits, isNothing, self.write, self.parse) = (shape, limits, nil, write, parse)
  }

  private init<Wrapped>(optional type: WireType<Wrapped>) where Value == Wrapped? {
    (makeShape, limits, isNothing) = (type.makeShape, type.limits, { if case .none = $0 { true } else { false } })
    write = { value, json in if let value { try type.write(value, &json) } else { json.write(literal: "null") } }
    parse = { $0.isNull ? nil : try type.parse($0) }
  }

  /// Whether the member may be absent.
  package var isOptional: Bool { isNothing != nil }

  /// The type of a member that may be absent.
  public var optional: WireType<Value?> { WireType<Value?>(optional: self) }

  /// The same type, with the member omitted for some values.
  package func omitted(where isNothing: @escaping @Sendable (Value) -> Bool) -> WireType {
    var type = self
    type.isNothing = isNothing
    return type
  }

  /// The same type, whose values are converted before they are written.
  package func written(as form: @escaping @Sendable (Value) -> Value) -> WireType {
    var type = self
    let write = write
    type.write = { try write(form($0), &$1) }
    return type
  }
}

extension WireType where Value: Codable {
  /// A value that is decoded by `Codable` and written by `write`, which takes a fifth of `Codable`'s time.
  public init(
    _ shape: @autoclosure @escaping @Sendable () -> Shape, limits: FieldLimits = FieldLimits(),
    write: @escaping @Sendable (Value, inout JSONWriter) throws -> Void
  ) {
    self.init(shape(), limits: limits, write: write, parse: { try JSONDecoding.decode(Value.self, from: $0) })
  }
}

// MARK: - Types of properties

/// A Swift type whose members have the same encoding everywhere.
public protocol WireValue: Sendable {
  static var wireType: WireType<Self> { get }
}

extension Optional: WireValue where Wrapped: WireValue {
  public static var wireType: WireType<Wrapped?> { Wrapped.wireType.optional }
}

extension String: WireValue {
  public static var wireType: WireType<String> { WireType(.string) { $1.write(string: $0) } }
}

extension Int64: WireValue {
  public static var wireType: WireType<Int64> { WireType(.integer) { $1.write(integer: $0) } }
}

extension Int: WireValue {
  public static var wireType: WireType<Int> { WireType(.integer) { $1.write(integer: $0) } }
}

extension Double: WireValue {
  public static var wireType: WireType<Double> { WireType(.number) { $1.write(number: $0) } }
}

extension Bool: WireValue {
  public static var wireType: WireType<Bool> { WireType(.boolean) { $1.write(literal: $0 ? "true" : "false") } }
}

extension Instant: ShapedValue, WireValue {
  package static var shape: Shape { .text(.instant) }
  package static var sample: Instant { Instant(milliseconds: 0) }
  public static var wireType: WireType<Instant> { WireType(.text(.instant)) { $1.write($0) } }
}

extension CalendarDay: ShapedValue, WireValue {
  package static var shape: Shape { .text(.day) }
  package static var sample: CalendarDay { CalendarDay(daysSince1970: 0) }
  public static var wireType: WireType<CalendarDay> { WireType(.text(.day)) { $1.write(string: $0.description) } }
}

extension Array: WireValue where Element: WireValue & Codable {
  public static var wireType: WireType<[Element]> {
    let element = Element.wireType
    return WireType(.array(element.shape)) { try $1.write(list: $0) { try element.write($0, &$1) } }
  }
}

extension JSONValue: WireValue {
  public static var wireType: WireType<JSONValue> { WireType(.any) { $1.write($0) } }
}

/// A value shared by many items of a reply, which is encoded once.
package struct WrittenValue<Value: WireValue>: WireValue {
  private let bytes: [UInt8]

  /// - Throws: the error of a value that cannot be encoded.
  public init(_ value: Value) throws {
    var json = JSONWriter()
    try Value.wireType.write(value, &json)
    bytes = json.bytes
  }

  public static var wireType: WireType<WrittenValue> {
    WireType(Value.wireType.shape, write: { $1.write(raw: $0.bytes) }, parse: { _ in throw RPCError.internalError })
  }
}
