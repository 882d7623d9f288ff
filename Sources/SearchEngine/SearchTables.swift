import CTokenizer
import SQLite

/// The tables of an index, and the statements that write to them. There are three sets of names: the index in use, the
/// one that a rebuild fills beside it, and the discarded one (`DiscardedTables`).
package struct SearchTables: Sendable {
  package static let current = SearchTables(entry: "search_entry", body: "search_body", text: "search_text")
  static let next = SearchTables(entry: "search_entry_next", body: "search_body_next", text: "search_text_next")
  static let discarded = SearchTables(entry: "search_entry_old", body: "search_body_old", text: "search_text_old")

  package let entry: String
  let body: String
  package let text: String
  private let find, texts, insert, insertNew, update, touch, delete: CachedStatement
  private let keep, forget, index, unindex: CachedStatement

  private init(entry: String, body: String, text: String) {
    // The modes define how the tokenizer splits each column. They are always present, so that no character of a text
    // can be mistaken for one.
    let columns = Self.columns.enumerated().map { "char(\($1.1)) || ?\($0 + 2)" }.joined(separator: ", ")
    self.entry = entry
    self.body = body
    self.text = text
    // An entry without its texts stays valid, and a write restores them. Its words stay in the index, since FTS5
    // removes words by their text: see `SearchTerms.areUnknown`.
    let whole = "\(entry) AS entry LEFT JOIN \(body) AS texts ON texts.rowid = entry.rowid"
    find = CachedStatement(
      "SELECT entry.rowid, at, title, body, tags FROM \(whole) WHERE collection = ?1 AND item = ?2 AND part = ?3")
    let row = "INTO \(entry) (collection, item, part, at, lists, folds) VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
    insert = CachedStatement("INSERT \(row)")
    insertNew = CachedStatement("INSERT OR IGNORE \(row)")
    update = CachedStatement("UPDATE \(entry) SET at = ?2, lists = ?3, folds = ?4 WHERE rowid = ?1")
    touch = CachedStatement("UPDATE \(entry) SET at = ?2 WHERE rowid = ?1")
    delete = CachedStatement("DELETE FROM \(entry) WHERE rowid = ?1")
    // Texts without an entry are replaced by those of the next entry with their row.
    keep = CachedStatement("INSERT OR REPLACE INTO \(body) (rowid, title, tags, body) VALUES (?1, ?2, ?3, ?4)")
    forget = CachedStatement("DELETE FROM \(body) WHERE rowid = ?1")
    // One row by VALUES: INSERT … SELECT would open a statement savepoint, which flushes FTS5.
    index = CachedStatement("INSERT INTO \(text) (rowid, title, body, tags, collection) VALUES (?1, \(columns))")
    unindex = CachedStatement(
      "INSERT INTO \(text) (\(text), rowid, title, body, tags, collection) VALUES ('delete', ?1, \(columns))")
    texts = CachedStatement(
      """
      SELECT entry.rowid, title, body, tags FROM \(whole)
      WHERE collection = ?1 AND item = ?2 AND part BETWEEN ?3 AND ?4
      """)
  }

  private static let columns = [
    ("title", CP_MODE_TITLE), ("body", CP_MODE_TEXT), ("tags", CP_MODE_TEXT), ("collection", CP_MODE_NAME),
  ]

  func create(in db: Database) throws {
    try createRows(in: db)
    // No prefix index: it doubles the cost of a body, and the titles' own tokens serve typing.
    try db.execute(
      """
      CREATE VIRTUAL TABLE \(text) USING fts5(
        title, body, tags, collection,
        content = 'search_source', content_rowid = 'id', tokenize = 'commonplace'
      );
      """)
    try configureMerging(in: db)
  }

  /// Leaves merging to `SearchMerging`.
  ///
  /// By default a commit also writes a segment whenever a megabyte has been collected: an import of twenty thousand
  /// entries would leave sixty, and the first queries after it would take twice as long. With eight megabytes, which
  /// take some twenty-four in memory, it leaves few enough to be searched without a noticeable delay.
  ///
  /// https://sqlite.org/fts5.html, 6.1 and 6.5; `hashsize`, in bytes, is fts5_config.c's alone.
  ///
  /// - Throws: `DatabaseError`.
  package func configureMerging(in db: Database) throws {
    for (name, value) in [("automerge", 0), ("crisismerge", 64), ("hashsize", 8 << 20)] {
      try db.run("INSERT INTO \(text) (\(text), rank) VALUES (?, ?)", [.text(name), .integer(value)])
    }
  }

  /// Creates the tables of the indexed data.
  ///
  /// The columns for filtering and counting candidates are separate from the texts: so a page of the file has some
  /// forty candidates instead of two or three, and pages of texts are only read for hits that are shown. The ranking
  /// data is in memory, see `TextStatistics`.
  func createRows(in db: Database) throws {
    // Short columns first: a title is read without the pages of a long body.
    try db.execute(
      """
      CREATE TABLE \(entry) (
        rowid INTEGER PRIMARY KEY,
        collection TEXT NOT NULL,
        item TEXT NOT NULL,
        part INTEGER NOT NULL,
        at INTEGER NOT NULL,
        lists INTEGER NOT NULL DEFAULT 0,
        folds INTEGER NOT NULL DEFAULT 1,
        UNIQUE (collection, item, part)
      );
      CREATE TABLE \(body) (
        rowid INTEGER PRIMARY KEY,
        title TEXT NOT NULL,
        tags TEXT NOT NULL,
        body TEXT NOT NULL
      );
      """)
  }

  /// Creates a view of the texts as the index has them, for its integrity check. It belongs to the tables in use.
  ///
  /// FTS5 reads a row by its number, or all rows in order: in both cases the entry leads to its texts.
  static func createSource(in db: Database) throws {
    let columns = columns.map { "char(\($1)) || \($0) AS \($0)" }.joined(separator: ", ")
    try db.execute(
      """
      CREATE VIEW search_source AS SELECT entry.rowid AS id, \(columns)
      FROM search_entry AS entry CROSS JOIN search_body AS texts ON texts.rowid = entry.rowid
      """)
  }

  /// Writes the row of an entry, and records the resulting index changes in `terms`.
  func put(_ new: SearchEntry, isNew: Bool = false, noting terms: inout SearchTerms, in db: Database) throws {
    if isNew, try insert(new, by: insertNew, noting: &terms, in: db) { return }
    let known = try db.first(
      find, { new.bindKey(&$0) },
      { row in
        if row.isNull(2) { terms.areUnknown = true }
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
        $0.add(new.lists)
        $0.add(new.mayFold)
      }
      try keepTexts(of: new, at: known.row, in: db)
    } else if known.at != new.at {
      try db.run(touch) {
        $0.add(known.row)
        $0.add(new.at)
      }
    }
  }

  /// Returns false if there is such a row.
  private func insert(
    _ new: SearchEntry, by statement: CachedStatement, noting terms: inout SearchTerms, in db: Database
  ) throws -> Bool {
    try db.run(statement) {
      new.bindKey(&$0)
      $0.add(new.at)
      $0.add(new.lists)
      $0.add(new.mayFold)
    }
    guard db.changesCount > 0 else { return false }
    let row = db.lastInsertedRowID
    try keepTexts(of: new, at: row, in: db)
    terms.note(row, old: nil, new: new.texts)
    return true
  }

  private func keepTexts(of entry: SearchEntry, at row: Int64, in db: Database) throws {
    try db.run(keep) {
      $0.add(row)
      $0.add(entry.title)
      $0.add(entry.tags)
      $0.add(entry.body)
    }
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
        if row.isNull(1) { terms.areUnknown = true }
        let old = SearchTexts(title: row.text(1), body: row.text(2), tags: row.text(3), collection: collection)
        terms.note(row.integer(0), old: old, new: nil)
      })
    for row in rows {
      try db.run(delete) { $0.add(row) }
      try db.run(forget) { $0.add(row) }
    }
  }

  /// Removes the old terms from the index and adds the new ones.
  ///
  /// In ascending row order, and for each row the old terms first: at a row that is not above the last one, FTS5
  /// flushes its pending terms.
  func write(_ terms: SearchTerms, in db: Database) throws {
    for change in terms.changes.sorted(by: { $0.row < $1.row }) {
      if let old = change.old { try write(old, of: change.row, by: unindex, in: db) }
      if let new = change.new { try write(new, of: change.row, by: index, in: db) }
    }
  }

  private func write(_ texts: SearchTexts, of row: Int64, by statement: CachedStatement, in db: Database) throws {
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
    try db.execute("DROP TABLE IF EXISTS \(text); DROP TABLE IF EXISTS \(entry); DROP TABLE IF EXISTS \(body)")
  }
}

extension SearchEntry {
  fileprivate func bindKey(_ places: inout Binding) {
    places.add(collection)
    places.add(item)
    places.add(part)
  }

  /// Whether it is a page that only refers to other pages, such as a table of contents. Only pages of documents: a list
  /// in a user's own text is content.
  var lists: Bool { part > 0 && ListedPage.holds(body) }

  /// Whether the text may contain folded characters that the index maps to ASCII letters, see `LiteralForms`.
  var mayFold: Bool { [title, body, tags].contains(where: FoldedCharacters.mayStand) }

  fileprivate var texts: SearchTexts {
    SearchTexts(title: title, body: body, tags: tags, collection: collection)
  }
}
