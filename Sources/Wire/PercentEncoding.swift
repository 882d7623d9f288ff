/// How bytes are written in a URL (RFC 3986, section 2).
package enum PercentEncoding {
  /// A query value or a path segment: escapes all characters that are not unreserved, including `+`, which forms
  /// interpret as a space.
  package static func encoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      if isUnreserved(byte) { result.unicodeScalars.append(Unicode.Scalar(byte)) } else { append(byte, to: &result) }
    }
    return result
  }

  /// Writes a byte as `%E2`.
  package static func append(_ byte: UInt8, to text: inout String) {
    text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
  }

  /// The unescaped text; nil for a percent sign without two digits, and for invalid UTF-8.
  ///
  /// - Parameter isForm: whether `+` is a space, as in a query that a form wrote.
  package static func decoded(_ text: some StringProtocol, isForm: Bool = false) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(isForm && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        continue
      }
      guard let high = digit(rest.popFirst()), let low = digit(rest.popFirst()) else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8?) -> UInt8? {
    byte.flatMap { Character(Unicode.Scalar($0)).hexDigitValue }.map { UInt8($0) }
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
