import Wire

/// A word with a minus, by which other programs exclude a word. Here it is text, and the client gets a hint.
///
///     rain -snow        searched as text; to exclude: NOT snow
///     -5, a-b           text
struct SignedWord: Equatable {
  /// Without the minus.
  var word: String

  /// The first one in a query. Quoted text is ignored.
  static func first(in text: String) -> SignedWord? {
    guard text.utf8.contains(UInt8(ascii: "-")) else { return nil }
    var lexer = QueryLexer(text)
    while let token = try? lexer.next() {
      guard case .word(let word, _) = token.kind, word.first == "-", word.dropFirst().first?.isLetter == true else {
        continue
      }
      return SignedWord(word: String(word.dropFirst()))
    }
    return nil
  }

  var hint: Text { Text("search.signedWord", ["word": word]) }
}
