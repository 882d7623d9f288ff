import CCrypto

/// MD5 (RFC 1321) of bytes that come in parts, where other programs name something by it: Day One its photos, services
/// their placeholder pictures, KOReader a password. It protects nothing.
package struct MD5: ~Copyable {
  private var hash = Hash(CP_MD5, size: 16)

  package init() {}

  package mutating func add(_ bytes: UnsafeRawBufferPointer) { hash.add(bytes) }

  /// In lower-case hexadecimal.
  package consuming func hexadecimal() -> String { hash.hexadecimal() }

  /// Of bytes in memory, in lower-case hexadecimal.
  package static func hexadecimal(of bytes: [UInt8]) -> String {
    var hash = MD5()
    bytes.withUnsafeBytes { hash.add($0) }
    return hash.hexadecimal()
  }
}
