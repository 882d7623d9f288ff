/// The version of an item. Only compared for equality: the difference of two revisions has no meaning.
package struct Revision: Hashable, Sendable, Codable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  package let number: Int64

  package init(_ number: Int64) { self.number = number }
  package init(integerLiteral value: Int64) { number = value }

  /// - Throws: `DecodingError` for a value that is no integer.
  package init(from decoder: any Decoder) throws {
    number = try decoder.singleValueContainer().decode(Int64.self)
  }

  /// - Throws: the encoder's error.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(number)
  }

  package var description: String { String(number) }
}

extension Revision: ShapedValue {
  package static var shape: Shape { .integer }
  package static var sample: Revision { 1 }
}
