import CTokenizer

/// The positions of a query's words in an original text.
///
/// FTS5's `highlight()` and `snippet()` cannot be used: they skip colocated tokens. So the texts of one page of hits
/// are scanned once more, by the same tokenizer as the index.
package struct TextRanges: Sendable {
  /// Byte ranges of the text in UTF-8; ascending, neither overlapping nor empty, never within a character or a
  /// combining sequence. A prefix match covers the whole word.
  package let ranges: [Range<Int>]
  /// For each range the query terms that occur there: several if their matches overlap.
  package let terms: [MatchedTerms]

  /// - Parameter isTitle: whether incomplete input is highlighted too, since it matches titles.
  package init(of query: MatchQuery, in text: String, isTitle: Bool = false) {
    self.init(of: QueryWords(of: query, inTitles: isTitle), in: text, isTitle: isTitle)
  }

  /// - Parameter isTitle: the same, for words that were prepared for titles.
  package init(of query: QueryWords, in text: String, isTitle: Bool = false) {
    let typed = isTitle ? query.typed : []
    guard !query.words.isEmpty else {
      (ranges, terms) = ([], [])
      return
    }
    let units = typed.isEmpty ? TextUnits(text, having: query.units) : TextUnits(text)
    (ranges, terms) = Self.merge(
      query.words.flatMap { words in
        Self.find(words.units, isPrefix: words.isPrefix, in: units).map { ($0, words.term) }
      }
        + typed.flatMap { words in Self.find(typed: words.units, in: units).map { ($0, words.term) } })
  }

  /// Matches incomplete Korean syllables with those that complete them; words must be equal.
  private static func find(typed wanted: TextUnits, in text: TextUnits) -> [Range<Int>] {
    let count = wanted.units.count
    guard count > 0, count <= text.units.count else { return [] }
    return (0...(text.units.count - count)).compactMap { start in
      for offset in 0..<count {
        if offset > 0, text.units[start + offset].glued != wanted.units[offset].glued { return nil }
        guard
          text.isSame(start + offset, as: wanted, offset)
            || text.completes(start + offset, wanted, offset, isLast: offset == count - 1)
        else { return nil }
      }
      return text.units[start].range.lowerBound..<text.units[start + count - 1].range.upperBound
    }
  }

  /// - Parameter text: may have gaps where it has none of these words.
  private static func find(_ wanted: TextUnits, isPrefix: Bool, in text: TextUnits) -> [Range<Int>] {
    let count = wanted.units.count
    guard count > 0, count <= text.units.count else { return [] }
    return (0...(text.units.count - count)).compactMap { start in
      var found: Range<Int>?
      for offset in 0..<count {
        guard text.units[start + offset].place == text.units[start].place + offset else { return nil }
        // Letters that are joined in the query must be joined in the text, and vice versa; but the query may begin
        // inside a run.
        if offset > 0, text.units[start + offset].glued != wanted.units[offset].glued { return nil }
        let mayGoOn = isPrefix && offset == count - 1
        guard let range = text.range(at: start + offset, of: wanted, offset, mayGoOn: mayGoOn) else { return nil }
        found = (found ?? range).lowerBound..<range.upperBound
      }
      return found
    }
  }

  private static func merge(_ found: [(range: Range<Int>, terms: MatchedTerms)]) -> ([Range<Int>], [MatchedTerms]) {
    var merged: [Range<Int>] = []
    var mergedTerms: [MatchedTerms] = []
    for (range, terms) in found.sorted(by: {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }) {
      if let last = merged.last, range.lowerBound < last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
        mergedTerms[merged.count - 1].formUnion(terms)
      } else {
        merged.append(range)
        mergedTerms.append(terms)
      }
    }
    return (merged, mergedTerms)
  }
}
