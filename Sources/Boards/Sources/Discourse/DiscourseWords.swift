/// The user's query in the syntax of the service's own search.
///
/// The service interprets words such as `order:latest`, `@ann`, `#tag` and a lone `l` as commands, also inside
/// quotation marks (`Search#process_advanced_search!`). The user's text must be searched literally. So the
/// punctuation of such a word becomes spaces, and it is sent as a phrase.
enum DiscourseWords {
  /// Titles and contents are searched alike.
  static func words(_ query: SourceQuery) -> String {
    let plain = plain(query.text)
    switch query.target {
    case .all, .contents: return plain
    case .title: return plain + " in:title"
    case .writer:
      // The name of an account: one word.
      let name = query.text.split(whereSeparator: \.isWhitespace).joined(separator: "_")
      return "@" + name.filter { !isMark($0) && $0 != "\"" }
    }
  }

  /// The text without commands. Phrases in quotation marks stay phrases; an unmatched quotation mark is removed.
  private static func plain(_ text: String) -> String {
    let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
    var words: [String] = []
    for (place, part) in parts.enumerated() {
      let isPhrase = place % 2 == 1 && place < parts.count - 1
      if isPhrase {
        let phrase = spaced(part)
        if !phrase.isEmpty { words.append("\"\(phrase)\"") }
      } else {
        words += part.split(whereSeparator: \.isWhitespace).compactMap(word)
      }
    }
    return words.joined(separator: " ")
  }

  private static func word(_ word: Substring) -> String? {
    let isOrder = word.contains(where: isMark) || word.hasPrefix("-") || short.contains(word.lowercased())
    guard isOrder else { return String(word) }
    let phrase = spaced(word.drop { $0 == "-" })
    return phrase.isEmpty ? nil : "\"\(phrase)\""
  }

  private static func spaced(_ text: Substring) -> String {
    text.split { isMark($0) || $0.isWhitespace }.joined(separator: " ")
  }

  /// Commands of one letter: the latest, those that were read, in titles, in first posts.
  private static let short: Set = ["l", "r", "t", "f"]

  private static func isMark(_ character: Character) -> Bool { ":@#".contains(character) }
}
