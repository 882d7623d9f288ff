import Crypto
import Testing

@Suite struct MD5Tests {
  /// The examples of RFC 1321.
  @Test(
    "G15 texts hash as in RFC 1321, at once and byte by byte",
    arguments: [
      ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
      (String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"),
    ])
  func examples(text: String, digest: String) {
    #expect(MD5.hexadecimal(of: Array(text.utf8)) == digest)
    var parts = MD5()
    for byte in text.utf8 { withUnsafeBytes(of: byte) { parts.add($0) } }
    #expect(parts.hexadecimal() == digest)
  }
}
