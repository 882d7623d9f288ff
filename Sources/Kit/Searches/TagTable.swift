import SQLite
import SearchEngine
import Store
import Wire

/// A table with a row for each item and each of its tags, folded, from which `tag:` is answered.
///
/// `/` nests: the tag `a` also finds the items with `a/b`.
package struct TagTable: Sendable {
  private let collection: String
  private let items: String
  private let table: String
  private let item: String
  private let tag: String
  private let condition: String

  /// - Parameters:
  ///   - type: the items, which have their tags in the column `tags`.
  ///   - item: the column with the id of the item.
  ///   - tag: the column with the folded tag.
  ///   - condition: SQL for the rows that are tags; nil if all are.
  package init<Item: StoredItem>(
    _ table: String, of type: Item.Type, item: String, tag: String = "tag", where condition: String? = nil
  ) {
    (collection, items) = (Item.collectionName, Item.tableName)
    (self.table, self.item, self.tag) = (table, item, tag)
    self.condition = condition.map { "\($0) AND " } ?? ""
  }

  /// The condition for items with a folded tag or one below it.
  package func tagged(_ folded: String) -> SearchCondition {
    let below = FoldedTag(folded).below
    // With `+`, SQLite reads the few tags of the item instead of all items with a tag below.
    return SearchCondition(
      """
      EXISTS (SELECT 1 FROM \(table) WHERE \(item) = entry.item AND \(condition)(+\(tag) = ? OR +\(tag) >= ? AND +\(tag) < ?))
      """, [.text(folded), .text(below.lowerBound), .text(below.upperBound)],
      rows: .items(
        of: collection,
        """
        SELECT \(item) AS id FROM \(table) WHERE \(condition)\(tag) = ? UNION ALL
        SELECT DISTINCT \(item) FROM \(table) AS below WHERE \(condition)\(tag) >= ? AND \(tag) < ? AND NOT EXISTS (
          SELECT 1 FROM \(table) AS same WHERE \(condition)same.\(tag) = ? AND same.\(item) = below.\(item))
        """, [.text(folded), .text(below.lowerBound), .text(below.upperBound), .text(folded)]))
  }

  /// The same for lists, as a condition on `id`.
  package func condition(of name: String) -> (sql: String, values: [SQLValue]) {
    let folded = foldedText(name)
    let below = FoldedTag(folded).below
    return (
      "id IN (SELECT \(item) FROM \(table) WHERE \(condition)(\(tag) = ? OR \(tag) >= ? AND \(tag) < ?))",
      [.text(folded), .text(below.lowerBound), .text(below.upperBound)]
    )
  }

  /// Tags with a folded prefix, most used first.
  ///
  /// - Throws: `DatabaseError`.
  package func tags(beginning: String, limit: Int, in snapshot: Snapshot) throws -> [ExistingTag] {
    try ExistingTag.all(
      beginning: beginning, limit: limit, in: snapshot,
      """
      SELECT folded,
        (SELECT value FROM \(items), json_each(\(items).tags) WHERE \(items).id = some AND fold(value) = folded), count
      FROM (
        SELECT \(tag) AS folded, max(\(item)) AS some, count(*) AS count FROM \(table)
        WHERE \(condition)\(tag) >= ? AND \(tag) < ? GROUP BY \(tag) ORDER BY count(*) DESC, \(tag) LIMIT ?)
      """)
  }
}
