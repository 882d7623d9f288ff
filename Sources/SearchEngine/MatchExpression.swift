import CTokenizer
import Wire

/// A part of a text with its own column in the index.
package enum SearchPart: String, Sendable {
  case title, body, tags
}

/// A query in FTS5 syntax, with the data that the rank function needs about its phrases.
package struct MatchExpression: Sendable {
  /// The right side of MATCH.
  package private(set) var match = ""
  /// The first argument of `cp_rank`: a group for each word, containing its length and the strengths of its forms.
  package private(set) var strengths = ""

  /// The collections of which every text matches; nil if the query has words.
  package private(set) var open: [String]?

  private let isRanked: Bool

  /// Nil for an empty query.
  ///
  /// - Parameters:
  ///   - collections: the collections to search; nil means all, an empty list none.
  ///   - titlesOnly: every term must be in the title.
  ///   - part: every term must be in this part.
  ///   - isRanked: if false, only the broadest form of each term is queried. This matches the same texts with fewer
  ///     lists.
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
      // An excluded term is excluded in all parts. It does not affect the rank.
      write(unwanted, strength: 0, titlesOnly: false)
      match += ")"
    case .within(let collections):
      // The collection of a text does not affect its rank.
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

  /// A term in its forms, strongest first: as typed and at the beginning of a run of letters; with other diacritics or
  /// inside a run; as the prefix of a longer word. Each form matches at least what the one before it matches: the
  /// stronger ones only affect the rank. Only typed and spaced variants match more.
  ///
  /// A single Han, kana or Hangul letter at the end of a term is indexed as part of pairs with the following letter, so
  /// it is queried as the prefix of pairs. In titles it has its own token.
  private mutating func write(_ term: MatchQuery.Term, strength: Double, titlesOnly: Bool) {
    let title = term.inTitle || titlesOnly ? [UInt8(CP_MODE_TITLE)] : []
    let pairs = term.mayBeginPair && !term.goesOnInTitles && title.isEmpty ? " *" : ""
    var forms = [
      (quoted(term.text, modes: title + [UInt8(CP_MODE_EXACT)]) + pairs, 1.0),
      (quoted(term.text, modes: title) + pairs, 0.7),
    ]
    // Titles are indexed by the prefixes of their words, which saves FTS5 from merging all words with the prefix.
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

  /// Adds the next phrases as one group.
  ///
  /// - Parameter places: the number of words and letters in the first two forms; 0 if they are not the whole term.
  private mutating func add(strengths group: [Double], places: Int = 0) {
    if !strengths.isEmpty { strengths += ";" }
    if places > 0 { strengths += "\(places)=" }
    strengths += group.map { String($0) }.joined(separator: " ")
  }
}

/// An FTS5 string. All of it is literal text; a doubled quote stands for one quote.
private func quoted(_ text: String, modes: [UInt8]) -> String {
  var bytes = [UInt8(ascii: "\"")] + modes
  for byte in text.utf8 where byte != 0 {
    if byte == UInt8(ascii: "\"") { bytes.append(byte) }
    bytes.append(byte)
  }
  return String(decoding: bytes, as: UTF8.self) + "\""
}
