import SQLite

/// Updates the tables of links when rows of one collection change.
///
/// It is called with the old and new values of every inserted, updated or deleted row, so nothing is read again. A
/// write without links costs a scan for `[[` and `:/` in its texts, and the row of its title if that is new.
package struct CollectionLinks: Sendable {
  package let name: String
  package let table: String
  package let linking: Linking
  /// The collections of places in items, by their names in links, for all collections.
  let places: [String: String]

  /// The columns that affect the tables of links.
  var columns: [String] {
    linking.texts.map(\.column) + (linking.title.map { [$0.column, FormerTitles.column] } ?? [])
  }

  /// Whether its items have rows in the tables of links; other collections only define how an item is shown.
  var hasRows: Bool { linking.title != nil || !linking.texts.isEmpty }

  typealias Values = (_ column: String) -> SQLValue

  func rowInserted(_ id: String, as value: Values, in db: Database) throws {
    let item = ItemKey(collection: name, id: id)
    for text in linking.texts { try write(text, of: item, from: nil, to: value(text.column).textValue, in: db) }
    guard let title = linking.title else { return }
    let at = value("createdAt").integerValue
    if let key = key(value(title.column), of: title) {
      try LinkTables.addTitle(key, isFormer: false, of: item, at: at, in: db)
    }
    if let former = value(FormerTitles.column).textValue {
      try LinkTables.write(FormerTitles(stored: former), of: item, at: at, in: db)
    }
  }

  func rowDeleted(_ id: String, as value: Values, in db: Database) throws {
    let item = ItemKey(collection: name, id: id)
    for text in linking.texts { try write(text, of: item, from: value(text.column).textValue, to: nil, in: db) }
    guard let title = linking.title else { return }
    if key(value(title.column), of: title) != nil { try LinkTables.removeTitles(isFormer: false, of: item, in: db) }
    if value(FormerTitles.column).textValue != nil {
      try LinkTables.write(FormerTitles(stored: nil), of: item, at: 0, in: db)
    }
  }

  /// - Parameter columns: the columns that changed.
  /// - Returns: the row's new former titles, if links led here by the title that it gave up, or it keeps all of them.
  func changed(
    _ id: String, _ columns: [String], from old: Values, to new: Values, in db: Database
  ) throws -> FormerTitles? {
    let item = ItemKey(collection: name, id: id)
    // Before any write: the tables still contain the old targets.
    let given = try titleChange(columns, from: old, to: new).map { keys in
      (keys, try keys.old.flatMap { try LinkTables.sources(of: $0, leadingTo: item, in: db) })
    }
    for text in linking.texts where columns.contains(text.column) {
      try write(text, of: item, from: old(text.column).textValue, to: new(text.column).textValue, in: db)
    }
    guard let title = linking.title else { return nil }
    if columns.contains(FormerTitles.column) {
      let titles = FormerTitles(stored: new(FormerTitles.column).textValue)
      try LinkTables.write(titles, of: item, at: createdAt(of: id, in: db), in: db)
    }
    guard let (keys, sources) = given else { return nil }
    try LinkTables.removeTitles(isFormer: false, of: item, in: db)
    if let key = keys.new {
      try LinkTables.addTitle(key, isFormer: false, of: item, at: createdAt(of: id, in: db), in: db)
    }
    guard let key = keys.old, let sources = sources ?? (title.keepsFormer ? [] : nil) else { return nil }
    var titles = try formerTitles(of: id, in: db)
    titles.add(key, from: sources)
    return titles
  }

  func formerTitles(of id: String, in db: Database) throws -> FormerTitles {
    FormerTitles(
      stored: try db.first("SELECT \(FormerTitles.column) FROM \(table) WHERE id = ?", [.text(id)]) {
        $0.optionalText(0)
      } ?? nil)
  }

  private func titleChange(
    _ columns: [String], from old: Values, to new: Values
  ) -> (old: String?, new: String?)? {
    guard let title = linking.title, columns.contains(title.column) else { return nil }
    let (old, new) = (key(old(title.column), of: title), key(new(title.column), of: title))
    return old == new ? nil : (old, new)
  }

  func key(_ value: SQLValue, of title: Linking.Title) -> String? {
    value.textValue.flatMap { LinkRow.key(of: title.read($0)) }
  }

  private func write(
    _ text: Linking.Texts, of item: ItemKey, from old: String?, to new: String?, in db: Database
  ) throws {
    let rows = try self.rows(of: text, in: new)
    guard rows != nil || old.map(LinkScan.isWorthwhile) == true else { return }
    // The field was empty before, so it has no link rows.
    try LinkTables.write(rows ?? [], of: item, field: text.column, isFirst: old == nil, in: db)
  }

  /// The links in a value of a column; nil if it cannot contain any.
  func rows(of text: Linking.Texts, in value: String?) throws -> [LinkRow]? {
    guard let value, LinkScan.isWorthwhile(value) else { return nil }
    return LinkRow.rows(in: try text.read(value), places: places)
  }

  /// The current texts of an item's field.
  ///
  /// - Throws: `DatabaseError`, or the error of `Texts.read`.
  package func texts(of id: String, in field: String, _ db: Database) throws -> [String] {
    guard let text = linking.texts.first(where: { $0.column == field }) else { return [] }
    let value = try db.first("SELECT \"\(field)\" FROM \(table) WHERE id = ?", [.text(id)]) { $0.optionalText(0) }
    return try (value ?? nil).map(text.read) ?? []
  }

  private func createdAt(of id: String, in db: Database) throws -> Int64 {
    try db.first("SELECT createdAt FROM \(table) WHERE id = ?", [.text(id)]) { $0.integer(0) } ?? 0
  }
}

extension SQLValue {
  var textValue: String? {
    if case .text(let text) = self { text } else { nil }
  }

  var integerValue: Int64 {
    if case .integer(let integer) = self { integer } else { 0 }
  }
}
