/// The characters of windows-1252 in place of the control characters of ISO 8859-1.
enum Windows1252 {
  private static let upper: [Unicode.Scalar] = [
    "€", "\u{81}", "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", "\u{8D}", "Ž", "\u{8F}", "\u{90}", "‘", "’",
    "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ", "\u{9D}", "ž", "Ÿ",
  ]

  /// Replaces C1 control characters by the characters of windows-1252, for text that was decoded as ISO 8859-1 (U+0092
  /// for an apostrophe); nil if there are none.
  static func repaired(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    guard hasControls(bytes) else { return nil }
    return repaired(String(decoding: bytes, as: UTF8.self))
  }

  /// The same; text without such characters is returned unchanged.
  static func repaired(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { (0x80...0x9F).contains($0.value) }) else { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      scalars.append((0x80...0x9F).contains(scalar.value) ? Self.scalar(UInt8(scalar.value)) : scalar)
    }
    return String(scalars)
  }

  /// Whether UTF-8 text contains a character from U+0080 to U+009F.
  static func hasControls(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var rest = bytes[...]
    while let lead = rest.firstIndex(of: 0xC2) {
      if lead + 1 < bytes.count, (0x80...0x9F).contains(bytes[lead + 1]) { return true }
      rest = rest[(lead + 1)...]
    }
    return false
  }

  static func scalar(_ byte: UInt8) -> Unicode.Scalar {
    (0x80...0x9F).contains(byte) ? upper[Int(byte) - 0x80] : Unicode.Scalar(byte)
  }
}
