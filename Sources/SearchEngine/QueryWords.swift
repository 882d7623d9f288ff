/// The words of a query, prepared for highlighting in many texts.
package struct QueryWords: Sendable {
  struct Words {
    var units: TextUnits
    var isPrefix: Bool
    /// The term to which they belong, possibly as an alternative spelling.
    var term: MatchedTerms
  }

  let words: [Words]
  /// The words that match titles as incomplete input.
  let typed: [Words]
  /// All of `words`.
  let units: QueryUnits

  /// - Parameter inTitles: whether the texts include titles.
  package init(of query: MatchQuery, inTitles: Bool = true) {
    let terms = query.wantedTerms
    words = terms.enumerated().flatMap { number, term in
      [Words(units: TextUnits(term.text), isPrefix: term.isPrefix, term: MatchedTerms(number))]
        + term.spacings.map { Words(units: TextUnits($0), isPrefix: false, term: MatchedTerms(number)) }
    }
    typed = (inTitles ? terms : []).enumerated().filter(\.element.isTyped).flatMap { number, term in
      term.typedForms.map { Words(units: TextUnits($0), isPrefix: false, term: MatchedTerms(number)) }
    }
    var units = QueryUnits()
    for part in words { units.add(part.units, isPrefix: part.isPrefix) }
    self.units = units
  }
}

extension MatchQuery.Term {
  fileprivate var typedForms: [String] { [text, HangulTyping.movingFinal(of: text)].compactMap(\.self) }
}
