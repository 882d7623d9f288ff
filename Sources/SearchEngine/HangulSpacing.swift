/// Where a blank may stand in a run of Hangul. Korean writes compounds together or apart, and people do as they like.
enum HangulSpacing {
  /// In letters. A syllable alone is mostly no word, and stands before and behind others everywhere.
  private static let shortest = 2
  /// Each way opens the lists of its letters.
  private static let longestRun = 10

  /// The text with one blank, in every way that leaves two words; none unless all of it is one run of Hangul.
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
