import SQLite

/// The SQL pieces of a statement that finds matching texts.
struct MatchedTexts {
  /// The FROM clause.
  var texts: String
  /// The clauses after FROM.
  var filter: String
  var values: [SQLValue]
  /// The column with their rows.
  var row: String
  /// The column with their scores, and the values of its parameters.
  var score: String
  var scoreValues: [SQLValue]
}

extension MatchExpression {
  /// The matching texts of a piece that meet a condition.
  ///
  /// If every text of some collections matches and the rows of the piece are known, the index adds nothing to the
  /// texts' own rows: it is not queried.
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
