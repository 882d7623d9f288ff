import Crypto

/// Why a text is no code of a space.
package enum SpaceCodeError: Error, Equatable {
  /// It has other characters, or more or fewer, than a code.
  case malformed
  /// A character is wrong.
  case checksum
  /// A newer version wrote it.
  case newer
}

/// The 16 random bytes that open a space: who knows them reads and writes everything.
package struct SpaceSecret: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
  package static let count = 16

  package let bytes: [UInt8]

  /// A new one.
  package static func make() -> SpaceSecret { SpaceSecret(bytes: randomBytes(count))! }

  /// - Returns: nil unless they are 16.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Self.count else { return nil }
    self.bytes = bytes
  }

  package var description: String { "***" }
  package var customMirror: Mirror { Mirror(self, children: []) }

  package static func == (one: Self, other: Self) -> Bool { sameInConstantTime(one.bytes, other.bytes) }
}

// MARK: - The code that people keep

/// 30 characters of Crockford's base 32, in groups of five: 2 bits of version (0), the secret, and 20 bits of checksum.
///
///     CP-0V3Q8-…-…-…-…-…
extension SpaceSecret {
  private static let prefix = "CP"
  private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
  private static let digitCount = 30

  package var code: String {
    var bits = BitString()
    bits.append(0, count: 2)
    for byte in bytes { bits.append(UInt32(byte), count: 8) }
    bits.append(Self.checksum(version: 0, bytes), count: 20)
    let digits = bits.values(of: 5).map { Character(Unicode.Scalar(Self.digits[Int($0)])) }
    let groups = stride(from: 0, to: digits.count, by: 5).map { String(digits[$0..<$0 + 5]) }
    return ([Self.prefix] + groups).joined(separator: "-")
  }

  /// As people type it: in either case, with any blanks and dashes, with O for 0, I or L for 1, and without `CP`.
  ///
  /// - Throws: `SpaceCodeError`.
  package init(code: String) throws(SpaceCodeError) {
    var text = code.unicodeScalars.filter { !$0.properties.isWhitespace && !$0.properties.isDash }
      .map { String($0).uppercased() }.joined()
    if text.utf8.count == Self.digitCount + Self.prefix.utf8.count, text.hasPrefix(Self.prefix) {
      text.removeFirst(Self.prefix.count)
    }
    guard text.utf8.count == Self.digitCount else { throw .malformed }
    var bits = BitString()
    for byte in text.utf8 {
      let read: UInt8 =
        switch byte {
        case UInt8(ascii: "O"): UInt8(ascii: "0")
        case UInt8(ascii: "I"), UInt8(ascii: "L"): UInt8(ascii: "1")
        default: byte
        }
      guard let value = Self.digits.firstIndex(of: read) else { throw .malformed }
      bits.append(UInt32(value), count: 5)
    }
    let version = bits.value(at: 0, count: 2)
    let bytes = (0..<Self.count).map { UInt8(bits.value(at: 2 + 8 * $0, count: 8)) }
    guard bits.value(at: 2 + 8 * Self.count, count: 20) == Self.checksum(version: version, bytes) else {
      throw .checksum
    }
    guard version == 0 else { throw .newer }
    self.bytes = bytes
  }

  /// The first 20 bits of SHA-256 of version and secret.
  private static func checksum(version: UInt32, _ bytes: [UInt8]) -> UInt32 {
    UInt32(SHA256.hexadecimal(of: [UInt8(version)] + bytes).prefix(5), radix: 16) ?? 0
  }
}

/// Bits in their order, the greatest of each value first.
private struct BitString {
  private var bits: [Bool] = []

  mutating func append(_ value: UInt32, count: Int) {
    for place in (0..<count).reversed() { bits.append(value >> UInt32(place) & 1 == 1) }
  }

  func value(at start: Int, count: Int) -> UInt32 {
    bits[start..<start + count].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
  }

  func values(of count: Int) -> [UInt32] {
    stride(from: 0, to: bits.count, by: count).map { value(at: $0, count: count) }
  }
}

/// From the kernel.
func randomBytes(_ count: Int) -> [UInt8] {
  var generator = SystemRandomNumberGenerator()
  return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
}
