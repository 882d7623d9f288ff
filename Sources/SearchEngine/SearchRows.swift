import SQLite

/// Statements that tell the rows of `search_entry` for which a condition may hold, without a look at every text: all for
/// which it does, and maybe others. Those that matter most come first, which mostly are the newest.
package struct SearchRows: Sendable {
  fileprivate struct Statement {
    /// Of what all its rows are.
    var collection: String
    var sql: String
    var values: [SQLValue]
  }

  fileprivate var statements: [Statement]
  /// Whether they walk through all that is there, whatever is asked: slowly, and to say little.
  fileprivate var areWalks = false

  fileprivate init(statements: [Statement], areWalks: Bool = false) {
    (self.statements, self.areWalks) = (statements, areWalks)
  }

  /// The texts of some items.
  ///
  /// - Parameter sql: a statement of one column, the ids.
  package static func items(of collection: String, _ sql: String, _ values: [SQLValue] = []) -> SearchRows {
    // The limit keeps the order, which SQLite may leave out of what is joined.
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

  /// Of each item of some collections the text that is no page, found without going through its pages.
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
  /// The same by collection.
  private let parts: [String: [Int64]]

  /// The fewest that one of the ways to tell them gives. Nil where there is no way.
  ///
  /// - Parameter most: of one statement.
  init?(_ condition: SearchCondition, most: Int = most, in db: Database) throws {
    var best: Told?
    for way in condition.rows.filter({ !$0.areWalks }) + condition.rows.filter(\.areWalks) {
      // A walk goes past everything: what another way tells is looked through sooner.
      if way.areWalks, best?.isWhole == true { break }
      // Of a way with more than were found by another nothing is gained.
      let limit = best.map { $0.isWhole ? $0.count : most } ?? most
      var told = Told()
      for statement in way.statements where told.isWhole || best?.isWhole != true {
        var rows: [Int64] = []
        try db.each("SELECT * FROM (\(statement.sql)) LIMIT \(limit + 1)", statement.values) { row in
          rows.append(row.integer(0))
        }
        told.isWhole = told.isWhole && rows.count <= limit
        told.parts[statement.collection, default: []].formUnion(rows)
      }
      let isFewer = told.count < best?.count ?? .max
      if best?.isWhole == true ? told.isWhole && isFewer : told.isWhole || told.count > 0 { best = told }
    }
    guard let best else { return nil }
    isWhole = best.isWhole
    parts = best.parts.mapValues { $0.sorted(by: >) }
    rows = parts.count == 1 ? parts.values.first ?? [] : parts.values.joined().sorted(by: >)
  }

  private struct Told {
    /// A text is of one collection.
    var parts: [String: Set<Int64>] = [:]
    var isWhole = true
    var count: Int { parts.values.reduce(0) { $0 + $1.count } }
  }

  /// Those of some collections; nil is all.
  func rows(of collections: [String]?) -> [Int64] {
    guard let collections else { return rows }
    let wanted = collections.compactMap { parts[$0] }
    return wanted.count == 1 ? wanted[0] : wanted.joined().sorted(by: >)
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

  /// Whether they are told by what is asked for.
  var areAsked: Bool { condition.rows.contains { !$0.areWalks } }

  /// All of them, if that was told already.
  var known: SelectedRows? { told.flatMap(\.self).flatMap { $0.isWhole ? $0 : nil } }

  mutating func selected(in db: Database) throws -> SelectedRows? {
    let rows = try told ?? SelectedRows(condition, in: db)
    told = .some(rows)
    return rows
  }
}
