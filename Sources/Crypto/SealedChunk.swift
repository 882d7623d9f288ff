import CCrypto

/// ChaCha20-Poly1305 (RFC 8439). A key may be used once with each nonce.
package enum SealedChunk {
  package static let keyBytes = 32
  package static let nonceBytes = 12
  package static let tagBytes = 16

  /// Appends the encrypted bytes and their tag.
  package static func seal(
    _ bytes: ArraySlice<UInt8>, key: [UInt8], nonce: [UInt8], associated: [UInt8], to result: inout [UInt8]
  ) {
    var sealed = [UInt8](repeating: 0, count: bytes.count + tagBytes)
    let isDone = run(true, bytes, key, nonce, associated, &sealed)
    precondition(isDone, "libcrypto has refused to encrypt")
    result += sealed
  }

  /// Appends the decrypted bytes.
  ///
  /// - Parameter bytes: with their tag at the end.
  /// - Returns: false, and appends nothing, unless `seal` made the bytes with this key, nonce and associated data.
  package static func open(
    _ bytes: ArraySlice<UInt8>, key: [UInt8], nonce: [UInt8], associated: [UInt8], to result: inout [UInt8]
  ) -> Bool {
    guard bytes.count >= tagBytes else { return false }
    let content = bytes.dropLast(tagBytes)
    var opened = [UInt8](repeating: 0, count: content.count) + bytes.suffix(tagBytes)
    guard run(false, content, key, nonce, associated, &opened) else { return false }
    result += opened.dropLast(tagBytes)
    return true
  }

  /// The room ends with the tag, which is written or compared.
  private static func run(
    _ seals: Bool, _ bytes: ArraySlice<UInt8>, _ key: [UInt8], _ nonce: [UInt8], _ associated: [UInt8],
    _ room: inout [UInt8]
  ) -> Bool {
    precondition(key.count == keyBytes && nonce.count == nonceBytes)
    loadCrypto()
    return bytes.withUnsafeBytes { bytes in
      room.withUnsafeMutableBufferPointer { room in
        guard let output = room.baseAddress else { return false }
        return cp_chacha20_poly1305(
          seals, key, nonce, associated, associated.count, bytes.baseAddress, bytes.count, output,
          output + bytes.count)
      }
    }
  }
}
