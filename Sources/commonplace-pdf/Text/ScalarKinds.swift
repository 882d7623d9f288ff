import CPoppler
import PDF

// Fast paths for Unicode properties of the most frequent characters; the lookups in Unicode's tables took a tenth of
// the time for a page.

extension Unicode.Scalar {
  /// Whether it is white space (White_Space).
  var isSpace: Bool {
    switch value {
    case 0..<0x80: value == 0x20 || 0x09...0x0d ~= value
    // The ideographic space is the last one.
    case 0x3001...: false
    default: properties.isWhitespace
    }
  }

  /// Whether it is a letter (Alphabetic).
  var isLetter: Bool {
    switch value {
    case 0..<0x80: 0x61...0x7a ~= value | 0x20
    default: properties.isAlphabetic
    }
  }

  /// Whether it is a letter of Chinese origin (Ideographic). There are none before U+3006.
  var isIdeograph: Bool {
    value >= 0x3006 && properties.isIdeographic
  }
}

extension Unicode.Scalar {
  /// The direction of the character, as far as it affects the order of a line.
  var direction: VisualLine.Direction {
    switch value {
    case 0x30...0x39, 0x660...0x669, 0x6f0...0x6f9: .digit
    case 0x2c, 0x2e, 0x2f, 0x3a, 0x2d, 0x66b, 0x66c: .separator
    case 0x25, 0x66a, 0x60c, 0x61b, 0x61f: .neutral
    case 0..<0x80: properties.isAlphabetic ? .right : .neutral
    case 0x590...0x8ff, 0xfb1d...0xfdff, 0xfe70...0xfefc, 0x10800...0x10fff, 0x1e800...0x1efff:
      properties.isAlphabetic || value == 0x640 ? .left : .neutral
    default: properties.isAlphabetic ? .right : .neutral
    }
  }

  /// Whether it is a vowel sign or another mark without a position of its own in a line (Mn).
  var isSign: Bool {
    value >= 0x300 && properties.generalCategory == .nonspacingMark
  }

  /// The bracket that is its mirror image, or nil for other characters.
  var otherBracket: Unicode.Scalar? {
    switch self {
    case "(": ")"
    case ")": "("
    case "[": "]"
    case "]": "["
    case "{": "}"
    case "}": "{"
    case "«": "»"
    case "»": "«"
    default: nil
    }
  }

  var opens: Bool { self == "(" || self == "[" || self == "{" || self == "«" }

  /// The letters of a presentation form of Arabic or Hebrew with their parts of its box, from the right; other
  /// characters are returned unchanged.
  func letters(in box: CharacterBox) -> [(Unicode.Scalar, CharacterBox)] {
    guard 0xfb1d...0xfdff ~= value || 0xfe70...0xfefc ~= value else { return [(self, box)] }
    let letters = Array(compatibilityDecomposition).filter { !$0.isSpace }
    guard letters.count > 1 else { return [(letters.first ?? self, box)] }
    let bases = letters.count { !$0.isSign }
    let (left, right) = (Int(min(box.left, box.right)), Int(max(box.left, box.right)))
    var place = -1
    return letters.map { letter in
      if !letter.isSign || place < 0 { place += 1 }
      let width = right - left
      return (
        letter,
        CharacterBox(
          left: Int16(clamping: right - width * (place + 1) / max(1, bases)), top: box.top,
          right: Int16(clamping: right - width * place / max(1, bases)), bottom: box.bottom)
      )
    }
  }

  private var compatibilityDecomposition: [Unicode.Scalar] {
    guard let bytes = g_utf8_normalize(String(self), -1, G_NORMALIZE_NFKC) else { return [self] }
    defer { g_free(bytes) }
    return Array(String(cString: bytes).unicodeScalars)
  }
}
