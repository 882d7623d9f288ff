import Exchange

/// A query for books: words, or an ISBN.
struct BookQuery: Sendable, Hashable {
  /// The text without surrounding white space, with single spaces, in NFC: services compare code points, and macOS
  /// decomposes Hangul.
  let text: String
  /// Thirteen digits, if the query is nothing but an ISBN.
  let isbn: String?
  /// Whether the check digit of `isbn` is right. Some books carry a misprinted number, so it is requested all the same.
  let isChecked: Bool

  /// `nil` for nothing but white space of any kind.
  init?(_ text: String) {
    let words = text.unicodeScalars.split { Self.isBlank($0) }.map { String($0) }
    guard !words.isEmpty else { return nil }
    self.text = words.joined(separator: " ").normalized(.nfc)
    if let checked = ISBN(self.text) {
      isbn = checked.digits
      isChecked = true
    } else {
      isbn = Self.unchecked(self.text)
      isChecked = isbn == nil
    }
  }

  /// White space in Unicode, and characters that only look like it: zero-width characters, the Hangul filler, the blank
  /// Braille cell.
  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0, 0x200B...0x200F, 0x2060, 0xFEFF, 0x3164, 0xFFA0, 0x2800, 0x115F, 0x1160: true
    default: scalar.properties.isWhitespace
    }
  }

  /// Thirteen digits that can only be meant as an ISBN, whatever the check digit.
  private static func unchecked(_ text: String) -> String? {
    let digits = text.filter { $0 != "-" && $0 != " " }
    guard digits.utf8.count == 13, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      digits.hasPrefix("978") || digits.hasPrefix("979")
    else { return nil }
    return digits
  }

  static func == (left: BookQuery, right: BookQuery) -> Bool { left.key == right.key }
  func hash(into hasher: inout Hasher) { hasher.combine(key) }

  /// Queries with the same key are equal: the same bytes, or the same ISBN.
  var key: [UInt8] { Array((isbn ?? text).utf8) }
}
