import CTokenizer

/// Letters that the index takes for others, which are of ASCII: é, ſ and ｓ for one, ß for two.
enum FoldedLetters {
  /// False only where there is surely none.
  static func mayStand(in text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { cp_may_stand_for_latin($0.baseAddress, $0.count) }
    }
  }
}
