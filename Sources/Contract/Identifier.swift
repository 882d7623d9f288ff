import Wire

/// The id of an item, typed by its collection so that two collections are not confused: `struct DocumentID: Identifier`.
///
/// Generated ids are UUIDv7. A client may choose its own: 1 to 64 characters of `A–Z a–z 0–9 . _ -`, so that an id can
/// stand in a link, a file's name and a log without being quoted.
///
///     package struct DocumentID: Identifier {
///       package let text: String
///       package init(unchecked text: String) { self.text = text }
///     }
package protocol Identifier: Hashable, Comparable, Codable, Sendable, ShapedValue, WireValue, CustomStringConvertible,
  ExpressibleByStringLiteral
where StringLiteralType == String {
  var text: String { get }
  /// Creates an id from a text that is known to be one: from the library, a literal, a generator.
  init(unchecked text: String)
}

extension Identifier {
  /// `nil` for a text that is not allowed as an id.
  package init?(validating text: String) {
    guard TextForm.id.accepts(text) else { return nil }
    self.init(unchecked: text)
  }

  package init(stringLiteral value: String) { self.init(unchecked: value) }

  /// - Throws: `InvalidValue` for a text that is no id, `DecodingError`.
  package init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard TextForm.id.accepts(text) else { throw InvalidValue(Text("param.id")) }
    self.init(unchecked: text)
  }

  /// - Throws: the encoder's error.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  package static func < (left: Self, right: Self) -> Bool { left.text < right.text }

  package var description: String { text }
  package static var shape: Shape { .text(.id) }
  package static var sample: Self { Self(unchecked: "0") }
  public static var wireType: WireType<Self> { WireType(shape) { $1.write(string: $0.text) } }
}

/// An id of any collection.
package struct ItemID: Identifier {
  package let text: String

  package init(unchecked text: String) { self.text = text }
}

/// Generates UUIDs of version 7 (RFC 9562): later ones are greater, even within a millisecond and after the clock was
/// set back. One generator serves one library.
package struct UUIDs: Sendable {
  private var milliseconds: Int64 = -1
  /// The 12 bits after the time: a random start in each millisecond, then a counter (RFC 9562, section 6.2, method 1).
  private var counter: UInt16 = 0

  package init() {}

  package mutating func next(at instant: Instant, using random: inout some RandomNumberGenerator) -> String {
    let now = min(max(instant.milliseconds, 0), 0xFFFF_FFFF_FFFF)
    if now > milliseconds {
      milliseconds = now
      // The highest bit is initially zero, so that at least 2,048 more fit into this millisecond.
      counter = UInt16.random(in: 0..<0x800, using: &random)
    } else if counter < 0xFFF {
      counter += 1
    } else {
      // The millisecond is full: borrow the next one.
      milliseconds += 1
      counter = 0
    }
    let high = UInt64(milliseconds) << 16 | 0x7000 | UInt64(counter)
    let low = random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    return text(high, low)
  }

  private func text(_ high: UInt64, _ low: UInt64) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(36)
    for index in 0..<32 {
      if index == 8 || index == 12 || index == 16 || index == 20 { bytes.append(UInt8(ascii: "-")) }
      let half = index < 16 ? high : low
      bytes.append(digits[Int(half >> UInt64(60 - index % 16 * 4) & 15)])
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
