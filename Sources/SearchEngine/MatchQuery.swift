import CTokenizer

/// What a user asks for, as a tree that becomes an FTS5 MATCH expression.
///
/// Only this type writes FTS5 syntax. Every text of a user is inside a quoted string there, so
/// `NEAR(`, `*`, `-`, `:` and quotes are text.
package struct MatchQuery: Sendable {
  package indirect enum Node: Sendable {
    case term(Term)
    case and([Node])
    case or([Node])
    /// The first without the second.
    case without(Node, Node)
    /// Every text of these collections, whatever stands in it: what is left out of has to be named.
    case within([String])
  }

  /// A word, or a phrase of several, whose parts stand one after another.
  package struct Term: Sendable {
    /// Without control characters, and with at least one word, letter or pictograph in it.
    package let text: String
    /// Whether the last word may go on. A letter of Han, kana or Hangul always may.
    package let isPrefix: Bool
    /// Whether the last word is one letter of Han, kana or Hangul, behind which others may stand: a text has it in pairs
    /// with these.
    let mayBeginPair: Bool
    /// Whether the last word goes on in titles alone, where very many words begin so: see `WideQuery`.
    var goesOnInTitles = false
    /// Whether the last word is of one or two letters: so long are the beginnings that titles have in the index.
    let isShort: Bool
    /// Looked for in titles only.
    package let inTitle: Bool
    /// Looked for as somebody types it, too, among titles: by initials, and with a last syllable that is not whole.
    package let isTyped: Bool
    /// How many words and letters it has.
    package let units: Int
    /// The same as others write it: with a blank in it, or without a hyphen.
    let spacings: [String]

    /// Nil if the text has nothing that could be found, such as `++`.
    ///
    /// - Parameters:
    ///   - endsRun: the last letter is one that no other follows in the text.
    ///   - mayBeSpaced: whether a run of Hangul also finds what is written in two words, as 독서모임 does 독서 모임.
    package init?(
      _ text: String, isPrefix: Bool = false, inTitle: Bool = false, isTyped: Bool = false,
      endsRun: Bool = false, mayBeSpaced: Bool = false
    ) {
      let text = String(
        String.UnicodeScalarView(BrokenWords.mended(text).unicodeScalars.map { $0.isControl ? " " : $0 }))
      let units = TextUnits(text).units
      guard let last = units.last else { return nil }
      self.text = text
      self.units = units.count
      self.isPrefix = isPrefix && last.kind == CP_KIND_WORD
      mayBeginPair = last.kind == CP_KIND_LETTER && !last.glued && !endsRun
      isShort = String(decoding: Array(text.utf8)[last.range], as: UTF8.self).unicodeScalars.count < 3
      self.inTitle = inTitle
      self.isTyped = isTyped && last.kind == CP_KIND_LETTER
      spacings = (mayBeSpaced ? HangulSpacing.spacings(of: text, units) : []) + BrokenWords.joined(text, units)
    }
  }

  /// The most words and letters of a term whose last word goes on, to be looked up in a text: as `begins.c` has it.
  static let lookedUpUnits = 64

  package enum Failure: Error, Equatable {
    /// More words than can be asked for at once; `offset` is the first one too many, in UTF-8.
    case tooManyTerms(limit: Int, offset: Int)
    /// More words and letters altogether than can be asked for at once.
    case tooLong(limit: Int, offset: Int)
  }

  /// Bounds of one question. Each word and each pair of letters opens a posting list.
  package static let maximumTerms = 64
  package static let maximumUnits = 512

  /// Nil if nothing is asked: white space, or only punctuation.
  package let root: Node?

  package var isEmpty: Bool { root == nil }

  package init(_ root: Node?) {
    self.root = root
  }

  /// Plain text of a user: words that must all be there, and `"phrases"` in straight or curved quotes.
  ///
  /// A quote that is not closed holds to the end. With `lastIsPrefix` a last word that nothing
  /// follows, not even a blank, may go on: what is asked while typing.
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

  /// The terms that a hit has, those excluded left out: what is marked in a text.
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
