import CTokenizer

/// A user's query, as a tree that is converted to an FTS5 MATCH expression.
///
/// Only this type generates FTS5 syntax. User input is always inside a quoted string there, so `NEAR(`, `*`, `-`, `:`
/// and quotes are literal text.
package struct MatchQuery: Sendable {
  package indirect enum Node: Sendable {
    case term(Term)
    case and([Node])
    case or([Node])
    /// The first without the second.
    case without(Node, Node)
    /// All texts of these collections: the left side of an exclusion must be explicit.
    case within([String])
  }

  /// A word, or a phrase of several consecutive words.
  package struct Term: Sendable {
    /// Without control characters, and with at least one word, letter or pictograph.
    package let text: String
    /// Whether the last word is a prefix. A Han, kana or Hangul letter always is.
    package let isPrefix: Bool
    /// Whether the last word is one Han, kana or Hangul letter that others may follow: texts are indexed with pairs of
    /// these.
    let mayBeginPair: Bool
    /// Whether the last word is a prefix in titles only, since it is a frequent prefix: see `FrequentPrefixQuery`.
    var goesOnInTitles = false
    /// Whether the last word has one or two letters: the length of the prefixes by which titles are indexed.
    let isShort: Bool
    /// Matches in titles only.
    package let inTitle: Bool
    /// Also matches titles as incomplete input: by initials, and with an incomplete last syllable.
    package let isTyped: Bool
    /// The number of words and letters.
    package let units: Int
    /// The term in other spellings: with a blank in it, or without a hyphen.
    let spacings: [String]

    /// Nil if the text contains nothing that is indexed, such as `++`.
    ///
    /// - Parameters:
    ///   - endsRun: whether no letter follows the last one in the text.
    ///   - mayBeSpaced: whether a run of Hangul also matches two words, as 독서모임 matches 독서 모임.
    package init?(
      _ text: String, isPrefix: Bool = false, inTitle: Bool = false, isTyped: Bool = false,
      endsRun: Bool = false, mayBeSpaced: Bool = false
    ) {
      let text = String(
        String.UnicodeScalarView(HyphenatedWords.mended(text).unicodeScalars.map { $0.isControl ? " " : $0 }))
      let units = TextUnits(text).units
      guard let last = units.last else { return nil }
      self.text = text
      self.units = units.count
      self.isPrefix = isPrefix && last.kind == CP_KIND_WORD
      mayBeginPair = last.kind == CP_KIND_LETTER && !last.glued && !endsRun
      isShort = String(decoding: Array(text.utf8)[last.range], as: UTF8.self).unicodeScalars.count < 3
      self.inTitle = inTitle
      self.isTyped = isTyped && last.kind == CP_KIND_LETTER
      spacings = (mayBeSpaced ? HangulSpacing.spacings(of: text, units) : []) + HyphenatedWords.joined(text, units)
    }
  }

  /// The most words and letters of a prefix term that is looked up in a text: the limit of `begins.c`.
  static let lookedUpUnits = 64

  package enum Failure: Error, Equatable {
    /// More words than the limit; `offset` is that of the first word beyond it, in UTF-8.
    case tooManyTerms(limit: Int, offset: Int)
    /// More words and letters altogether than the limit.
    case tooLong(limit: Int, offset: Int)
  }

  /// Limits of a query. Each word and each pair of letters opens a posting list.
  package static let maximumTerms = 64
  package static let maximumUnits = 512

  /// Nil for an empty query: white space, or only punctuation.
  package let root: Node?

  package init(_ root: Node?) {
    self.root = root
  }

  /// Parses user input: words that must all occur, and `"phrases"` in straight or curved quotes.
  ///
  /// An unclosed quote extends to the end. With `lastIsPrefix` a last word that is followed by nothing, not even a
  /// blank, is a prefix: for search while typing.
  ///
  /// - Throws: `Failure` for too many words.
  package init(userText: String, lastIsPrefix: Bool = false) throws(Failure) {
    var terms: [Term] = []
    var units = 0
    for piece in Self.pieces(of: userText) {
      let isPrefix = lastIsPrefix && !piece.isQuoted && piece.end == userText.endIndex
      guard let term = Term(String(userText[piece.start..<piece.end]), isPrefix: isPrefix) else { continue }
      let offset = userText.utf8.distance(from: userText.startIndex, to: piece.start)
      units += term.units
      if terms.count == Self.maximumTerms { throw .tooManyTerms(limit: Self.maximumTerms, offset: offset) }
      if units > Self.maximumUnits { throw .tooLong(limit: Self.maximumUnits, offset: offset) }
      terms.append(term)
    }
    root = terms.count < 2 ? terms.first.map(Node.term) : .and(terms.map(Node.term))
  }

  /// The terms that occur in a hit, without the excluded ones: those to highlight.
  package var wantedTerms: [Term] {
    func collect(_ node: Node) -> [Term] {
      switch node {
      case .term(let term): [term]
      case .and(let nodes), .or(let nodes): nodes.flatMap(collect)
      case .without(let wanted, _): collect(wanted)
      case .within: []
      }
    }
    return root.map(collect) ?? []
  }

  private struct Piece {
    var start: String.Index
    var end: String.Index
    var isQuoted: Bool
  }

  private static func pieces(of text: String) -> [Piece] {
    let scalars = text.unicodeScalars
    var pieces: [Piece] = []
    var index = scalars.startIndex
    func skip(while condition: (Unicode.Scalar) -> Bool) {
      while index < scalars.endIndex, condition(scalars[index]) { scalars.formIndex(after: &index) }
    }
    while index < scalars.endIndex {
      let first = scalars[index]
      if first.isBlank {
        skip { $0.isBlank }
      } else if first.isQuote {
        scalars.formIndex(after: &index)
        let start = index
        skip { !$0.isQuote }
        pieces.append(Piece(start: start, end: index, isQuoted: true))
        if index < scalars.endIndex { scalars.formIndex(after: &index) }
      } else {
        let start = index
        skip { !$0.isBlank && !$0.isQuote }
        pieces.append(Piece(start: start, end: index, isQuoted: false))
      }
    }
    return pieces
  }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool { properties.generalCategory == .control }
  fileprivate var isBlank: Bool { properties.isWhitespace || isControl }
  fileprivate var isQuote: Bool { self == "\"" || self == "\u{201C}" || self == "\u{201D}" }
}
