import SearchEngine
import Store
import Wire

/// The key by which texts cite a book: the first author's family name and the year, `han2017`; a second such book is
/// `han2017a`. It is assigned once and later edits of the book do not change it, so that citations stay valid.
enum CitationKey {
  /// A key that no other book has.
  static func new(for facts: BookFacts, in snapshot: Snapshot) throws -> String {
    let stem = stem(of: facts)
    var taken: Set<String> = []
    // Keys are compared without case: some programs do.
    try snapshot.db.each(
      "SELECT lower(citationKey) FROM book WHERE lower(citationKey) >= ? AND lower(citationKey) < ?",
      [.text(stem.lowercased()), .text(stem.lowercased() + "\u{10FFFF}")]
    ) { taken.insert($0.text(0)) }
    return free(stem) { taken.contains($0.lowercased()) }
  }

  static func free(_ stem: String, isTaken: (String) -> Bool) -> String {
    if !isTaken(stem) { return stem }
    var number = 1
    while isTaken(stem + suffix(number)) { number += 1 }
    return stem + suffix(number)
  }

  /// A key from the user or a file.
  ///
  /// - Throws: `invalidParams` for a key with unsafe characters, or one that another book has.
  static func given(_ key: String, for book: String, in snapshot: Snapshot) throws -> String {
    let isSafe = key.unicodeScalars.allSatisfy { scalar in
      !scalar.properties.isWhitespace && !"{}(),\\\"#%&~'=@".unicodeScalars.contains(scalar)
        && !scalar.isLineEndOrControl
    }
    guard isSafe else { throw RPCError.invalidParams(field: "citationKey", reason: Text("books.badKey")) }
    let other = try snapshot.db.first(
      "SELECT id FROM book WHERE lower(citationKey) = lower(?) AND id <> ?", [.text(key), .text(book)]
    ) { $0.text(0) }
    if let other {
      throw RPCError.invalidParams(field: "citationKey", reason: Text("books.keyTaken", ["key": key, "id": other]))
    }
    return key
  }

  /// `a` to `z`, then `aa`.
  private static func suffix(_ number: Int) -> String {
    var text = ""
    var rest = number
    while rest > 0 {
      rest -= 1
      text = String(UnicodeScalar(UInt8(ascii: "a") + UInt8(rest % 26))) + text
      rest /= 26
    }
    return text
  }

  static func stem(of facts: BookFacts) -> String {
    var name = facts.authors.first.map { word(PersonName($0).family) } ?? ""
    if name.isEmpty { name = word(facts.title?.split(separator: " ").first.map(String.init) ?? "") }
    if name.isEmpty { name = "book" }
    return name + (facts.year.map(String.init) ?? "nd")
  }

  /// Latin letters in lower case without diacritics, Hangul romanized; other scripts as they are.
  private static func word(_ text: String) -> String {
    let plain = RomanHangul.text(of: foldedText(text))
    var result = ""
    for scalar in plain.normalized(.nfd).unicodeScalars {
      if let latin = special[scalar] {
        result += latin
      } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil,
        scalar.value < 0x300 || scalar.value > 0x36F
      {
        result.unicodeScalars.append(scalar)
      }
      if result.unicodeScalars.count >= 40 { break }
    }
    return result.normalized(.nfc)
  }

  /// Letters without a canonical decomposition.
  private static let special: [Unicode.Scalar: String] = [
    "ø": "o", "æ": "ae", "œ": "oe", "ß": "ss", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i",
  ]
}
