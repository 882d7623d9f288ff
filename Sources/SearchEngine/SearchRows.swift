import SQLite

/// Statements that list the rows of `search_entry` that may meet a condition, without testing every text: a superset,
/// most relevant first, which mostly means newest first.
package struct SearchRows: Sendable {
  fileprivate struct Statement {
    /// The collection of all its rows.
    var collection: String
    var sql: String
    var values: [SQLValue]
  }

  fileprivate var statements: [Statement]
  /// Whether they scan all rows regardless of the query: slow, and not selective.
  fileprivate var areWalks = false

  fileprivate init(statements: [Statement], areWalks: Bool = false) {
    (self.statements, self.areWalks) = (statements, areWalks)
  }

  /// The texts of some items.
  ///
  /// - Parameter sql: a statement with one column, the ids.
  package static func items(of collection: String, _ sql: String, _ values: [SQLValue] = []) -> SearchRows {
    // The limit preserves the order, which SQLite may otherwise drop in a join.
    SearchRows(statements: [
      Statement(
        collection: collection,
        sql: """
          SELECT entry.rowid FROM (SELECT * FROM (\(sql)) LIMIT -1) AS wanted
          CROSS JOIN search_entry AS entry ON entry.collection = ? AND entry.item = wanted.id
          """, values: values + [.text(collection)])
    ])
  }

  /// All texts of some collections.
  package static func all(of collections: [String]) -> SearchRows {
    SearchRows(
      statements: collections.map {
        Statement(collection: $0, sql: "SELECT rowid FROM search_entry WHERE collection = ?", values: [.text($0)])
      })
  }

  /// For each item of some collections the text that is not a page, without scanning its pages.
  package static func firstParts(of collections: [String]) -> SearchRows {
    SearchRows(
      statements: collections.map { name in
        Statement(
          collection: name,
          sql: """
            WITH RECURSIVE item(id) AS (
              SELECT max(item) FROM search_entry WHERE collection = ?1
              UNION ALL
              SELECT (SELECT max(item) FROM search_entry WHERE collection = ?1 AND item < id) FROM item WHERE id IS NOT NULL
            )
            SELECT entry.rowid FROM item
            CROSS JOIN search_entry AS entry ON entry.collection = ?1 AND entry.item = item.id AND entry.part = 0
            """, values: [.text(name)])
      }, areWalks: true)
  }

  package static func + (left: SearchRows, right: SearchRows) -> SearchRows {
    SearchRows(statements: left.statements + right.statements, areWalks: left.areWalks || right.areWalks)
  }
}

/// The rows that pass a filter, as far as they were listed.
struct SelectedRows: Sendable {
  /// The most rows that are listed by one statement.
  static let most = 10_000
  /// A number of rows that is listed within a millisecond, before anything else is known about a query.
  static let few = 200

  /// Newest first, without duplicates.
  var rows: [Int64]
  /// Whether these are all rows.
  var isWhole: Bool
  /// The same by collection.
  private let parts: [String: [Int64]]

  /// Lists the rows by the alternative with the fewest rows. Nil if there is no alternative.
  ///
  /// - Parameter most: the most rows of one statement.
  init?(_ condition: SearchCondition, most: Int = most, in db: Database) throws {
    var best: ListedRows?
    for way in condition.rows.filter({ !$0.areWalks }) + condition.rows.filter(\.areWalks) {
      // A scan reads all rows: the rows of another alternative are tested faster.
      if way.areWalks, best?.isWhole == true { break }
      // An alternative with more rows than another one gains nothing.
      let limit = best.map { $0.isWhole ? $0.count : most } ?? most
      var listed = ListedRows()
      for statement in way.statements where listed.isWhole || best?.isWhole != true {
        var rows: [Int64] = []
        try db.each("SELECT * FROM (\(statement.sql)) LIMIT \(limit + 1)", statement.values) { row in
          rows.append(row.integer(0))
        }
        listed.isWhole = listed.isWhole && rows.count <= limit
        listed.parts[statement.collection, default: []].formUnion(rows)
      }
      let isFewer = listed.count < best?.count ?? .max
      if best?.isWhole == true ? listed.isWhole && isFewer : listed.isWhole || listed.count > 0 { best = listed }
    }
    guard let best else { return nil }
    isWhole = best.isWhole
    parts = best.parts.mapValues { $0.sorted(by: >) }
    rows = parts.count == 1 ? parts.values.first ?? [] : parts.values.joined().sorted(by: >)
  }

  private struct ListedRows {
    /// A text belongs to one collection.
    var parts: [String: Set<Int64>] = [:]
    var isWhole = true
    var count: Int { parts.values.reduce(0) { $0 + $1.count } }
  }

  /// The rows of some collections; nil means all.
  func rows(of collections: [String]?) -> [Int64] {
    guard let collections else { return rows }
    let wanted = collections.compactMap { parts[$0] }
    return wanted.count == 1 ? wanted[0] : wanted.joined().sorted(by: >)
  }
}

/// The rows that pass a filter, listed on first use and then cached: for one query in one snapshot.
package struct FilterRows: Sendable {
  package let condition: SearchCondition
  private var few: SelectedRows??
  private var listed: SelectedRows??

  package init(_ condition: SearchCondition) {
    self.condition = condition
  }

  /// All rows; nil if they are not few.
  mutating func few(in db: Database) throws -> SelectedRows? {
    let rows = try few ?? SelectedRows(condition, most: SelectedRows.few, in: db)
    few = .some(rows)
    return rows?.isWhole == true ? rows : nil
  }

  /// Whether an alternative exists that depends on the query.
  var areAsked: Bool { condition.rows.contains { !$0.areWalks } }

  /// All rows, if they were already listed.
  var known: SelectedRows? { listed.flatMap(\.self).flatMap { $0.isWhole ? $0 : nil } }

  mutating func selected(in db: Database) throws -> SelectedRows? {
    let rows = try listed ?? SelectedRows(condition, in: db)
    listed = .some(rows)
    return rows
  }
}
