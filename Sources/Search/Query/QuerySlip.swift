import Wire

/// A word before a colon that is not a field but resembles one. It is text, like any such word, and the client gets a
/// hint.
///
///     tilte:river        searched as text; was it title: ?
///     http://river       text that does not resemble a field
struct QuerySlip: Equatable {
  /// The text before the colon.
  var written: String
  var nearest: String

  /// The first one in a query. Quoted text is ignored.
  static func first(in text: String) -> QuerySlip? {
    guard text.utf8.contains(UInt8(ascii: ":")) else { return nil }
    var lexer = QueryLexer(text)
    while let token = try? lexer.next() {
      guard case .word(let word, _) = token.kind, let colon = word.firstIndex(of: ":") else { continue }
      let written = String(word[..<colon])
      if let nearest = QueryField.nearest(to: written) { return QuerySlip(written: written, nearest: nearest) }
    }
    return nil
  }

  var hint: Text { Text("search.misspelledField", ["written": written, "nearest": nearest]) }
}
