import CTokenizer
import GRDB

/// The tables of an index, and the statements that write to them. There are two sets of names: the
/// index in use, and the one that a rebuild fills beside it.
struct SearchTables: Sendable {
  static let current = SearchTables(entry: "search_entry", text: "search_text")
  static let next = SearchTables(entry: "search_entry_next", text: "search_text_next")

  let entry: String
  let text: String
  private let find, insert, insertNew, update, touch, delete, index, unindex, texts: KeptStatement

  private init(entry: String, text: String) {
    // The modes say how the tokenizer cuts each column. That they are always there means that no
    // character of a text can be taken for one.
    let columns = Self.columns.enumerated().map { "char(\($1.1)) || ?\($0 + 2)" }.joined(separator: ", ")
    self.entry = entry
    self.text = text
    find = KeptStatement(
      "SELECT rowid, at, title, body, tags FROM \(entry) WHERE collection = ?1 AND item = ?2 AND part = ?3")
    let row =
      "INTO \(entry) (collection, item, part, at, title, body, tags, lists) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
    insert = KeptStatement("INSERT \(row)")
    insertNew = KeptStatement("INSERT OR IGNORE \(row)")
    update = KeptStatement("UPDATE \(entry) SET at = ?2, title = ?3, body = ?4, tags = ?5, lists = ?6 WHERE rowid = ?1")
    touch = KeptStatement("UPDATE \(entry) SET at = ?2 WHERE rowid = ?1")
    delete = KeptStatement("DELETE FROM \(entry) WHERE rowid = ?1")
    // One row by VALUES: INSERT … SELECT would open a statement savepoint, which flushes FTS5.
    index = KeptStatement("INSERT INTO \(text) (rowid, title, body, tags, collection) VALUES (?1, \(columns))")
    unindex = KeptStatement(
      "INSERT INTO \(text) (\(text), rowid, title, body, tags, collection) VALUES ('delete', ?1, \(columns))")
    texts = KeptStatement(
      "SELECT rowid, title, body, tags FROM \(entry) WHERE collection = ?1 AND item = ?2 AND part BETWEEN ?3 AND ?4")
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
          lists INTEGER NOT NULL DEFAULT 0,
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
    try SearchMerging.configure(text, in: db)
  }

  /// Gives the entries of an earlier version what they lack; a rebuild fills it in. One that was begun is begun anew.
  static func addLists(in db: Database) throws {
    try next.drop(in: db)
    try db.execute(sql: "UPDATE search_state SET building = 0")
    let columns = try db.columns(in: current.entry).map(\.name)
    if columns.contains("lists") { return }
    try db.execute(sql: "ALTER TABLE \(current.entry) ADD COLUMN lists INTEGER NOT NULL DEFAULT 0")
  }

  /// The texts as the index has them, for its integrity check. It belongs to the tables in use.
  static func createSource(in db: Database) throws {
    let columns = columns.map { "char(\($1)) || \($0) AS \($0)" }.joined(separator: ", ")
    try db.execute(sql: "CREATE VIEW search_source AS SELECT rowid AS id, \(columns) FROM search_entry")
  }

  /// Writes the row of an entry, and notes in `terms` what that changes in the index.
  func put(_ new: SearchEntry, isNew: Bool = false, noting terms: inout SearchTerms, in db: Database) throws {
    if isNew, try insert(new, by: insertNew, noting: &terms, in: db) { return }
    let known = try db.first(
      find, { new.bindKey(&$0) },
      { row in
        let isSame = row.holds(new.title, at: 2) && row.holds(new.body, at: 3) && row.holds(new.tags, at: 4)
        return (
          row: row.integer(0), at: row.integer(1),
          texts: isSame
            ? nil : SearchTexts(title: row.text(2), body: row.text(3), tags: row.text(4), collection: new.collection)
        )
      })
    guard let known else {
      _ = try insert(new, by: insert, noting: &terms, in: db)
      return
    }
    if let old = known.texts {
      terms.note(known.row, old: old, new: new.texts)
      try db.run(update) {
        $0.add(known.row)
        $0.add(new.at)
        new.bindTexts(&$0)
      }
    } else if known.at != new.at {
      try db.run(touch) {
        $0.add(known.row)
        $0.add(new.at)
      }
    }
  }

  /// False where there is such a row.
  private func insert(
    _ new: SearchEntry, by statement: KeptStatement, noting terms: inout SearchTerms, in db: Database
  ) throws -> Bool {
    try db.run(statement) {
      new.bindKey(&$0)
      $0.add(new.at)
      new.bindTexts(&$0)
    }
    guard db.changesCount > 0 else { return false }
    terms.note(db.lastInsertedRowID, old: nil, new: new.texts)
    return true
  }

  func remove(collection: String, item: String, part: Int?, noting terms: inout SearchTerms, in db: Database) throws {
    var rows: [Int64] = []
    try db.each(
      texts,
      {
        $0.add(collection)
        $0.add(item)
        $0.add(part ?? Int.min)
        $0.add(part ?? Int.max)
      },
      { row in
        rows.append(row.integer(0))
        let old = SearchTexts(title: row.text(1), body: row.text(2), tags: row.text(3), collection: collection)
        terms.note(row.integer(0), old: old, new: nil)
      })
    for row in rows { try db.run(delete) { $0.add(row) } }
  }

  /// Takes the old terms out of the index and puts the new ones in.
  ///
  /// Row by row, upwards, and of each row the old ones first: where a row comes that is below the last, or one again,
  /// FTS5 writes out what it has collected.
  func write(_ terms: SearchTerms, in db: Database) throws {
    for change in terms.changes.sorted(by: { $0.row < $1.row }) {
      if let old = change.old { try write(old, of: change.row, by: unindex, in: db) }
      if let new = change.new { try write(new, of: change.row, by: index, in: db) }
    }
  }

  private func write(_ texts: SearchTexts, of row: Int64, by statement: KeptStatement, in db: Database) throws {
    try db.run(statement) {
      $0.add(row)
      $0.add(texts.title)
      $0.add(texts.body)
      $0.add(texts.tags)
      $0.add(texts.collection)
    }
  }

  func holds(_ entry: SearchEntry, in db: Database) throws -> Bool {
    try db.first(find, { entry.bindKey(&$0) }, { _ in }) != nil
  }

  func drop(in db: Database) throws {
    try db.execute(sql: "DROP TABLE IF EXISTS \(text); DROP TABLE IF EXISTS \(entry)")
  }
}

extension SearchEntry {
  fileprivate func bindKey(_ places: inout Binding) {
    places.add(collection)
    places.add(item)
    places.add(part)
  }

  fileprivate func bindTexts(_ places: inout Binding) {
    places.add(title)
    places.add(body)
    places.add(tags)
    places.add(lists)
  }

  /// Whether it says where things are and not what they are. Only pages: whoever lists things in a text of his own means it.
  var lists: Bool { part > 0 && ListedPage.holds(body) }

  fileprivate var texts: SearchTexts {
    SearchTexts(title: title, body: body, tags: tags, collection: collection)
  }
}
