import Crypto
import Foundation
import Testing

@Suite("Keys and sealed bytes") struct SealingTests {
  private static func bytes(_ digits: String) -> [UInt8] {
    stride(from: 0, to: digits.utf8.count, by: 2).compactMap {
      UInt8(digits.dropFirst($0).prefix(2), radix: 16)
    }
  }

  @Test("keyed hashes are those of RFC 4231")
  func keyedHash() {
    #expect(
      hexadecimal(hmacSHA256(Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8)))
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    #expect(
      hexadecimal(hmacSHA256(Array("Hi There".utf8), key: [UInt8](repeating: 0x0B, count: 20)))
        == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
    // Longer than a block.
    let text = "Test Using Larger Than Block-Size Key - Hash Key First"
    #expect(
      hexadecimal(hmacSHA256(Array(text.utf8), key: [UInt8](repeating: 0xAA, count: 131)))
        == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
  }

  @Test("derived keys are those of RFC 5869, without salt and purpose too")
  func derivation() {
    let secret = [UInt8](repeating: 0x0B, count: 22)
    #expect(
      hexadecimal(derivedKey(from: secret, salt: [], info: ""))
        == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d")
    let other = derivedKey(from: secret, salt: [1], info: "check")
    #expect(other.count == 32 && other != derivedKey(from: secret, salt: [1], info: "names"))
    #expect(other != derivedKey(from: secret, salt: [2], info: "check"))
  }

  @Test("sealed bytes are those of RFC 8439, section 2.8.2")
  func sealed() {
    let text =
      "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
      + "sunscreen would be it."
    let (key, nonce) = ((0x80..<0xA0).map { UInt8($0) }, Self.bytes("070000004041424344454647"))
    let associated = Self.bytes("50515253c0c1c2c3c4c5c6c7")
    var result: [UInt8] = [9]
    SealedChunk.seal(Array(text.utf8)[...], key: key, nonce: nonce, associated: associated, to: &result)
    #expect(result.count == 1 + text.utf8.count + 16 && result[0] == 9)
    #expect(hexadecimal(Array(result[1..<17])) == "d31a8d34648e60db7b86afbc53ef7ec2")
    #expect(hexadecimal(Array(result.suffix(16))) == "1ae10b594f09e26a7e902ecbd0600691")
    var opened: [UInt8] = [7]
    #expect(SealedChunk.open(result[1...], key: key, nonce: nonce, associated: associated, to: &opened))
    #expect(opened == [7] + Array(text.utf8))
  }

  @Test("bytes that were changed anywhere, and other keys, nonces and heads, open nothing")
  func changed() {
    let (key, nonce) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 12))
    var sealed: [UInt8] = []
    SealedChunk.seal([3, 4, 5], key: key, nonce: nonce, associated: [6], to: &sealed)
    var opened: [UInt8] = []
    for place in sealed.indices {
      var changed = sealed
      changed[place] ^= 1
      #expect(!SealedChunk.open(changed[...], key: key, nonce: nonce, associated: [6], to: &opened), "\(place)")
      #expect(!SealedChunk.open(sealed[..<place], key: key, nonce: nonce, associated: [6], to: &opened), "\(place)")
    }
    #expect(!SealedChunk.open((sealed + [0])[...], key: key, nonce: nonce, associated: [6], to: &opened))
    #expect(!SealedChunk.open(sealed[...], key: nonce + Array(key[12...]), nonce: nonce, associated: [6], to: &opened))
    #expect(!SealedChunk.open(sealed[...], key: key, nonce: Array(key[..<12]), associated: [6], to: &opened))
    #expect(!SealedChunk.open(sealed[...], key: key, nonce: nonce, associated: [], to: &opened))
    #expect(opened.isEmpty)
    #expect(SealedChunk.open(sealed[...], key: key, nonce: nonce, associated: [6], to: &opened))
    #expect(opened == [3, 4, 5])
  }

  @Test("no bytes are sealed as a tag alone")
  func nothing() {
    let (key, nonce) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 12))
    var (sealed, opened) = ([UInt8](), [UInt8]())
    SealedChunk.seal([], key: key, nonce: nonce, associated: [6], to: &sealed)
    #expect(sealed.count == 16)
    #expect(SealedChunk.open(sealed[...], key: key, nonce: nonce, associated: [6], to: &opened) && opened.isEmpty)
    sealed[0] ^= 1
    #expect(!SealedChunk.open(sealed[...], key: key, nonce: nonce, associated: [6], to: &opened))
  }

  @Test("bytes are compared whole")
  func comparison() {
    #expect(sameInConstantTime([], []) && sameInConstantTime([1, 2], [1, 2]))
    #expect(!sameInConstantTime([1, 2], [1, 3]) && !sameInConstantTime([3, 2], [1, 2]))
    #expect(!sameInConstantTime([1, 2], [1, 2, 0]) && !sameInConstantTime([1], []))
  }
}
