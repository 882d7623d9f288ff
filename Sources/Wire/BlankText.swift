extension StringProtocol {
  /// Whether a text has nothing but white space in it, or nothing at all.
  package var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }
}
