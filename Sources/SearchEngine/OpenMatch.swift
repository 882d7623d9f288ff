import SQLite

/// Where a statement finds texts that match.
struct MatchedTexts {
  /// What they are taken from.
  var texts: String
  /// What stands behind that.
  var filter: String
  var values: [SQLValue]
  /// The column of their rows.
  var row: String
  /// The column of their scores, and what stands for the places in it.
  var score: String
  var scoreValues: [SQLValue]
}

extension MatchExpression {
  /// Those of a piece for which a condition holds.
  ///
  /// Where every text of some collections matches, the index says no more than the texts' own rows, and those of the piece
  /// are known: it is not asked.
  func texts(in piece: RowPiece, where condition: SearchCondition?) -> MatchedTexts {
    let others = condition?.values ?? []
    guard let open, let named = piece.named else {
      return MatchedTexts(
        texts: "search_text", filter: "WHERE search_text MATCH ?" + piece.clause + SearchCondition.clause(condition),
        values: [.text(match)] + piece.values + others, row: "search_text.rowid", score: SearchIndex.score,
        scoreValues: [.text(strengths)])
    }
    let places = open.map { _ in "?" }.joined(separator: ", ")
    let texts = "json_each(?) AS named CROSS JOIN search_entry AS entry ON entry.rowid = named.value"
    return MatchedTexts(
      texts: texts, filter: "WHERE entry.collection IN (\(places)) AND (\(condition?.sql ?? "1"))",
      values: [named] + open.map { .text($0) } + others, row: "entry.rowid", score: "0.0", scoreValues: [])
  }
}
