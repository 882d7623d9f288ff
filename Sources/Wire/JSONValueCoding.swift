// Our own coders pass JSON values through unchanged; this file is for all other coders.

/// The name of a member, for objects with arbitrary names.
package struct JSONKey: CodingKey {
  package let stringValue: String
  package var intValue: Int? { nil }

  package init(stringValue: String) { self.stringValue = stringValue }
  package init?(intValue: Int) { nil }
}

extension JSONValue: Encodable {
  /// - Throws: the encoder's error.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .object(let object): try object.encode(to: encoder)
    default:
      var container = encoder.singleValueContainer()
      switch self {
      case .bool(let bool): try container.encode(bool)
      case .integer(let integer): try container.encode(integer)
      case .number(let number): try container.encode(number)
      case .string(let string): try container.encode(string)
      default: try container.encodeNil()
      }
    }
  }
}

extension JSONObject: Encodable {
  /// - Throws: the encoder's error.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: JSONKey.self)
    for member in members { try container.encode(member.value, forKey: JSONKey(stringValue: member.key)) }
  }
}

extension JSONValue: Decodable {
  /// For other decoders; our own passes the value through.
  ///
  /// - Throws: `DecodingError` for a value that is not JSON.
  public init(from decoder: any Decoder) throws {
    if let object = try? JSONObject(from: decoder) {
      self = .object(object)
    } else if var container = try? decoder.unkeyedContainer() {
      var elements: [JSONValue] = []
      while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
      self = .array(elements)
    } else {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let bool = try? container.decode(Bool.self) {
        self = .bool(bool)
      } else if let integer = try? container.decode(Int64.self) {
        self = .integer(integer)
      } else if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else {
        self = .string(try container.decode(String.self))
      }
    }
  }
}

extension JSONObject: Decodable {
  /// - Throws: `DecodingError` for a value that is no object.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: JSONKey.self)
    self.init(
      try container.allKeys.map { Member(key: $0.stringValue, value: try container.decode(JSONValue.self, forKey: $0)) }
    )
  }
}
