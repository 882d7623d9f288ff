/// What somebody looks for: words, or the number of a book.
struct BookQuery: Sendable, Hashable {
  /// Without white space around it and with one space for each run of it, composed, since services compare code points
  /// and a Mac types Hangul apart.
  let text: String
  /// Ten or thirteen digits, if that is all there is.
  let isbn: String?
  /// Whether the check digit of `isbn` fits. Some books carry a misprinted number, so it is asked for all the same.
  let isChecked: Bool

  /// `nil` where there is nothing but white space, of whatever kind.
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

  /// White space as Unicode has it, and the characters that only look like it: those without width, the filler of
  /// Hangul, the empty cell of Braille.
  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0, 0x200B...0x200F, 0x2060, 0xFEFF, 0x3164, 0xFFA0, 0x2800, 0x115F, 0x1160: true
    default: scalar.properties.isWhitespace
    }
  }

  /// The thirteen digits of what can only be meant as a number of a book, whatever its last digit.
  private static func unchecked(_ text: String) -> String? {
    let digits = text.filter { $0 != "-" && $0 != " " }
    guard digits.utf8.count == 13, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      digits.hasPrefix("978") || digits.hasPrefix("979")
    else { return nil }
    return digits
  }

  static func == (left: BookQuery, right: BookQuery) -> Bool { left.key == right.key }
  func hash(into hasher: inout Hasher) { hasher.combine(key) }

  /// What makes two queries the same: the bytes, or the number.
  var key: [UInt8] { Array((isbn ?? text).utf8) }
}
