/// What must hold of a text beside its words, in SQL: `entry` is its row of `search_entry`.
package struct SearchCondition: Sendable {
  package var sql: String
  /// For the places of `sql`, in their order.
  package var values: [SQLValue]

  package init(_ sql: String, _ values: [SQLValue] = []) {
    self.sql = sql
    self.values = values
  }

  /// A text of one of these collections.
  package static func within(_ collections: [String]) -> SearchCondition {
    let places = collections.map { _ in "?" }.joined(separator: ", ")
    return SearchCondition("entry.collection IN (\(places))", collections.map { .text($0) })
  }

  /// True where there is none.
  package static func all(_ conditions: [SearchCondition]) -> SearchCondition {
    joined(conditions, by: " AND ", none: "1")
  }

  /// False where there is none.
  package static func any(_ conditions: [SearchCondition]) -> SearchCondition {
    joined(conditions, by: " OR ", none: "0")
  }

  package static prefix func ! (condition: SearchCondition) -> SearchCondition {
    // What a column does not say is not so.
    SearchCondition("NOT ifnull((\(condition.sql)), 0)", condition.values)
  }

  private static func joined(_ conditions: [SearchCondition], by word: String, none: String) -> SearchCondition {
    if conditions.isEmpty { return SearchCondition(none) }
    if conditions.count == 1 { return conditions[0] }
    return SearchCondition(
      "(" + conditions.map { "(\($0.sql))" }.joined(separator: word) + ")", conditions.flatMap(\.values))
  }

  /// The condition on a row of the index.
  static func clause(_ condition: SearchCondition?) -> String {
    guard let condition else { return "" }
    return """
       AND EXISTS (SELECT 1 FROM search_entry AS entry WHERE entry.rowid = search_text.rowid AND (\(condition.sql)))
      """
  }
}
