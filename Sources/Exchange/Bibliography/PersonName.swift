import Wire

/// The parts of an author's name, as far as they can be distinguished without knowing the person.
package struct PersonName: Sendable, Equatable {
  /// The whole name as written.
  package let whole: String
  package let family: String
  package let given: String?
  /// `van`, `de la`: a part of the family name that is ignored for sorting.
  package let particle: String?
  /// `Jr.`, `III`: follows the name.
  package let suffix: String?

  private static let particles: Set = [
    "van", "von", "de", "der", "den", "del", "della", "di", "da", "dos", "du", "la", "le", "ten", "ter", "zu", "zur",
    "'t", "’t",
  ]
  /// Capitalized, they are part of the family name for sorting: Le Guin, Van Halen.
  private static let capitals: Set = ["De", "Du", "La", "Le", "Van", "Von"]
  private static let suffixes: Set = ["jr", "jr.", "sr", "sr.", "ii", "iii", "iv"]

  package init(_ name: String) {
    whole = name
    if let comma = name.firstIndex(of: ",") {
      // The name is already split.
      family = String(name[..<comma]).readable ?? name
      given = String(name[name.index(after: comma)...]).readable
      particle = nil
      suffix = nil
      return
    }
    let words = name.split(whereSeparator: \.isWhitespace).map(String.init)
    let isLatin = name.unicodeScalars.allSatisfy {
      !$0.properties.isAlphabetic || $0.value < 0x250 || (0x1E00...0x1EFF).contains($0.value)
    }
    // "and" separates names: this is a company, or several people in one name.
    guard isLatin, words.count > 1, !words.contains(where: { $0.lowercased() == "and" || $0 == "&" }) else {
      // Names in Hangul or Han begin with the family name, mostly of one syllable.
      let isHangul = words.count == 1 && name.unicodeScalars.allSatisfy { (0xAC00...0xD7A3).contains($0.value) }
      let count = name.unicodeScalars.count
      family = isHangul && (2...4).contains(count) ? Self.koreanFamily(name) : words.first ?? name
      given = nil
      particle = nil
      suffix = nil
      return
    }
    var last = words.count - 1
    if last > 1, Self.suffixes.contains(words[last].lowercased()) { last -= 1 }
    var first = last
    while first > 1, Self.particles.contains(words[first - 1]) { first -= 1 }
    let small = first
    while first > 1, Self.capitals.contains(words[first - 1]) { first -= 1 }
    // Small ones before capitalized ones are no part of it: de La Fontaine.
    let begin = first < small ? first : last
    while begin < last, first > 1, Self.particles.contains(words[first - 1]) { first -= 1 }
    family = words[begin...last].joined(separator: " ")
    particle = first < begin ? words[first..<begin].joined(separator: " ") : nil
    given = words[..<first].joined(separator: " ")
    suffix = last + 1 < words.count ? words[last + 1] : nil
  }

  /// The few family names of two syllables.
  private static let koreanPairs: Set = ["남궁", "황보", "제갈", "사공", "선우", "서문", "독고", "동방"]

  private static func koreanFamily(_ name: String) -> String {
    let pair = String(name.prefix(2))
    return koreanPairs.contains(pair) && name.count > 2 ? pair : String(name.prefix(1))
  }
}
