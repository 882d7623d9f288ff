import SQLite
import Wire

extension Store {
  /// Whether the tables of links were never filled from a library that is older than they, or not to the end.
  package var needsLinks: Bool {
    (try? pool.read { try $0.first("SELECT isFilling FROM linkState") { $0.bool(0) } }) == true
  }

  /// Goes on filling the tables of links where it was left off, also by a daemon that was killed.
  package func fillLinks() throws {
    let place = try pool.read { db in
      try db.first("SELECT collection, last FROM linkState WHERE isFilling") {
        (collection: $0.text(0), last: $0.text(1))
      }
    }
    guard let place else { return }
    try writeLinks(from: place)
  }

  /// Makes the tables of links anew from the data.
  ///
  /// Each slice takes the rows of a hundred items away and writes them again, in one transaction: readers see all of them
  /// at any time, and whatever is written meanwhile writes its own rows. Only the items that are read in a slice are in it.
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
          let newest = try links.rewrite(behind: place, atMost: Self.sliceItems, in: db)
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

  /// How many rows of the tables of links are not as the data has them.
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
  /// Each has the columns `collection` and `item`: whose data the row follows from.
  static let ofItems = ["link", "linkTitle", "linkPin"]

  /// A row as the data says it must be.
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
    // No link stands in bytes, which only others can have put there.
    return { columns.firstIndex(of: $0).flatMap { try? row.value($0) } ?? .null }
  }

  func eachItem(in db: Database, _ body: (_ id: String, _ value: Values) throws -> Void) throws {
    try db.each(selection) { try body($0.text(0), values($0)) }
  }

  /// Writes the rows of the next items; returns the last of them, nil when there was none behind `last`. What lies between
  /// and belongs to no item goes.
  func rewrite(behind last: String, atMost limit: Int, in db: Database) throws -> String? {
    let ids = try db.texts("SELECT id FROM \(table) WHERE id > ? ORDER BY id LIMIT ?", [.text(last), .integer(limit)])
    for table in LinkTables.ofItems {
      // Behind the last item there may be rows of items that were removed.
      let end = ids.last.map { [SQLValue.text($0)] } ?? []
      try db.run(
        "DELETE FROM \(table) WHERE collection = ? AND item > ?" + (end.isEmpty ? "" : " AND item <= ?"),
        [.text(name), .text(last)] + end)
    }
    // One by one: a text may be long, and a hundred of them need not lie in memory.
    for id in ids {
      try db.each("\(selection) WHERE id = ?", [.text(id)]) { try came(id, as: values($0), in: db) }
    }
    return ids.last
  }

  /// What the tables must have of an item.
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
