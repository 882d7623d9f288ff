import CTokenizer

/// Characters that the index maps to ASCII letters: é, ſ and ｓ to one, ß to two.
enum FoldedCharacters {
  /// Whether a text may contain one. False is certain.
  static func mayStand(in text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { cp_may_stand_for_latin($0.baseAddress, $0.count) }
    }
  }
}
