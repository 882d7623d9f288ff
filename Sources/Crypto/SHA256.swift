import CCrypto

/// SHA-256 (FIPS 180-4) of bytes that come in parts.
package struct SHA256: ~Copyable {
  private let context: OpaquePointer

  package init() {
    loadCrypto()
    guard let context = cp_sha256_begin() else { fatalError("no memory for a hash") }
    self.context = context
  }

  deinit { cp_sha256_free(context) }

  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    let isAdded = cp_sha256_add(context, bytes.baseAddress, bytes.count)
    precondition(isAdded, "libcrypto has refused bytes")
  }

  /// In lower-case hexadecimal.
  package consuming func hexadecimal() -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    let isEnded = cp_sha256_end(context, &digest)
    precondition(isEnded, "libcrypto has refused to end a hash")
    return Crypto.hexadecimal(digest)
  }

  /// Of bytes in memory, in lower-case hexadecimal.
  package static func hexadecimal(of bytes: [UInt8]) -> String {
    var hash = SHA256()
    bytes.withUnsafeBytes { hash.add($0) }
    return hash.hexadecimal()
  }
}

/// Lower-case digits, two a byte.
package func hexadecimal(_ bytes: [UInt8]) -> String {
  let digits: StaticString = "0123456789abcdef"
  return String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
    for (place, byte) in bytes.enumerated() {
      text[2 * place] = digits.utf8Start[Int(byte >> 4)]
      text[2 * place + 1] = digits.utf8Start[Int(byte & 15)]
    }
    return 2 * bytes.count
  }
}
