/// The places where a run of Hangul may be split by a blank. Korean compounds are written with and without blanks,
/// inconsistently.
enum HangulSpacing {
  /// In syllables. A single syllable is mostly not a word, and occurs before and after others everywhere.
  private static let shortest = 2
  /// In syllables; each variant opens the posting lists of its syllables.
  private static let longestRun = 10

  /// The text with one blank inserted, in every way that leaves two words; empty unless the text is a single run of
  /// Hangul.
  static func spacings(of text: String, _ units: [TextUnits.Unit]) -> [String] {
    guard units.count >= 2 * shortest, units.count <= longestRun, units.dropFirst().allSatisfy(\.glued),
      text.unicodeScalars.allSatisfy(isHangul)
    else { return [] }
    return units[shortest...(units.count - shortest)].map { unit in
      let place = text.utf8.index(text.startIndex, offsetBy: unit.range.lowerBound)
      return text[..<place] + " " + text[place...]
    }
  }

  static func isHangul(_ scalar: Unicode.Scalar) -> Bool {
    (0xAC00...0xD7A3).contains(scalar.value) || (0x1100...0x11FF).contains(scalar.value)
  }
}
