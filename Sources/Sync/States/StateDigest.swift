import Crypto

/// The sum modulo 2¹²⁸ of the first halves of the SHA-256 of all states, each in its canonical form.
///
/// Devices that have read the same files, and have nothing else, have the same digest. It changes with one item without
/// a look at the others.
package struct StateDigest: Equatable, Sendable, CustomStringConvertible {
  private var high: UInt64 = 0
  private var low: UInt64 = 0

  /// Of no states.
  package init() {}

  /// 32 hexadecimal digits.
  package init?(_ digits: String) {
    guard digits.utf8.count == 32, let high = UInt64(digits.prefix(16), radix: 16),
      let low = UInt64(digits.suffix(16), radix: 16), !digits.utf8.contains(UInt8(ascii: "+"))
    else { return nil }
    (self.high, self.low) = (high, low)
  }

  package var description: String { [high, low].map(Self.digits).joined() }

  /// Replaces the state of an item.
  ///
  /// - Parameters:
  ///   - old: nil for an item that had none.
  package mutating func replace(_ old: ItemState?, by new: ItemState, of key: ItemKey) {
    if let old {
      let (high, low) = Self.half(key, old)
      let (rest, hasBorrow) = self.low.subtractingReportingOverflow(low)
      (self.high, self.low) = (self.high &- high &- (hasBorrow ? 1 : 0), rest)
    }
    let (high, low) = Self.half(key, new)
    let (sum, hasCarry) = self.low.addingReportingOverflow(low)
    (self.high, self.low) = (self.high &+ high &+ (hasCarry ? 1 : 0), sum)
  }

  private static func half(_ key: ItemKey, _ state: ItemState) -> (high: UInt64, low: UInt64) {
    let digits = SHA256.hexadecimal(of: StateLine.canonical(key, state))
    return (
      UInt64(digits.prefix(16), radix: 16) ?? 0, UInt64(digits.dropFirst(16).prefix(16), radix: 16) ?? 0
    )
  }

  private static func digits(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
