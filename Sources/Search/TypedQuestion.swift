import Store

/// A query of `search/query` that is still being typed: its last word may be an incomplete field.
///
///     in:books slow title:riv        words `slow riv`, the last one as a prefix, in books
///     slow in:di                     words `slow `; the field `in` is being typed, and has `di`
///     slow tag:"여행 g               the same with a quotation that is still open
///
/// Operators and parentheses are left to the complete query.
struct TypedQuestion {
  /// A field with a value of its own that nothing follows yet.
  struct Field {
    var name: QueryField
    var value: String
    /// The text before it.
    var head: String
  }

  /// The words for titles, with a trailing blank if there is one.
  private(set) var words = ""
  /// The values of each complete `in:`, and of each `NOT in:`.
  private(set) var places: [String] = []
  private(set) var unwantedPlaces: [String] = []
  private(set) var field: Field?

  init(_ text: String) {
    // An open quotation is the last word.
    let tokens = (try? Self.tokens(of: text)) ?? (try? Self.tokens(of: text + "\"")) ?? []
    var rest = text.utf8.startIndex
    for (index, token) in tokens.enumerated() {
      guard case .field(let name, let value, _, let goesOn) = token.kind else { continue }
      let start = text.utf8.index(text.startIndex, offsetBy: token.place.lowerBound)
      let end = text.utf8.index(start, offsetBy: token.place.count, limitedBy: text.endIndex) ?? text.endIndex
      let negation = index > 0 && tokens[index - 1].kind == .not ? tokens[index - 1].place.lowerBound : nil
      words += text[rest..<(negation.map { text.utf8.index(text.startIndex, offsetBy: $0) } ?? start)]
      rest = end
      if name == .title {
        words += value
      } else if end == text.endIndex, !goesOn {
        field = Field(name: name, value: value, head: String(text[..<start]))
      } else if name == .in {
        if negation == nil { places.append(value) } else { unwantedPlaces.append(value) }
      }
    }
    words += text[rest...]
  }

  /// Words alone, without syntax.
  init(words: String) {
    self.words = words
  }

  static func tokens(of text: String) throws(QueryProblem) -> [QueryToken] {
    var lexer = QueryLexer(text)
    var tokens: [QueryToken] = []
    while let token = try lexer.next() { tokens.append(token) }
    return tokens
  }

  /// A field with a value; nil for a value with both blanks and quotes, which a quotation cannot express.
  static func condition(_ field: QueryField, _ value: String) -> String? {
    Self.value(value).map { "\(field.rawValue):\($0)" }
  }

  /// The value of a field as it is written in a query.
  static func value(_ value: String) -> String? {
    func has(_ scalars: String) -> Bool { value.unicodeScalars.contains { scalars.unicodeScalars.contains($0) } }
    let isPlain = !has("()\"“”*") && !value.unicodeScalars.contains(where: \.properties.isWhitespace)
    if isPlain { return value }
    return has("\"“”") ? nil : "\"\(value)\""
  }
}
