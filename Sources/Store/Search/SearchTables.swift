import CTokenizer
import GRDB

/// The tables of an index, and the statements that write to them. There are two sets of names: the
/// index in use, and the one that a rebuild fills beside it.
struct SearchTables: Sendable {
  static let current = SearchTables(entry: "search_entry", text: "search_text")
  static let next = SearchTables(entry: "search_entry_next", text: "search_text_next")

  let entry: String
  let text: String
  private let find, insert, update, touch, delete, index, unindex, parts: String

  private init(entry: String, text: String) {
    // The modes say how the tokenizer cuts each column. That they are always there means that no
    // character of a text can be taken for one.
    func column(_ name: String, mode: Int32) -> String {
      "char(\(mode)) || (SELECT \(name) FROM \(entry) WHERE rowid = ?1)"
    }
    let columns = Self.columns.map(column).joined(separator: ", ")
    self.entry = entry
    self.text = text
    find = """
      SELECT rowid, title = ?4 AND body = ?5 AND tags = ?6, at = ?7
      FROM \(entry) WHERE collection = ?1 AND item = ?2 AND part = ?3
      """
    insert = "INSERT INTO \(entry) (collection, item, part, at, title, body, tags) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"
    update = "UPDATE \(entry) SET at = ?2, title = ?3, body = ?4, tags = ?5 WHERE rowid = ?1"
    touch = "UPDATE \(entry) SET at = ?2 WHERE rowid = ?1"
    delete = "DELETE FROM \(entry) WHERE rowid = ?1"
    // One row by VALUES: INSERT … SELECT would open a statement savepoint, which flushes FTS5.
    index = "INSERT INTO \(text) (rowid, title, body, tags, collection) VALUES (?1, \(columns))"
    unindex = "INSERT INTO \(text) (\(text), rowid, title, body, tags, collection) VALUES ('delete', ?1, \(columns))"
    parts = "SELECT rowid FROM \(entry) WHERE collection = ?1 AND item = ?2 AND part BETWEEN ?3 AND ?4"
  }

  private static let columns = [
    ("title", CP_MODE_TITLE), ("body", CP_MODE_TEXT), ("tags", CP_MODE_TEXT), ("collection", CP_MODE_NAME),
  ]

  func create(in db: Database) throws {
    // Short columns first: what a hit needs is read without the pages of a long body.
    // No prefix index: it doubles the cost of a body, and the titles' own tokens serve typing.
    try db.execute(
      sql: """
        CREATE TABLE \(entry) (
          rowid INTEGER PRIMARY KEY,
          collection TEXT NOT NULL,
          item TEXT NOT NULL,
          part INTEGER NOT NULL,
          at INTEGER NOT NULL,
          title TEXT NOT NULL,
          tags TEXT NOT NULL,
          body TEXT NOT NULL,
          UNIQUE (collection, item, part)
        );
        CREATE VIRTUAL TABLE \(text) USING fts5(
          title, body, tags, collection,
          content = 'search_source', content_rowid = 'id', tokenize = 'commonplace'
        );
        """)
  }

  /// The texts as the index has them, for its integrity check. It belongs to the tables in use.
  static func createSource(in db: Database) throws {
    let columns = columns.map { "char(\($1)) || \($0) AS \($0)" }.joined(separator: ", ")
    try db.execute(sql: "CREATE VIEW search_source AS SELECT rowid AS id, \(columns) FROM search_entry")
  }

  func put(_ new: SearchEntry, indexing: Bool = true, in db: Database) throws {
    let known = try Row.fetchOne(
      db.cachedStatement(sql: find),
      arguments: [new.collection, new.item, new.part, new.title, new.body, new.tags, new.at])
    guard let known else {
      try db.cachedStatement(sql: insert).execute(
        arguments: [new.collection, new.item, new.part, new.at, new.title, new.body, new.tags])
      if indexing { try db.cachedStatement(sql: index).execute(arguments: [db.lastInsertedRowID]) }
      return
    }
    let row: Int64 = known[0]
    if known[1] {
      guard !(known[2] as Bool) else { return }
      try db.cachedStatement(sql: touch).execute(arguments: [row, new.at])
    } else {
      if indexing { try db.cachedStatement(sql: unindex).execute(arguments: [row]) }
      try db.cachedStatement(sql: update).execute(arguments: [row, new.at, new.title, new.body, new.tags])
      if indexing { try db.cachedStatement(sql: index).execute(arguments: [row]) }
    }
  }

  func remove(collection: String, item: String, part: Int?, indexing: Bool = true, in db: Database) throws {
    let rows = try Int64.fetchAll(
      db.cachedStatement(sql: parts), arguments: [collection, item, part ?? Int.min, part ?? Int.max])
    for row in rows {
      if indexing { try db.cachedStatement(sql: unindex).execute(arguments: [row]) }
      try db.cachedStatement(sql: delete).execute(arguments: [row])
    }
  }

  func holds(_ entry: SearchEntry, in db: Database) throws -> Bool {
    try Int64.fetchOne(
      db.cachedStatement(sql: parts), arguments: [entry.collection, entry.item, entry.part, entry.part]) != nil
  }

  func drop(in db: Database) throws {
    try db.execute(sql: "DROP TABLE IF EXISTS \(text); DROP TABLE IF EXISTS \(entry)")
  }
}
