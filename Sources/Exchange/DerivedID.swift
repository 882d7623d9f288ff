import Kit
import Store

/// An id computed from an external key, so that importing the same thing again gives the same id.
package enum DerivedID {
  /// The first digit of the fourth group of ids from external keys, and of those of items that a rule makes.
  private static let (external, byRule) = (UInt8(ascii: "a"), UInt8(ascii: "b"))

  /// A UUID of version 8 (RFC 9562, 5.8) from the SHA-256 of a key.
  package static func text(of key: String) -> String { text(of: key, variant: external) }

  /// The id of an item that a rule makes by itself, such as the next card of a recurring one: devices on which the rule
  /// is applied make the same item. Such ids differ in their form from all others.
  package static func textByRule(of key: String) -> String { text(of: key, variant: byRule) }

  /// Whether an id is one of `textByRule`.
  package static func isByRule(_ id: String) -> Bool {
    let digits = Array(id.utf8)
    return digits.count == 36 && digits[14] == UInt8(ascii: "8") && digits[19] == byRule
  }

  private static func text(of key: String, variant: UInt8) -> String {
    var digits = Array(Blobs.hash(of: Array(key.utf8)).utf8.prefix(32))
    digits[12] = UInt8(ascii: "8")
    digits[16] = variant
    for place in [20, 16, 12, 8] { digits.insert(UInt8(ascii: "-"), at: place) }
    return String(decoding: digits, as: UTF8.self)
  }
}
