import CCrypto

/// HMAC-SHA256 (RFC 2104).
///
/// - Returns: 32 bytes.
package func hmacSHA256(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
  loadCrypto()
  return [UInt8](unsafeUninitializedCapacity: 32) { code, count in
    let isDone = cp_hmac_sha256(key, key.count, bytes, bytes.count, code.baseAddress)
    precondition(isDone, "libcrypto has refused a keyed hash")
    count = 32
  }
}

/// HKDF-SHA256 (RFC 5869): a key for one purpose, from a secret.
///
/// - Parameters:
///   - salt: need not be secret.
///   - info: names the purpose.
/// - Returns: 32 bytes.
package func derivedKey(from secret: [UInt8], salt: [UInt8], info: String) -> [UInt8] {
  loadCrypto()
  let info = Array(info.utf8)
  return [UInt8](unsafeUninitializedCapacity: 32) { key, count in
    let isDone = cp_hkdf_sha256(
      secret, secret.count, salt, salt.count, info, info.count, key.baseAddress, 32)
    precondition(isDone, "libcrypto has refused to derive a key")
    count = 32
  }
}

/// Whether two byte strings of the same length are equal, in a time that does not depend on where they differ.
package func sameInConstantTime(_ one: [UInt8], _ other: [UInt8]) -> Bool {
  one.count == other.count && zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
}

func loadCrypto() {
  // A part of every installation: libcurl speaks TLS with it. Nothing can be kept or fetched without.
  if let failure = cp_crypto_load() { fatalError(String(cString: failure)) }
}
