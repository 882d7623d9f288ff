extension Unicode.Scalar {
  /// Whether it turns the direction of the text behind it (embeddings, overrides and isolates, U+202A to U+202E and U+2066
  /// to U+2069). In a line such as a title or a link it lets one text seem to be another, and turns round what a client
  /// writes behind it. The marks that only say how a letter stands (U+200E, U+200F, U+061C) are none of these.
  package var turnsText: Bool { (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value) }
}

extension String {
  /// Without what turns the direction of text.
  package var unturned: String {
    // All of them begin with this byte, which few texts have.
    guard utf8.contains(0xE2), unicodeScalars.contains(where: \.turnsText) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.filter { !$0.turnsText }))
  }
}
