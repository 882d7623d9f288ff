import SQLite

/// A condition on a text in addition to its words, in SQL: `entry` is its row of `search_entry`.
package struct SearchCondition: Sendable {
  package var sql: String
  /// For the parameters of `sql`, in their order.
  package var values: [SQLValue]
  /// Alternative statements that list the texts meeting the condition, each of them completely; empty if every text
  /// must be tested.
  package private(set) var rows: [SearchRows]
  /// The same for texts that do not meet it.
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

  /// True for an empty list.
  package static func all(_ conditions: [SearchCondition]) -> SearchCondition {
    joined(conditions, by: " AND ", none: "1", rows: conditions.flatMap(\.rows), others: together(conditions, \.others))
  }

  /// False for an empty list.
  package static func any(_ conditions: [SearchCondition]) -> SearchCondition {
    joined(conditions, by: " OR ", none: "0", rows: together(conditions, \.rows), others: conditions.flatMap(\.others))
  }

  package static prefix func ! (condition: SearchCondition) -> SearchCondition {
    // NULL counts as false, so its negation is true.
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

  /// The rows that any of several conditions passes: combines the last, most selective alternative of each. Empty if
  /// one of them has no alternative.
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
