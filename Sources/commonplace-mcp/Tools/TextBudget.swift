import Wire

/// The tokens that an answer may take. They are estimated: four ASCII characters, or one of another script, are a token.
struct TextBudget {
  private(set) var left: Int

  init(tokens: Int) {
    left = tokens
  }

  static func tokens(of text: String) -> Int { tokens(of: Array(text.utf8)) }

  static func tokens(of value: JSONValue) -> Int { tokens(of: JSONWriter.bytes(of: value)) }

  private static func tokens(of bytes: [UInt8]) -> Int {
    var (ascii, others) = (0, 0)
    for byte in bytes {
      if byte < 0x80 { ascii += 1 } else if byte >= 0xC0 { others += 1 }
    }
    return others + (ascii + 3) / 4
  }

  /// Whether a text fits, which then is counted.
  mutating func take(_ tokens: Int) -> Bool {
    guard tokens <= left else { return false }
    left -= tokens
    return true
  }

  /// The beginning of a text that fits, to the end of a sentence, else of a line or a word; at least one character.
  /// The offset is where the rest begins, in Unicode scalars; nil if all of it fits.
  static func cut(_ text: Substring, tokens: Int) -> (text: Substring, rest: Int?) {
    guard Self.tokens(of: String(text)) > tokens else { return (text, nil) }
    let scalars = text.unicodeScalars
    var end = scalars.startIndex
    var quarters = 0
    var (sentence, line, word): (String.Index?, String.Index?, String.Index?)
    var previous: Unicode.Scalar = " "
    while end < scalars.endIndex {
      let scalar = scalars[end]
      quarters += scalar.isASCII ? 1 : 4
      if quarters > tokens * 4, end > scalars.startIndex { break }
      if scalar.properties.isWhitespace, ".!?…".unicodeScalars.contains(previous) { sentence = end }
      end = scalars.index(after: end)
      if "。！？".unicodeScalars.contains(scalar) { sentence = end }
      if scalar == "\n" { line = end }
      if scalar.properties.isWhitespace { word = end }
      previous = scalar
    }
    // A sentence that ends in the first half would waste the rest.
    let half = scalars.index(scalars.startIndex, offsetBy: scalars.distance(from: scalars.startIndex, to: end) / 2)
    let place = [sentence, line, word].compactMap { $0 }.first { $0 >= half } ?? end
    return (text[..<place], scalars.distance(from: scalars.startIndex, to: place))
  }
}
