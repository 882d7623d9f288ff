import Wire

/// A word before a colon that is no field but looks like one. It is text, as any such word is, and who asked is told.
///
///     tilte:river        looked for as text; was it title: ?
///     http://river       text, and nobody would take it for a field
struct QuerySlip: Equatable {
  /// What stands before the colon.
  var written: String
  var nearest: String

  /// The first of a question. What stands in quotes was meant as text.
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
