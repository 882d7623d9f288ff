/// The number of terminal columns of a text: Hangul, kana, Han and emoji take two, marks none.
enum TextWidth {
  static func columns(of text: some StringProtocol) -> Int { text.reduce(0) { $0 + columns(of: $1) } }

  /// The part of a text that fits, with an ellipsis if something is cut off.
  static func cut(_ text: String, to width: Int) -> String {
    guard columns(of: text) > width else { return text }
    guard width > 0 else { return "" }
    var used = 0
    return text.prefix { character in
      used += columns(of: character)
      return used <= width - 1
    } + "…"
  }

  /// The characters that fit, at least one.
  static func beginning(of text: Substring, width: Int) -> Substring {
    var used = 0
    let beginning = text.prefix { character in
      used += columns(of: character)
      return used <= width
    }
    return beginning.isEmpty ? text.prefix(1) : beginning
  }

  static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - columns(of: text)))
  }

  /// As a terminal displays it: a letter with its marks is one character.
  private static func columns(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    // A character with emoji presentation, and a sequence joined to one, is as wide as one.
    if scalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
    return scalars.lazy.map(columns).first { $0 > 0 } ?? 0
  }

  private static func columns(of scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }
  }

  /// East Asian Wide and Fullwidth (Unicode Standard Annex 11), in runs.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x231A...0x231B, 0x23E9...0x23EC, 0x25FD...0x25FE, 0x2614...0x2615, 0x2648...0x2653,
    0x26AA...0x26AB, 0x26BD...0x26BE, 0x26D4...0x26D4, 0x2705...0x2705, 0x274C...0x274C, 0x2753...0x2755,
    0x2757...0x2757, 0x2795...0x2797, 0x2B1B...0x2B1C, 0x2B50...0x2B50, 0x2B55...0x2B55, 0x2E80...0x303E,
    0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
    0x1F7E0...0x1F7EB, 0x1F90C...0x1FAFF, 0x20000...0x3FFFD,
  ]
}
