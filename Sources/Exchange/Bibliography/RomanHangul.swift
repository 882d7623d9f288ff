/// Romanizes Hangul syllable by syllable with the Revised Romanization (the transliteration of its article 3, 8, which
/// a name keeps in any context). Other characters stay.
package enum RomanHangul {
  private static let initials = [
    "g", "kk", "n", "d", "tt", "r", "m", "b", "pp", "s", "ss", "", "j", "jj", "ch", "k", "t", "p", "h",
  ]
  private static let vowels = [
    "a", "ae", "ya", "yae", "eo", "e", "yeo", "ye", "o", "wa", "wae", "oe", "yo", "u", "wo", "we", "wi", "yu", "eu",
    "ui", "i",
  ]
  private static let finals = [
    "", "k", "k", "k", "n", "n", "n", "t", "l", "k", "m", "l", "l", "l", "l", "l", "m", "p", "p", "t", "t", "ng", "t",
    "t", "k", "t", "p", "t",
  ]

  package static func text(of text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      guard (0xAC00...0xD7A3).contains(scalar.value) else {
        result.unicodeScalars.append(scalar)
        continue
      }
      // Unicode, 3.12: the code point of a syllable is computed from those of its jamo.
      let number = Int(scalar.value) - 0xAC00
      result += initials[number / 588] + vowels[number / 28 % 21] + finals[number % 28]
    }
    return result
  }
}
