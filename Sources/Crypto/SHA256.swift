import CCrypto

/// SHA-256 (FIPS 180-4) of bytes that come in parts.
package struct SHA256: ~Copyable {
  private var hash = Hash(CP_SHA256, size: 32)

  package init() {}

  package mutating func add(_ bytes: UnsafeRawBufferPointer) { hash.add(bytes) }

  /// In lower-case hexadecimal.
  package consuming func hexadecimal() -> String { hash.hexadecimal() }

  /// Of bytes in memory, in lower-case hexadecimal.
  package static func hexadecimal(of bytes: [UInt8]) -> String {
    var hash = SHA256()
    bytes.withUnsafeBytes { hash.add($0) }
    return hash.hexadecimal()
  }
}
