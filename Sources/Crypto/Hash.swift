import CCrypto

/// A hash of bytes that come in parts.
package struct Hash<Function: HashFunction>: ~Copyable {
  private let context: OpaquePointer

  package init() {
    loadCrypto()
    guard let context = cp_hash_begin(Function.code) else { fatalError("no memory for a hash") }
    self.context = context
  }

  deinit { cp_hash_free(context) }

  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    let isAdded = cp_hash_add(context, bytes.baseAddress, bytes.count)
    precondition(isAdded, "libcrypto has refused bytes")
  }

  /// In lower-case hexadecimal.
  package consuming func hexadecimal() -> String {
    var digest = [UInt8](repeating: 0, count: Function.size)
    let isEnded = cp_hash_end(context, &digest)
    precondition(isEnded, "libcrypto has refused to end a hash")
    return Crypto.hexadecimal(digest)
  }

  /// Of bytes in memory, in lower-case hexadecimal.
  package static func hexadecimal(of bytes: [UInt8]) -> String {
    var hash = Hash()
    bytes.withUnsafeBytes { hash.add($0) }
    return hash.hexadecimal()
  }
}

package protocol HashFunction {
  static var code: cp_hash_function { get }
  /// The bytes of a digest.
  static var size: Int { get }
}

/// SHA-256 (FIPS 180-4).
package typealias SHA256 = Hash<SHA256Function>

package enum SHA256Function: HashFunction {
  package static let code = CP_SHA256
  package static let size = 32
}

/// MD5 (RFC 1321), where other programs name something by it: Day One its photos, services their placeholder pictures,
/// KOReader a password. It protects nothing.
package typealias MD5 = Hash<MD5Function>

package enum MD5Function: HashFunction {
  package static let code = CP_MD5
  package static let size = 16
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
