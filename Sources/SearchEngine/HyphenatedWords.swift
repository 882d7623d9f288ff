import CTokenizer

/// Query words with a hyphen, which in a text may be at a line end. There the index contains the joined word and its
/// parts at one position, since it cannot tell whether the hyphen is part of the word.
///
///     in the text       queries that match
///     exam-⏎ple         example, exam-ple, exam, ple
///     self-⏎made        self-made, selfmade, self, made
///     self-made         self-made, self, made
enum HyphenatedWords {
  /// The most variants of a word; each opens the posting lists of its words.
  private static let most = 4

  /// The text without one of its hyphens, in all variants: a line ends at one of them.
  static func joined(_ text: String, _ units: [TextUnits.Unit]) -> [String] {
    let bytes = Array(text.utf8)
    let joined = zip(units, units.dropFirst()).lazy.compactMap { left, right -> String? in
      // Both may come from one character, such as ½ or ㌔.
      guard left.kind == CP_KIND_WORD, right.kind == CP_KIND_WORD, left.range.upperBound < right.range.lowerBound
      else { return nil }
      let hyphen = left.range.upperBound..<right.range.lowerBound
      guard isHyphen(bytes[hyphen]) else { return nil }
      let before = String(decoding: bytes[..<hyphen.lowerBound], as: UTF8.self)
      let after = String(decoding: bytes[hyphen.upperBound...], as: UTF8.self)
      let isBetweenLetters =
        before.unicodeScalars.last?.properties.isAlphabetic == true
        && after.unicodeScalars.first?.properties.isAlphabetic == true
      return isBetweenLetters ? before + after : nil
    }
    return Array(joined.prefix(most))
  }

  /// The text with a hyphen wherever a word is broken at a line end, so that a query copied from a page matches that
  /// page.
  static func mended(_ text: String) -> String {
    guard text.utf8.contains(where: { (0x0A...0x0D).contains($0) || $0 >= 0xC2 }) else { return text }
    let (units, bytes) = (TextUnits(text), Array(text.utf8))
    if units.parts.isEmpty { return text }
    var mended: [UInt8] = []
    var end = 0
    for (index, parts) in units.parts.sorted(by: { $0.key < $1.key }) {
      let word = units.units[index].range
      mended += bytes[end..<word.lowerBound]
      mended += parts.map { bytes[$0.range] }.joined(separator: [UInt8(ascii: "-")])
      end = word.upperBound
    }
    return String(decoding: mended + bytes[end...], as: UTF8.self)
  }

  private static func isHyphen(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.elementsEqual("-".utf8) || bytes.elementsEqual("\u{2010}".utf8) || bytes.elementsEqual("\u{2011}".utf8)
  }
}
