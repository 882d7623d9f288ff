extension Unicode.Scalar {
  /// Whether it changes the direction of the following text (embeddings, overrides and isolates, U+202A to U+202E and
  /// U+2066 to U+2069). In a line such as a title or a link it can disguise one text as another, and reverses the
  /// client's text after it. The marks that only define the direction of a character (U+200E, U+200F, U+061C) are not
  /// included.
  package var turnsText: Bool { (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value) }
}

extension String {
  /// The text without characters that change its direction.
  package var unturned: String {
    // All of them begin with this byte, which is rare in most texts.
    guard utf8.contains(0xE2), unicodeScalars.contains(where: \.turnsText) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.filter { !$0.turnsText }))
  }
}
