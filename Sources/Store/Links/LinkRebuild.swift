import SQLite
import Wire

extension Store {
  /// Whether filling the tables of links was never finished: the library is older than these tables.
  package var needsLinks: Bool {
    (try? pool.read { try $0.first("SELECT isFilling FROM linkState") { $0.bool(0) } }) == true
  }

  /// Continues to fill the tables of links where an earlier run stopped, possibly in a daemon that was killed.
  ///
  /// - Throws: `DatabaseError` or `StoreError`.
  package func fillLinks() throws {
    let place = try pool.read { db in
      try db.first("SELECT collection, last FROM linkState WHERE isFilling") {
        (collection: $0.text(0), last: $0.text(1))
      }
    }
    guard let place else { return }
    try writeLinks(from: place)
  }

  /// Rebuilds the tables of links from the data.
  ///
  /// Each slice deletes and rewrites the rows of a hundred items in one transaction: readers always see all rows, and
  /// concurrent writes update their own. A slice only writes rows of the items that it has read.
  func rebuildLinks() throws {
    try maintenance.write { try $0.run("UPDATE linkState SET isFilling = 1, collection = '', last = ''") }
    try writeLinks(from: ("", ""))
  }

  private static let sliceItems = 100

  private func writeLinks(from place: (collection: String, last: String)) throws {
    let all = schema.all.compactMap(\.links).filter(\.hasRows)
    let first = all.firstIndex { $0.name == place.collection } ?? 0
    for links in all[first...] {
      var last: String? = links.name == place.collection ? place.last : ""
      while let place = last {
        last = try maintenance.write { db in
          let newest = try links.rewrite(after: place, atMost: Self.sliceItems, in: db)
          try db.run(
            "UPDATE linkState SET collection = ?, last = ?", [.text(links.name), .text(newest ?? place)])
          return newest
        }
      }
    }
    try maintenance.write { db in
      let names = all.map { "'\($0.name)'" }.joined(separator: ", ")
      for table in LinkTables.ofItems {
        try db.run("DELETE FROM \(table) WHERE collection NOT IN (\(names))")
      }
      try db.run("UPDATE linkState SET isFilling = 0, collection = '', last = ''")
    }
  }

  /// Counts the rows of the tables of links that disagree with the data.
  func linkFindings(_ db: Database) throws -> [Text] {
    var (found, missing) = (0, 0)
    for links in schema.all.compactMap(\.links).filter(\.hasRows) {
      try links.eachItem(in: db) { id, value in
        for row in try links.rows(of: id, as: value) {
          if try row.isThere(in: db) { found += 1 } else { missing += 1 }
        }
      }
    }
    let held = try LinkTables.ofItems.reduce(0) { count, table in
      try count + (db.first("SELECT count(*) FROM \(table)") { $0.int(0) } ?? 0)
    }
    let count = missing + held - found
    return count == 0 ? [] : [Text("check.links", ["count": String(count)])]
  }
}

extension LinkTables {
  /// The tables whose columns `collection` and `item` name the item from which the row is derived.
  static let ofItems = ["link", "linkTitle", "linkPin"]

  /// A row that must exist according to the data.
  struct Expected {
    var table: String
    var columns: [(name: String, value: SQLValue)]

    func isThere(in db: Database) throws -> Bool {
      let condition = columns.map { "\($0.name) IS ?" }.joined(separator: " AND ")
      return try db.first("SELECT 1 FROM \(table) WHERE \(condition)", columns.map(\.value)) { _ in } != nil
    }
  }
}

extension CollectionLinks {
  private var selection: String {
    let columns = (["id", "createdAt"] + columns).map { "\"\($0)\"" }.joined(separator: ", ")
    return "SELECT \(columns) FROM \(table)"
  }

  private func values(_ row: Columns) -> Values {
    let columns = ["id", "createdAt"] + columns
    // Links occur only in texts; a column with bytes is external data.
    return { columns.firstIndex(of: $0).flatMap { try? row.value($0) } ?? .null }
  }

  func eachItem(in db: Database, _ body: (_ id: String, _ value: Values) throws -> Void) throws {
    try db.each(selection) { try body($0.text(0), values($0)) }
  }

  /// Rewrites the rows of the next items, and returns the id of the last one, or nil if there is no item after `last`.
  /// Rows in between that belong to no item are deleted.
  func rewrite(after last: String, atMost limit: Int, in db: Database) throws -> String? {
    let ids = try db.texts("SELECT id FROM \(table) WHERE id > ? ORDER BY id LIMIT ?", [.text(last), .integer(limit)])
    for table in LinkTables.ofItems {
      // After the last item there may be rows of deleted items.
      let end = ids.last.map { [SQLValue.text($0)] } ?? []
      try db.run(
        "DELETE FROM \(table) WHERE collection = ? AND item > ?" + (end.isEmpty ? "" : " AND item <= ?"),
        [.text(name), .text(last)] + end)
    }
    // One by one: texts may be long, and need not be in memory together.
    for id in ids {
      try db.each("\(selection) WHERE id = ?", [.text(id)]) { try rowInserted(id, as: values($0), in: db) }
    }
    return ids.last
  }

  /// The rows that the tables must contain for an item.
  func rows(of id: String, as value: Values) throws -> [LinkTables.Expected] {
    let item: [(name: String, value: SQLValue)] = [("collection", .text(name)), ("item", .text(id))]
    var expected: [LinkTables.Expected] = []
    for text in linking.texts {
      for row in try rows(of: text, in: value(text.column).textValue) ?? [] {
        let target: [(name: String, value: SQLValue)] = [
          ("field", .text(text.column)), ("name", .text(row.name)), ("key", .text(row.key)),
          ("target", .text(row.target?.id)), ("targetCollection", .text(row.target?.collection)),
          ("whole", .text(row.whole?.id)), ("wholeCollection", .text(row.whole?.collection)),
        ]
        expected.append(.init(table: "link", columns: item + target))
      }
    }
    guard let title = linking.title else { return expected }
    func add(_ key: String, isFormer: Bool) {
      let columns = item + [("isFormer", .bool(isFormer)), ("key", .text(key)), ("at", value("createdAt"))]
      expected.append(.init(table: "linkTitle", columns: columns))
    }
    if let key = key(value(title.column), of: title) { add(key, isFormer: false) }
    for entry in FormerTitles(stored: value(FormerTitles.column).textValue).entries {
      add(entry.key, isFormer: true)
      for source in entry.sources.compactMap(FormerTitles.key(ofSource:)) {
        let columns: [(name: String, value: SQLValue)] = [
          ("sourceCollection", .text(source.collection)), ("source", .text(source.id)), ("key", .text(entry.key)),
        ]
        expected.append(.init(table: "linkPin", columns: columns + item))
      }
    }
    return expected
  }
}
