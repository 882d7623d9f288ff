/// Splits a text into pieces whose concatenation is the text.
package enum TextPieces {
  private enum Kind {
    case blank, word
    /// A piece by itself: punctuation, and characters of scripts without blanks between words.
    case single
  }

  /// Words, white space, and single characters.
  package static func words(of text: String) -> [Substring] {
    var pieces: [Substring] = []
    var start = text.startIndex
    var previous: Kind?
    for index in text.indices {
      let kind = kind(of: text[index])
      if let previous, kind == .single || kind != previous {
        pieces.append(text[start..<index])
        start = index
      }
      previous = kind
    }
    if start < text.endIndex { pieces.append(text[start...]) }
    return pieces
  }

  /// Lines with their line ends.
  package static func lines(of text: String) -> [Substring] {
    var lines: [Substring] = []
    var rest = text[...]
    while let end = rest.firstIndex(where: \.isNewline) {
      let next = rest.index(after: end)
      lines.append(rest[..<next])
      rest = rest[next...]
    }
    if !rest.isEmpty { lines.append(rest) }
    return lines
  }

  private static func kind(of character: Character) -> Kind {
    if character.isWhitespace { return .blank }
    guard let scalar = character.unicodeScalars.first, scalar.properties.isAlphabetic || character.isNumber else {
      return .single
    }
    switch scalar.value {
    // Kana, Han.
    case 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: return .single
    default: return .word
    }
  }
}
