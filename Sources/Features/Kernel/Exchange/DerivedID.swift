import Store

/// An id that follows from what identifies something elsewhere, so that the same never comes twice.
enum DerivedID {
  /// A UUID of version 8 (RFC 9562, 5.8) out of the SHA-256 of a key.
  static func text(of key: String) -> String {
    var digits = Array(Blobs.hash(of: Array(key.utf8)).prefix(32))
    digits[12] = "8"
    digits[16] = "a"
    let parts = [digits[0..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20..<32]]
    return parts.map { String($0) }.joined(separator: "-")
  }
}
