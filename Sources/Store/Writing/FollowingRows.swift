import SQLite
import Wire

/// Rows of another table that follow from each row of a collection: counts, tags, the cards that block others.
///
/// The store writes them with the row itself, in each write alike: of a method, an undo, an archive, another device. A
/// trigger on the table would do the same, but each statement on a table with triggers can be rolled back alone, for
/// which SQLite copies every page that it touches: that took a fifth of the time of an imported entry.
///
/// Both statements are those of a trigger, with `new.` and `old.` before the columns of the row. Without `columns`, only
/// added rows are followed here, and triggers on the columns follow the rare others.
package struct FollowingRows: Sendable {
  struct Statement: Sendable {
    let statement: CachedStatement
    /// The columns that are its parameters, in order.
    let columns: [String]

    init(_ sql: String) {
      var (text, columns): (String, [String]) = ("", [])
      var rest = Substring(sql)
      while let start = rest.firstRange(of: "new.") ?? rest.firstRange(of: "old.") {
        let name = String(rest[start.upperBound...].prefix { $0.isLetter })
        if !columns.contains(name) { columns.append(name) }
        text += rest[..<start.lowerBound] + "?\(columns.firstIndex(of: name)! + 1)"
        rest = rest[start.upperBound...].dropFirst(name.count)
      }
      statement = CachedStatement(text + rest)
      self.columns = columns
    }
  }

  let columns: [String]
  let none: [(column: String, value: SQLValue)]
  let added, removed: [Statement]
  /// A column with a JSON list, for each text of which `added` is run with the text in its place. SQL would read the
  /// list by `json_each`, which costs more than all of its rows.
  private(set) var list: String?

  /// - Parameters:
  ///   - columns: the columns whose change is followed by `removed` with the old row and `added` with the new one.
  ///   - none: the values with which a row has no following rows.
  package init(
    on columns: [String] = [], none: [(column: String, value: SQLValue)] = [], added: [String], removed: [String] = []
  ) {
    self.columns = columns
    self.none = none
    self.added = added.map(Statement.init)
    self.removed = removed.map(Statement.init)
  }

  /// A row for each tag of the column `tags`, folded.
  package static func tags(_ table: String, item: String) -> FollowingRows {
    var tags = FollowingRows(
      on: ["tags"], none: [("tags", .text("[]"))],
      added: ["INSERT OR IGNORE INTO \(table) (tag, \(item)) VALUES (fold(new.tags), new.id)"],
      removed: ["DELETE FROM \(table) WHERE \(item) = old.id"])
    tags.list = "tags"
    return tags
  }
}

/// Following rows with the columns as places of a layout.
struct PlacedFollowingRows: Sendable {
  private let columns: [Int]
  private let none: [(place: Int, value: SQLValue)]
  private let list: Int?
  private let added, removed: [(statement: CachedStatement, places: [Int])]

  typealias Values = (_ place: Int) -> SQLValue

  init(_ following: FollowingRows, in layout: RowLayout) {
    func place(_ column: String) -> Int {
      guard let place = layout.columns.firstIndex(of: column) else {
        preconditionFailure("\(layout.table) has no column \(column)")
      }
      return place
    }
    func placed(_ statements: [FollowingRows.Statement]) -> [(CachedStatement, [Int])] {
      statements.map { ($0.statement, $0.columns.map(place)) }
    }
    columns = following.columns.map(place)
    none = following.none.map { (place($0.column), $0.value) }
    list = following.list.map(place)
    (added, removed) = (placed(following.added), placed(following.removed))
  }

  func add(_ value: Values, in db: Database) throws {
    if isNone(value) { return }
    guard let list, case .text(let json) = value(list) else { return try run(added, value, in: db) }
    for text in try StoredJSON<[String]>.texts(stored: json) {
      try run(added, { $0 == list ? .text(text) : value($0) }, in: db)
    }
  }

  func remove(_ value: Values, in db: Database) throws {
    if !isNone(value) { try run(removed, value, in: db) }
  }

  /// - Parameter places: the columns that changed.
  func change(_ places: [Int], from old: Values, to new: Values, in db: Database) throws {
    guard columns.contains(where: places.contains) else { return }
    try remove(old, in: db)
    try add({ places.contains($0) ? new($0) : old($0) }, in: db)
  }

  private func isNone(_ value: Values) -> Bool {
    !none.isEmpty && none.allSatisfy { value($0.place).isSame(as: $0.value) }
  }

  private func run(
    _ statements: [(statement: CachedStatement, places: [Int])], _ value: Values, in db: Database
  ) throws {
    for (statement, places) in statements {
      try db.run(statement) { for place in places { $0.add(value(place)) } }
    }
  }
}
