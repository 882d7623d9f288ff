/// A query with frequent prefixes. A single Han, kana or Hangul letter is such a prefix, too: of all pairs in which it
/// comes first.
///
/// FTS5 merges the positions of all words with a prefix before it returns the first row: `b*` takes two thirds of a
/// second in a million pages, however few rows are requested. So a query with a frequent prefix is replaced by two
/// bounded ones, and their results are combined:
///
///     known     the word itself, and the prefix in titles, which have their own lists
///     newest    the query without the prefix; the newest texts that match it are scanned for the prefix
///
///     b*              known: b, title:b*             newest: all texts, that have b*
///     책              known: 책 that ends a word,    newest: all texts, that have 책
///                            title:책
///     river b*        known: river (b OR title:b*)   newest: river, that have b*
///     river NOT b*    known: nothing                 newest: river, that do not have b*
///
/// Every result matches the query. Older texts may be missing, unless so few match the rest of the query that all of
/// them were scanned.
struct FrequentPrefixQuery {
  /// Texts to scan.
  struct TextScan {
    /// The index query; nil means all texts.
    var words: MatchQuery?
    /// The condition for the scan: `texts` is their row of `search_body`.
    var condition: SearchCondition
  }

  /// Nil if the query without the frequent prefixes has no certain matches.
  let known: MatchQuery?
  let scans: [TextScan]
  /// Whether both parts together match everything that the query matches, apart from the limits.
  let isComplete: Bool

  /// The most alternatives that are scanned separately.
  private static let mostScans = 4

  /// Nil if the index can run the query unchanged: it has no frequent prefix, or one in a position that neither part
  /// supports.
  ///
  /// - Parameter part: every term must be in this part.
  init?(_ query: MatchQuery, frequencies: PrefixFrequencies, part: SearchPart? = nil) throws {
    guard let root = query.root else { return nil }
    let wide = try frequencies.wide(among: root.prefixes)
    if wide.isEmpty { return nil }
    let known = root.known(without: wide)
    let alternatives = if case .or(let nodes) = root { nodes.filter { $0.has(wide) } } else { [root] }
    let scans = alternatives.prefix(Self.mostScans).compactMap { alternative -> TextScan? in
      var rest = Remainder(part: part)
      guard rest.take(alternative, wide) else { return nil }
      return TextScan(words: rest.node.map(MatchQuery.init), condition: .all(rest.conditions))
    }
    if known == nil, scans.isEmpty { return nil }
    self.known = known.map(MatchQuery.init)
    self.scans = scans
    isComplete = scans.count == alternatives.count
  }
}

/// The rest of a query without its frequent prefixes, and these as conditions on the texts.
private struct Remainder {
  let part: SearchPart?
  private var wanted: [MatchQuery.Node] = []
  private var unwanted: [MatchQuery.Node] = []
  private(set) var conditions: [SearchCondition] = []

  init(part: SearchPart?) {
    self.part = part
  }

  /// A query with only exclusions has no node: then each text is scanned, and none is excluded beforehand.
  var node: MatchQuery.Node? {
    guard let first = wanted.first else { return nil }
    let all = wanted.count == 1 ? first : .and(wanted)
    return unwanted.isEmpty ? all : .without(all, unwanted.count == 1 ? unwanted[0] : .or(unwanted))
  }

  /// Returns false if a prefix is nested so deeply that it is no condition on a whole text.
  mutating func take(_ node: MatchQuery.Node, _ wide: Set<String>) -> Bool {
    switch node {
    case _ where !node.has(wide): wanted.append(node)
    case .term(let term):
      conditions.append(begins(term))
      // A phrase is queried by the words before the last.
      if let words = term.withoutLast { wanted.append(.term(words)) }
    case .and(let nodes): return nodes.allSatisfy { take($0, wide) }
    case .or(let nodes):
      // Alternatives without a frequent prefix belong to the known part.
      let terms = nodes.filter { $0.has(wide) }.map(\.onlyTerm)
      guard terms.allSatisfy({ $0 != nil }) else { return false }
      conditions.append(.any(terms.compactMap(\.self).map(begins)))
    case .without(let rest, let others):
      guard take(rest, wide) else { return false }
      for other in others.alternatives {
        if !other.has(wide) {
          unwanted.append(other)
        } else if let term = other.onlyTerm {
          conditions.append(!begins(term))
        } else {
          return false
        }
      }
      // Without a wanted node the index is not queried, and would not apply these exclusions.
      return unwanted.isEmpty || !wanted.isEmpty
    case .within: wanted.append(node)
    }
    return true
  }

  /// The condition for the index query `"words" *`.
  private func begins(_ term: MatchQuery.Term) -> SearchCondition {
    let columns = part.map { "texts.\($0.rawValue)" } ?? "texts.title, texts.body, texts.tags"
    return SearchCondition("cp_begins(?, \(columns))", [.text(term.text)])
  }
}

extension MatchQuery.Term {
  /// The same term, matching as a prefix only in titles.
  fileprivate var goingOnInTitles: MatchQuery.Term {
    var term = self
    term.goesOnInTitles = true
    return term
  }

  /// The words before the last; nil if there is only one.
  fileprivate var withoutLast: MatchQuery.Term? {
    guard let last = TextUnits(text).units.last else { return nil }
    return MatchQuery.Term(String(decoding: Array(text.utf8)[..<last.range.lowerBound], as: UTF8.self), endsRun: true)
  }

  /// Whether it is a prefix term in all parts, short enough to be looked up in a text.
  fileprivate var goesOnEverywhere: Bool {
    (isPrefix || mayBeginPair) && !goesOnInTitles && !inTitle && units <= MatchQuery.lookedUpUnits
  }
}

extension MatchQuery.Node {
  fileprivate var onlyTerm: MatchQuery.Term? { if case .term(let term) = self { term } else { nil } }

  fileprivate var alternatives: [MatchQuery.Node] { if case .or(let nodes) = self { nodes } else { [self] } }

  /// The terms that are prefixes in all parts.
  fileprivate var prefixes: [MatchQuery.Term] {
    switch self {
    case .term(let term): term.goesOnEverywhere ? [term] : []
    case .and(let nodes), .or(let nodes): nodes.flatMap(\.prefixes)
    case .without(let wanted, let unwanted): wanted.prefixes + unwanted.prefixes
    case .within: []
    }
  }

  fileprivate func has(_ wide: Set<String>) -> Bool { prefixes.contains { wide.contains($0.text) } }

  /// The certain part of the query; nil if there is none.
  fileprivate func known(without wide: Set<String>) -> MatchQuery.Node? {
    switch self {
    case _ where !has(wide): return self
    case .term(let term): return .term(term.goingOnInTitles)
    case .and(let nodes):
      let known = nodes.compactMap { $0.known(without: wide) }
      return known.count == nodes.count ? .and(known) : nil
    case .or(let nodes):
      let known = nodes.compactMap { $0.known(without: wide) }
      return known.isEmpty ? nil : .or(known)
    case .without(let wanted, let unwanted):
      // A text without the indexed words may still contain one of the other words with the prefix.
      if unwanted.has(wide) { return nil }
      return wanted.known(without: wide).map { .without($0, unwanted) }
    case .within: return self
    }
  }
}
