import CTokenizer
import Wire

/// A part of a text that the index keeps apart.
package enum SearchPart: String, Sendable {
  case title, body, tags
}

/// A query as FTS5 is given it, with what the rank function must know of its phrases.
package struct MatchExpression: Sendable {
  /// The right side of MATCH.
  package private(set) var match = ""
  /// The first argument of `cp_rank`: a group for each word, in it its length and the strengths of its forms.
  package private(set) var strengths = ""

  /// The collections of which every text matches; nil where words are asked for, too.
  package private(set) var open: [String]?

  private let isRanked: Bool

  /// Nil if the query asks for nothing.
  ///
  /// - Parameters:
  ///   - collections: where to look; nil is everywhere, and none is nowhere.
  ///   - titlesOnly: every term must be in the title.
  ///   - part: every term must be in this part.
  ///   - isRanked: without, only the widest form of each term is asked for. It finds the same texts by fewer lists.
  package init?(
    _ query: MatchQuery, collections: [String]? = nil, titlesOnly: Bool = false, part: SearchPart? = nil,
    isRanked: Bool = true
  ) {
    self.isRanked = isRanked
    guard let root = query.root, collections?.isEmpty != true else { return nil }
    if case .within(let names) = root {
      if names.isEmpty { return nil }
      open = collections.map { wanted in names.filter { name in wanted.contains { sameBytes($0, name) } } } ?? names
    }
    write(root, strength: 1, titlesOnly: titlesOnly)
    if let part { match = "{\(part.rawValue)} : (\(match))" }
    // Last, because the rank function counts phrases from the first.
    if let collections { match = "(\(match)) AND \(Self.anyOf(collections))" }
  }

  private static func anyOf(_ collections: [String]) -> String {
    "(" + collections.map { quoted($0, modes: [UInt8(CP_MODE_NAME)]) }.joined(separator: " OR ") + ")"
  }

  private mutating func write(_ node: MatchQuery.Node, strength: Double, titlesOnly: Bool) {
    switch node {
    case .term(let term):
      write(term, strength: strength, titlesOnly: titlesOnly)
    case .and(let nodes):
      write(nodes, joinedBy: " AND ", strength: strength, titlesOnly: titlesOnly)
    case .or(let nodes):
      write(nodes, joinedBy: " OR ", strength: strength, titlesOnly: titlesOnly)
    case .without(let wanted, let unwanted):
      match += "("
      write(wanted, strength: strength, titlesOnly: titlesOnly)
      match += " NOT "
      // An unwanted term is unwanted everywhere. It adds nothing to the rank.
      write(unwanted, strength: 0, titlesOnly: false)
      match += ")"
    case .within(let collections):
      // To be somewhere says nothing of how well a text answers.
      match += Self.anyOf(collections)
      add(strengths: collections.map { _ in 0 })
    }
  }

  private mutating func write(
    _ nodes: [MatchQuery.Node], joinedBy connective: String, strength: Double, titlesOnly: Bool
  ) {
    match += "("
    for (index, node) in nodes.enumerated() {
      if index > 0 { match += connective }
      write(node, strength: strength, titlesOnly: titlesOnly)
    }
    match += ")"
  }

  /// A term in its forms, strongest first: as typed and from the beginning of a run of letters; with
  /// other diacritics or inside a run; as the beginning of a longer word. Each form finds what the
  /// one before it finds too: the stronger ones are there for the rank alone. Only what is typed or spaced otherwise finds
  /// more.
  ///
  /// One letter of Han, kana or Hangul at the end of a term is in a text what it is followed by, too: so it is asked for as
  /// the beginning of pairs. In titles it has a token of its own.
  private mutating func write(_ term: MatchQuery.Term, strength: Double, titlesOnly: Bool) {
    let title = term.inTitle || titlesOnly ? [UInt8(CP_MODE_TITLE)] : []
    let pairs = term.mayBeginPair && !term.goesOnInTitles && title.isEmpty ? " *" : ""
    var forms = [
      (quoted(term.text, modes: title + [UInt8(CP_MODE_EXACT)]) + pairs, 1.0),
      (quoted(term.text, modes: title) + pairs, 0.7),
    ]
    // Titles are known by the beginnings of their words, which spares FTS5 all words that begin so.
    let begins = term.isPrefix && term.isShort && !title.isEmpty
    if term.isPrefix, !term.goesOnInTitles, !begins { forms.append((quoted(term.text, modes: title) + " *", 0.5)) }
    if !isRanked { forms.removeFirst(forms.count - 1) }
    forms += term.spacings.map { (quoted($0, modes: title) + pairs, 0.5) }
    let (inTitle, typed) = ([UInt8(CP_MODE_TITLE)], [UInt8(CP_MODE_TYPED)])
    if term.goesOnInTitles, term.mayBeginPair {
      if isRanked { forms.append((quoted(term.text, modes: inTitle + [UInt8(CP_MODE_EXACT)]), 1.0)) }
      forms += ([term.text] + term.spacings).map { (quoted($0, modes: inTitle), 0.7) }
    } else if begins || term.goesOnInTitles && term.isShort {
      forms.append((quoted(term.text, modes: typed), 0.5))
    } else if term.goesOnInTitles {
      forms.append((quoted(term.text, modes: inTitle) + " *", 0.5))
    }
    if term.isTyped {
      for text in [term.text, HangulTyping.movingFinal(of: term.text)].compactMap(\.self) {
        forms.append((quoted(text, modes: typed), 0.4))
      }
    }
    match += "(" + forms.map(\.0).joined(separator: " OR ") + ")"
    add(strengths: forms.map { $0.1 * strength }, places: isRanked ? term.units : 0)
  }

  /// The next phrases, as one group.
  ///
  /// - Parameter places: how many words and letters the first two forms have; 0 where they are not all of it.
  private mutating func add(strengths group: [Double], places: Int = 0) {
    if !strengths.isEmpty { strengths += ";" }
    if places > 0 { strengths += "\(places)=" }
    strengths += group.map { String($0) }.joined(separator: " ")
  }
}

/// An FTS5 string. Everything in it is text, a doubled quote is one quote.
private func quoted(_ text: String, modes: [UInt8]) -> String {
  var bytes = [UInt8(ascii: "\"")] + modes
  for byte in text.utf8 where byte != 0 {
    if byte == UInt8(ascii: "\"") { bytes.append(byte) }
    bytes.append(byte)
  }
  return String(decoding: bytes, as: UTF8.self) + "\""
}
