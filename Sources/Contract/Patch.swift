/// A field of an update: absent leaves it unchanged, `null` clears it, a value replaces it.
///
/// A stored property `var deadline: Patch<CalendarDay> = .absent` is sufficient: the synthesized `Codable` calls the
/// two overloads below, which distinguish a missing member from `null`, unlike `Optional`.
package enum Patch<Value: Codable & Sendable>: Sendable {
  case absent
  case null
  case value(Value)

  /// The new value of a field whose value is `current`.
  package func applied(to current: Value?) -> Value? {
    switch self {
    case .absent: current
    case .null: nil
    case .value(let value): value
    }
  }

  package var isAbsent: Bool {
    if case .absent = self { true } else { false }
  }
}

extension Patch: Equatable where Value: Equatable {}

extension Patch: Codable {
  /// - Throws: the error of the value.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self = container.decodeNil() ? .null : .value(try container.decode(Value.self))
  }

  /// Outside an object an absent patch can only be encoded as `null`.
  ///
  /// - Throws: the error of the value.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .absent, .null: try container.encodeNil()
    case .value(let value): try container.encode(value)
    }
  }
}

extension KeyedDecodingContainer {
  /// - Throws: the error of the value.
  package func decode<Value>(_ type: Patch<Value>.Type, forKey key: Key) throws -> Patch<Value> {
    contains(key) ? try decodePresent(type, forKey: key) : .absent
  }

  /// Calls the container's own `decode`, since the type is generic here, and not the overload again.
  private func decodePresent<Present: Decodable>(_ type: Present.Type, forKey key: Key) throws -> Present {
    try decode(type, forKey: key)
  }
}

extension KeyedEncodingContainer {
  /// - Throws: the error of the value.
  package mutating func encode<Value>(_ patch: Patch<Value>, forKey key: Key) throws {
    switch patch {
    case .absent: break
    case .null: try encodeNil(forKey: key)
    case .value(let value): try encode(value, forKey: key)
    }
  }
}
