/// The letters that windows-1252 has where ISO 8859-1 has control characters.
enum Windows1252 {
  private static let upper: [Unicode.Scalar] = [
    "€", "\u{81}", "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", "\u{8D}", "Ž", "\u{8F}", "\u{90}", "‘", "’",
    "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ", "\u{9D}", "ž", "Ÿ",
  ]

  static func scalar(_ byte: UInt8) -> Unicode.Scalar {
    (0x80...0x9F).contains(byte) ? upper[Int(byte) - 0x80] : Unicode.Scalar(byte)
  }
}
