import GRDB

/// Statements that tell the rows of `search_entry` for which a condition may hold, without a look at every text: all for
/// which it does, and maybe others. Those that matter most come first, which mostly are the newest.
package struct SearchRows: Sendable {
  fileprivate var statements: [(sql: String, values: [SQLValue])]

  /// The texts of some items.
  ///
  /// - Parameter sql: a statement of one column, the ids.
  package static func items(of collection: String, _ sql: String, _ values: [SQLValue] = []) -> SearchRows {
    // The limit keeps the order, which SQLite may leave out of what is joined.
    SearchRows(statements: [
      (
        """
        SELECT entry.rowid FROM (SELECT * FROM (\(sql)) LIMIT -1) AS wanted
        CROSS JOIN search_entry AS entry ON entry.collection = ? AND entry.item = wanted.id
        """, values + [.text(collection)]
      )
    ])
  }

  /// All texts of some collections.
  package static func all(of collections: [String]) -> SearchRows {
    SearchRows(
      statements: collections.map { ("SELECT rowid FROM search_entry WHERE collection = ?", [.text($0)]) })
  }

  /// Of each item of some collections the text that is no page, found without going through its pages.
  package static func firstParts(of collections: [String]) -> SearchRows {
    SearchRows(
      statements: collections.map { name in
        (
          """
          WITH RECURSIVE item(id) AS (
            SELECT max(item) FROM search_entry WHERE collection = ?1
            UNION ALL
            SELECT (SELECT max(item) FROM search_entry WHERE collection = ?1 AND item < id) FROM item WHERE id IS NOT NULL
          )
          SELECT entry.rowid FROM item
          CROSS JOIN search_entry AS entry ON entry.collection = ?1 AND entry.item = item.id AND entry.part = 0
          """, [.text(name)]
        )
      })
  }

  package static func + (left: SearchRows, right: SearchRows) -> SearchRows {
    SearchRows(statements: left.statements + right.statements)
  }
}

/// The rows that a filter leaves, as far as they are told.
struct SelectedRows: Sendable {
  /// Of one statement no more are told.
  static let most = 10_000
  /// So few are told in a millisecond, before anything else is known of a question.
  static let few = 200

  /// The newest first, none twice.
  var rows: [Int64]
  /// Whether these are all that there are.
  var isWhole: Bool

  /// The fewest that one of the ways to tell them gives. Nil where there is no way.
  ///
  /// - Parameter most: of one statement.
  init?(_ condition: SearchCondition, most: Int = most, in db: Database) throws {
    var best: (rows: Set<Int64>, isWhole: Bool)?
    for way in condition.rows {
      // Of a way with more than were found by another nothing is gained.
      let limit = best.map { $0.isWhole ? $0.rows.count : most } ?? most
      var (rows, isWhole) = (Set<Int64>(), true)
      for statement in way.statements where isWhole || best?.isWhole != true {
        var count = 0
        try db.each("SELECT * FROM (\(statement.sql)) LIMIT \(limit + 1)", statement.values) { row in
          count += 1
          rows.insert(row.integer(0))
        }
        isWhole = isWhole && count <= limit
      }
      let isFewer = rows.count < best?.rows.count ?? .max
      if best?.isWhole == true ? isWhole && isFewer : isWhole || !rows.isEmpty { best = (rows, isWhole) }
    }
    guard let best else { return nil }
    rows = best.rows.sorted(by: >)
    isWhole = best.isWhole
  }
}

/// The rows that a filter leaves, told when they are needed first, and then kept: for one question in one state of the
/// library.
package struct FilterRows: Sendable {
  package let condition: SearchCondition
  private var few: SelectedRows??
  private var told: SelectedRows??

  package init(_ condition: SearchCondition) {
    self.condition = condition
  }

  /// All of them; nil where they are not few.
  mutating func few(in db: Database) throws -> SelectedRows? {
    let rows = try few ?? SelectedRows(condition, most: SelectedRows.few, in: db)
    few = .some(rows)
    return rows?.isWhole == true ? rows : nil
  }

  mutating func selected(in db: Database) throws -> SelectedRows? {
    let rows = try told ?? SelectedRows(condition, in: db)
    told = .some(rows)
    return rows
  }
}
