import SQLite

/// What must hold of a text beside its words, in SQL: `entry` is its row of `search_entry`.
package struct SearchCondition: Sendable {
  package var sql: String
  /// For the places of `sql`, in their order.
  package var values: [SQLValue]
  /// Ways to tell the texts for which it holds, of which each tells all of them; none where every text must be looked at.
  package private(set) var rows: [SearchRows]
  /// The same for those for which it does not hold.
  package private(set) var others: [SearchRows]

  package init(_ sql: String, _ values: [SQLValue] = [], rows: SearchRows? = nil, others: SearchRows? = nil) {
    self.init(sql, values, rows.map { [$0] } ?? [], others.map { [$0] } ?? [])
  }

  private init(_ sql: String, _ values: [SQLValue], _ rows: [SearchRows], _ others: [SearchRows]) {
    (self.sql, self.values, self.rows, self.others) = (sql, values, rows, others)
  }

  /// A text of one of these collections.
  package static func within(_ collections: [String]) -> SearchCondition {
    let places = collections.map { _ in "?" }.joined(separator: ", ")
    return SearchCondition(
      "entry.collection IN (\(places))", collections.map { .text($0) }, rows: .all(of: collections))
  }

  /// True where there is none.
  package static func all(_ conditions: [SearchCondition]) -> SearchCondition {
    joined(conditions, by: " AND ", none: "1", rows: conditions.flatMap(\.rows), others: together(conditions, \.others))
  }

  /// False where there is none.
  package static func any(_ conditions: [SearchCondition]) -> SearchCondition {
    joined(conditions, by: " OR ", none: "0", rows: together(conditions, \.rows), others: conditions.flatMap(\.others))
  }

  package static prefix func ! (condition: SearchCondition) -> SearchCondition {
    // What a column does not say is not so.
    SearchCondition("NOT ifnull((\(condition.sql)), 0)", condition.values, condition.others, condition.rows)
  }

  private static func joined(
    _ conditions: [SearchCondition], by word: String, none: String, rows: [SearchRows], others: [SearchRows]
  ) -> SearchCondition {
    if conditions.isEmpty { return SearchCondition(none) }
    if conditions.count == 1 { return conditions[0] }
    return SearchCondition(
      "(" + conditions.map { "(\($0.sql))" }.joined(separator: word) + ")", conditions.flatMap(\.values), rows, others)
  }

  /// What one of several leaves: of each the last way, which says most. None where one of them has no way.
  private static func together(
    _ conditions: [SearchCondition], _ rows: (SearchCondition) -> [SearchRows]
  ) -> [SearchRows] {
    let ways = conditions.compactMap { rows($0).last }
    guard ways.count == conditions.count, let first = ways.first else { return [] }
    return [ways.dropFirst().reduce(first, +)]
  }

  /// The condition on a row of the index.
  static func clause(_ condition: SearchCondition?) -> String {
    guard let condition else { return "" }
    return """
       AND EXISTS (SELECT 1 FROM search_entry AS entry WHERE entry.rowid = search_text.rowid AND (\(condition.sql)))
      """
  }
}
