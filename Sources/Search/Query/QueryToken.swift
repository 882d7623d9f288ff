/// A token of a query, and its place.
struct QueryToken: Equatable {
  enum Kind: Equatable {
    case open, close
    /// A field followed by a parenthesis: `title:(`.
    case openField(QueryField)
    case and, or, not
    case phrase(String, isPrefix: Bool)
    case word(String, isPrefix: Bool)
    case field(QueryField, String, isQuoted: Bool, isPrefix: Bool)
  }

  var kind: Kind
  /// In UTF-8 bytes of the text.
  var place: Range<Int>
}

/// Splits a query into tokens.
///
///     (강 OR "slow river") title:swim* NOT in:(posts OR diary) 5" -x f(y)
///     │└word └phrase        └field     │   └openField           └─── words: text
///     └open                           not
///
/// Our syntax applies at the beginning of a word only: a quote, a parenthesis or a hyphen inside of one is text, and
/// so is an unmatched closing parenthesis.
struct QueryLexer {
  private let scalars: String.UnicodeScalarView
  private var index: String.UnicodeScalarView.Index
  /// The number of UTF-8 bytes before `index`.
  private var offset = 0
  private var depth = 0
  private let isTyping: Bool

  /// - Parameter isTyping: an unclosed quotation extends to the end.
  init(_ text: String, isTyping: Bool = false) {
    scalars = text.unicodeScalars
    index = scalars.startIndex
    self.isTyping = isTyping
  }

  /// The next piece, nil at the end.
  mutating func next() throws(QueryProblem) -> QueryToken? {
    while let scalar = current, scalar.separates { step() }
    guard let first = current else { return nil }
    let start = offset
    if first == "(" {
      step()
      depth += 1
      return QueryToken(kind: .open, place: start..<offset)
    }
    if first == ")", depth > 0 {
      step()
      depth -= 1
      return QueryToken(kind: .close, place: start..<offset)
    }
    if first.isQuotation {
      let (text, isPrefix) = try quotation()
      return QueryToken(kind: .phrase(text, isPrefix: isPrefix), place: start..<offset)
    }
    return try word(from: start)
  }

  private mutating func word(from start: Int) throws(QueryProblem) -> QueryToken {
    var text = String.UnicodeScalarView()
    var open = 0
    while let scalar = current, !scalar.separates {
      if scalar == ")", open == 0, depth > 0 { break }
      if scalar == "(" { open += 1 }
      if scalar == ")" { open -= 1 }
      step()
      if scalar == ":", let field = QueryField(written: String(text)) {
        return try value(of: field, from: start)
      }
      text.append(scalar)
    }
    let place = start..<offset
    switch String(text) {
    case "AND": return QueryToken(kind: .and, place: place)
    case "OR": return QueryToken(kind: .or, place: place)
    case "NOT": return QueryToken(kind: .not, place: place)
    default:
      let (word, isPrefix) = Self.withoutStar(text)
      return QueryToken(kind: .word(word, isPrefix: isPrefix), place: place)
    }
  }

  private mutating func value(of field: QueryField, from start: Int) throws(QueryProblem) -> QueryToken {
    if let scalar = current, scalar.isQuotation {
      let (text, isPrefix) = try quotation()
      return QueryToken(kind: .field(field, text, isQuoted: true, isPrefix: isPrefix), place: start..<offset)
    }
    if current == "(" {
      step()
      depth += 1
      return QueryToken(kind: .openField(field), place: start..<offset)
    }
    var text = String.UnicodeScalarView()
    while let scalar = current, !scalar.separates, scalar != ")" || depth == 0 {
      text.append(scalar)
      step()
    }
    let (value, isPrefix) = Self.withoutStar(text)
    return QueryToken(kind: .field(field, value, isQuoted: false, isPrefix: isPrefix), place: start..<offset)
  }

  /// The text between two quotes. Straight and curved ones are the same: keyboards convert them during typing.
  private mutating func quotation() throws(QueryProblem) -> (text: String, isPrefix: Bool) {
    let start = offset
    step()
    var text = String.UnicodeScalarView()
    while let scalar = current {
      step()
      if scalar.isQuotation { return (String(text), takeStar()) }
      text.append(scalar)
    }
    guard isTyping else { throw QueryProblem(.unclosedQuote, at: start..<offset) }
    // Its last word may be a prefix.
    return (String(text), !(text.last?.separates ?? true))
  }

  private mutating func takeStar() -> Bool {
    guard current == "*" else { return false }
    step()
    return true
  }

  private static func withoutStar(_ text: String.UnicodeScalarView) -> (word: String, isPrefix: Bool) {
    guard text.last == "*", text.count > 1 else { return (String(text), false) }
    return (String(text.dropLast()), true)
  }

  private var current: Unicode.Scalar? { index < scalars.endIndex ? scalars[index] : nil }

  private mutating func step() {
    offset += UTF8.width(scalars[index])
    scalars.formIndex(after: &index)
  }
}

extension Unicode.Scalar {
  fileprivate var separates: Bool { properties.isWhitespace || properties.generalCategory == .control }
  fileprivate var isQuotation: Bool { self == "\"" || self == "\u{201C}" || self == "\u{201D}" }
}
