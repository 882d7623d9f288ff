import Crypto
import Testing

@Suite struct SHA256Tests {
  /// The examples of FIPS 180-4 and of NIST's test vectors.
  @Test(
    "texts hash as in NIST's examples",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func examples(text: String, digest: String) {
    #expect(SHA256.hexadecimal(of: Array(text.utf8)) == digest)
  }

  @Test("a million letters hash the same in parts of any length")
  func parts() {
    let part = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
    for length in [1_000_000, 99_991, 4_096] {
      var hash = SHA256()
      part.withUnsafeBytes { bytes in
        for start in stride(from: 0, to: bytes.count, by: length) {
          hash.add(UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + length, bytes.count)]))
        }
      }
      #expect(hash.hexadecimal() == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }
  }
}
