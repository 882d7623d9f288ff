import CTokenizer
import SQLite

/// A substring query, split into parts that the index can match.
///
/// The index has whole words, and every substring of a run of Han, kana or Hangul. A text that contains the query
/// contains all of these: the query's runs, its words that are bounded by blanks or such letters, and for each word at
/// its edges some longer word. So the index leaves few texts to test, and loses none.
package struct SubstringQuery: Sendable {
  /// A word of the query, and whether it may be part of a longer word at either side.
  package struct Word: Sendable, Equatable {
    package var text: String
    package var isOpenBefore: Bool
    package var isOpenAfter: Bool
  }

  /// The text for the comparison `instr(fold(text), folded)`.
  package let folded: String
  package private(set) var words: [Word] = []
  /// Runs of adjacent letters.
  package private(set) var runs: [String] = []

  package init(_ text: String) {
    folded = foldedText(text)
    let bytes = Array(folded.utf8)
    let units = TextUnits(folded).units
    var run = 0..<0
    func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    func endRun() {
      if !run.isEmpty { runs.append(part(run)) }
      run = 0..<0
    }
    for (index, unit) in units.enumerated() {
      switch unit.kind {
      case CP_KIND_LETTER:
        if !unit.glued { endRun() }
        run = (run.isEmpty ? unit.range.lowerBound : run.lowerBound)..<unit.range.upperBound
      case CP_KIND_WORD:
        endRun()
        let (start, end) = (unit.range.lowerBound, unit.range.upperBound)
        // Punctuation may belong to a word on one side of it and not on the other.
        let followsLetter =
          index > 0 && units[index - 1].kind == CP_KIND_LETTER && units[index - 1].range.upperBound == start
        let precedesLetter =
          index + 1 < units.count && units[index + 1].kind == CP_KIND_LETTER && units[index + 1].range.lowerBound == end
        words.append(
          Word(
            text: part(unit.range), isOpenBefore: !(followsLetter || start > 0 && bytes[start - 1] == blank),
            isOpenAfter: !(precedesLetter || end < bytes.count && bytes[end] == blank)))
      default: endRun()
      }
    }
    endRun()
  }

  /// A query that every text with the substring matches. `forms` are all possible words for each word, nil if they are
  /// too many. Returns nil if there is no such query, and texts must be tested one by one.
  package func match(forms: [[String]?]) -> MatchQuery? {
    var nodes = runs.prefix(MatchQuery.maximumTerms / 2).compactMap { run in
      MatchQuery.Term(String(run.unicodeScalars.prefix(Self.runLength))).map(MatchQuery.Node.term)
    }
    for forms in forms.prefix(MatchQuery.maximumTerms / 2) {
      guard let forms else { continue }
      // No text has such a word, so none contains the query.
      if forms.isEmpty { return MatchQuery(.or([])) }
      nodes.append(.or(forms.compactMap { MatchQuery.Term($0).map(MatchQuery.Node.term) }))
    }
    return nodes.isEmpty ? nil : MatchQuery(.and(nodes))
  }

  private static let runLength = 64
  /// Longer runs are only matched up to `runLength`.
  private static let sureLength = 32

  /// Whether the index matches exactly the texts with the substring: for a short run of Hangul only, since it folds
  /// kana and Han characters.
  package var isSure: Bool {
    runs == [folded] && folded.unicodeScalars.count <= Self.sureLength
      && folded.unicodeScalars.allSatisfy(HangulSpacing.isHangul)
  }
}

private let blank = UInt8(ascii: " ")

extension SearchIndex {
  /// The words of a folded text, as the index splits it.
  package static func words(ofFolded text: String) -> [String] {
    let bytes = Array(text.utf8)
    return TextUnits(text).units.lazy.filter { $0.kind == CP_KIND_WORD }
      .map { String(decoding: bytes[$0.range], as: UTF8.self) }
  }

  /// All items of a collection with a matching text, in no order; nil if the index cannot be used, or would have to
  /// read the positions of too many words: see `FrequentPrefixQuery`.
  ///
  /// - Throws: `DatabaseError`.
  package static func items(
    matching query: MatchQuery, of collection: String, in db: Database
  ) throws -> [String]? {
    guard try state(of: db).isReadable else { return nil }
    guard let expression = MatchExpression(query, collections: [collection]), !query.findsNothing else { return [] }
    // Reading all texts of a collection takes longer than merging ten times the usual limit.
    let frequencies = PrefixFrequencies(db: db, most: PrefixFrequencies.most * 10)
    if try FrequentPrefixQuery(query, frequencies: frequencies) != nil { return nil }
    return try db.texts(
      """
      SELECT DISTINCT item FROM search_text CROSS JOIN search_entry ON search_entry.rowid = search_text.rowid
      WHERE search_text MATCH ?
      """, [.text(expression.match)])
  }
}

extension MatchQuery {
  fileprivate var findsNothing: Bool {
    if case .or(let nodes) = root { nodes.isEmpty } else { false }
  }
}
