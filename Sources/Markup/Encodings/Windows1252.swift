/// The letters that windows-1252 has where ISO 8859-1 has control characters.
enum Windows1252 {
  private static let upper: [Unicode.Scalar] = [
    "€", "\u{81}", "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", "\u{8D}", "Ž", "\u{8F}", "\u{90}", "‘", "’",
    "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ", "\u{9D}", "ž", "Ÿ",
  ]

  /// Text in which control characters stand for the letters that windows-1252 has in their place, as when it was called
  /// ISO 8859-1 (U+0092 for an apostrophe); nil where there is none.
  static func repaired(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    guard hasControls(bytes) else { return nil }
    return repaired(String(decoding: bytes, as: UTF8.self))
  }

  /// The same; text without such characters is as it was.
  static func repaired(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { (0x80...0x9F).contains($0.value) }) else { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      scalars.append((0x80...0x9F).contains(scalar.value) ? Self.scalar(UInt8(scalar.value)) : scalar)
    }
    return String(scalars)
  }

  /// Whether UTF-8 has a character from U+0080 to U+009F.
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
