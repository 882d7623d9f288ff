import CCrypto

/// A hash of bytes that come in parts.
struct Hash: ~Copyable {
  private let context: OpaquePointer
  private let size: Int

  /// - Parameter size: the bytes of a digest.
  init(_ function: cp_hash_function, size: Int) {
    loadCrypto()
    guard let context = cp_hash_begin(function) else { fatalError("no memory for a hash") }
    (self.context, self.size) = (context, size)
  }

  deinit { cp_hash_free(context) }

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    let isAdded = cp_hash_add(context, bytes.baseAddress, bytes.count)
    precondition(isAdded, "libcrypto has refused bytes")
  }

  consuming func hexadecimal() -> String {
    var digest = [UInt8](repeating: 0, count: size)
    let isEnded = cp_hash_end(context, &digest)
    precondition(isEnded, "libcrypto has refused to end a hash")
    return Crypto.hexadecimal(digest)
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
