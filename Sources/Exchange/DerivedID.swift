import Kit
import Store

/// An id computed from an external key, so that importing the same thing again gives the same id.
package enum DerivedID {
  /// Whether an id has the form of those that are computed here.
  package static func isDerived(_ id: String) -> Bool {
    let digits = Array(id.utf8)
    return digits.count == 36 && digits[14] == UInt8(ascii: "8") && digits[19] == UInt8(ascii: "a")
  }

  /// A UUID of version 8 (RFC 9562, 5.8) from the SHA-256 of a key.
  package static func text(of key: String) -> String {
    var digits = Array(Blobs.hash(of: Array(key.utf8)).utf8.prefix(32))
    digits[12] = UInt8(ascii: "8")
    digits[16] = UInt8(ascii: "a")
    for place in [20, 16, 12, 8] { digits.insert(UInt8(ascii: "-"), at: place) }
    return String(decoding: digits, as: UTF8.self)
  }
}
