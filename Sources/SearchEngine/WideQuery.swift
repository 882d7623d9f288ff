/// A question with beginnings of words that stand in very many places. One letter of Han, kana or Hangul is such a
/// beginning, too: of all the pairs that it stands in first.
///
/// FTS5 merges the places of all words with a beginning before it gives the first row: `b*` takes two thirds of a second in
/// a million pages, however few rows are wanted. So where a beginning is wide the question is asked in two ways that are
/// bounded, and what they find is put together:
///
///     known     the word itself, and what begins so in titles, which have their own lists
///     newest    the question without the beginning; the newest texts with that are looked through for it
///
///     b*              known: b, title:b*             newest: all texts, that have b*
///     책              known: 책 that ends a word,    newest: all texts, that have 책
///                            title:책
///     river b*        known: river (b OR title:b*)   newest: river, that have b*
///     river NOT b*    known: nothing                 newest: river, that do not have b*
///
/// Nothing is found that the question does not find. Of older texts some may be missing, unless so few have the rest of the
/// question that all of them were looked through.
struct WideQuery {
  /// Texts to look through.
  struct Look {
    /// What the index is asked; nil is everything.
    var words: MatchQuery?
    /// What is looked up in the texts: `texts` is their row of `search_body`.
    var condition: SearchCondition
  }

  /// Nil where what is known without the beginnings says nothing.
  let known: MatchQuery?
  let looks: [Look]
  /// Whether both ways together find whatever the question finds, were there no bounds.
  let isComplete: Bool

  /// So many alternatives are looked for one by one.
  private static let mostLooks = 4

  /// Nil where the index can be asked as it stands: no beginning is wide, or one stands where neither way knows it.
  ///
  /// - Parameter part: every term must be in this part.
  init?(_ query: MatchQuery, widths: PrefixWidths, part: SearchPart? = nil) throws {
    guard let root = query.root else { return nil }
    let wide = try widths.wide(among: root.prefixes)
    if wide.isEmpty { return nil }
    let known = root.known(without: wide)
    let alternatives = if case .or(let nodes) = root { nodes.filter { $0.has(wide) } } else { [root] }
    let looks = alternatives.prefix(Self.mostLooks).compactMap { alternative -> Look? in
      var rest = Remainder(part: part)
      guard rest.take(alternative, wide) else { return nil }
      return Look(words: rest.node.map(MatchQuery.init), condition: .all(rest.conditions))
    }
    if known == nil, looks.isEmpty { return nil }
    self.known = known.map(MatchQuery.init)
    self.looks = looks
    isComplete = looks.count == alternatives.count
  }
}

/// What is left of a question without its wide beginnings, and these as conditions on the texts.
private struct Remainder {
  let part: SearchPart?
  private var wanted: [MatchQuery.Node] = []
  private var unwanted: [MatchQuery.Node] = []
  private(set) var conditions: [SearchCondition] = []

  init(part: SearchPart?) {
    self.part = part
  }

  /// Everything but what is unwanted has no name: then each text is looked at, and nothing left out beforehand.
  var node: MatchQuery.Node? {
    guard let first = wanted.first else { return nil }
    let all = wanted.count == 1 ? first : .and(wanted)
    return unwanted.isEmpty ? all : .without(all, unwanted.count == 1 ? unwanted[0] : .or(unwanted))
  }

  /// False where a beginning stands so deep that it is no condition on a whole text.
  mutating func take(_ node: MatchQuery.Node, _ wide: Set<String>) -> Bool {
    switch node {
    case _ where !node.has(wide): wanted.append(node)
    case .term(let term):
      conditions.append(begins(term))
      // A phrase is looked for by the words before the last.
      if let words = term.withoutLast { wanted.append(.term(words)) }
    case .and(let nodes): return nodes.allSatisfy { take($0, wide) }
    case .or(let nodes):
      // An alternative that is not wide is known.
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
      // Without anything wanted the index is not asked, and would not leave these out.
      return unwanted.isEmpty || !wanted.isEmpty
    case .within: wanted.append(node)
    }
    return true
  }

  /// What the index is asked for by `"words" *`.
  private func begins(_ term: MatchQuery.Term) -> SearchCondition {
    let columns = part.map { "texts.\($0.rawValue)" } ?? "texts.title, texts.body, texts.tags"
    return SearchCondition("cp_begins(?, \(columns))", [.text(term.text)])
  }
}

extension MatchQuery.Term {
  /// The same, looked for in titles alone but for the word itself.
  fileprivate var goingOnInTitles: MatchQuery.Term {
    var term = self
    term.goesOnInTitles = true
    return term
  }

  /// The words before the last; nil where there is none.
  fileprivate var withoutLast: MatchQuery.Term? {
    guard let last = TextUnits(text).units.last else { return nil }
    return MatchQuery.Term(String(decoding: Array(text.utf8)[..<last.range.lowerBound], as: UTF8.self), endsRun: true)
  }

  /// As many words as can be looked up in a text, of which the last goes on in any text.
  fileprivate var goesOnEverywhere: Bool {
    (isPrefix || mayBeginPair) && !goesOnInTitles && !inTitle && units <= MatchQuery.lookedUpUnits
  }
}

extension MatchQuery.Node {
  fileprivate var onlyTerm: MatchQuery.Term? { if case .term(let term) = self { term } else { nil } }

  fileprivate var alternatives: [MatchQuery.Node] { if case .or(let nodes) = self { nodes } else { [self] } }

  /// The terms that go on in every text.
  fileprivate var prefixes: [MatchQuery.Term] {
    switch self {
    case .term(let term): term.goesOnEverywhere ? [term] : []
    case .and(let nodes), .or(let nodes): nodes.flatMap(\.prefixes)
    case .without(let wanted, let unwanted): wanted.prefixes + unwanted.prefixes
    case .within: []
    }
  }

  fileprivate func has(_ wide: Set<String>) -> Bool { prefixes.contains { wide.contains($0.text) } }

  /// What is surely found; nil where nothing is.
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
      // What has none of a few words may have one of the others.
      if unwanted.has(wide) { return nil }
      return wanted.known(without: wide).map { .without($0, unwanted) }
    case .within: return self
    }
  }
}
