import CTokenizer
import SQLite

/// A text that is looked for anywhere within others, in parts that the index knows.
///
/// The index has whole words, and every substring of a run of Han, kana or Hangul. A text that holds the query has all
/// of these: the query's runs, its words that blanks or such letters bound, and for each word at its edges some word that
/// goes on there. So the index leaves few texts to look at, and loses none.
package struct SubstringQuery: Sendable {
  /// A word of the query, and whether it may go on at either side in the text.
  package struct Word: Sendable, Equatable {
    package var text: String
    package var isOpenBefore: Bool
    package var isOpenBehind: Bool
  }

  /// As texts are compared with it, `instr(fold(text), folded)`.
  package let folded: String
  package private(set) var words: [Word] = []
  /// Letters that stand together.
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
            isOpenBehind: !(precedesLetter || end < bytes.count && bytes[end] == blank)))
      default: endRun()
      }
    }
    endRun()
  }

  /// What a text that holds the query surely has. `forms` are all words that each word may be, nil where they are too
  /// many. The match is nil where nothing is sure, and texts must be looked at one by one.
  package func match(forms: [[String]?]) -> MatchQuery? {
    var nodes = runs.prefix(MatchQuery.maximumTerms / 2).compactMap { run in
      MatchQuery.Term(String(run.unicodeScalars.prefix(Self.runLength))).map(MatchQuery.Node.term)
    }
    for forms in forms.prefix(MatchQuery.maximumTerms / 2) {
      guard let forms else { continue }
      // No text has such a word, so none has the query.
      if forms.isEmpty { return MatchQuery(.or([])) }
      nodes.append(.or(forms.compactMap { MatchQuery.Term($0).map(MatchQuery.Node.term) }))
    }
    return nodes.isEmpty ? nil : MatchQuery(.and(nodes))
  }

  private static let runLength = 64
  /// The index is asked for no more of a run than `runLength`.
  private static let sureLength = 32

  /// Whether the index finds the texts that hold the query and no others: of a short run of Hangul, for it takes kana and
  /// Han letters for others that read the same.
  package var isSure: Bool {
    runs == [folded] && folded.unicodeScalars.count <= Self.sureLength
      && folded.unicodeScalars.allSatisfy(HangulSpacing.isHangul)
  }
}

private let blank = UInt8(ascii: " ")

extension SearchIndex {
  /// The words of a folded text, as the index knows them.
  package static func words(ofFolded text: String) -> [String] {
    let bytes = Array(text.utf8)
    return TextUnits(text).units.lazy.filter { $0.kind == CP_KIND_WORD }
      .map { String(decoding: bytes[$0.range], as: UTF8.self) }
  }

  /// All items of a collection of which a text matches, in no order; nil while the index cannot be asked, and where it
  /// would have to read the places of too many words: see `WideQuery`.
  package static func items(
    matching query: MatchQuery, of collection: String, in db: Database
  ) throws -> [String]? {
    guard try state(of: db).isReadable else { return nil }
    guard let expression = MatchExpression(query, collections: [collection]), !query.findsNothing else { return [] }
    // To read all texts of a collection takes longer than to merge ten times what a question may.
    if try WideQuery(query, widths: PrefixWidths(db: db, most: PrefixWidths.most * 10)) != nil { return nil }
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
