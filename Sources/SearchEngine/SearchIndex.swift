import CTokenizer
import SQLite

/// What one item, or one page of it, gives to search.
package struct SearchEntry: Sendable, Equatable {
  /// The name of a collection, such as `diary`.
  package var collection: String
  package var item: String
  /// The page of a document; 0 for whatever has no pages. A title is given with part 0 only.
  package var part: Int
  /// When it was written or published: UTC milliseconds.
  package var at: Int64
  package var title: String
  package var body: String
  /// Separated by spaces or line ends.
  package var tags: String

  package init(
    collection: String, item: String, part: Int = 0, at: Int64, title: String, body: String, tags: String = ""
  ) {
    self.collection = collection
    self.item = item
    self.part = part
    self.at = at
    self.title = title
    self.body = body
    self.tags = tags
  }

  /// By bytes: `String` takes é in one character for é in two.
  package static func == (left: SearchEntry, right: SearchEntry) -> Bool {
    left.part == right.part && left.at == right.at
      && left.collection.utf8.elementsEqual(right.collection.utf8) && left.item.utf8.elementsEqual(right.item.utf8)
      && left.title.utf8.elementsEqual(right.title.utf8) && left.body.utf8.elementsEqual(right.body.utf8)
      && left.tags.utf8.elementsEqual(right.tags.utf8)
  }
}

/// One full-text index over every collection.
///
/// `search_entry` holds what texts are of and what they are ranked by, and `search_body` under the same number the texts
/// as they were indexed, so that exactly those can be taken out of the index again; `search_text` is the FTS5 index over
/// them. All functions run inside the caller's transaction. FTS5 writes out its pending terms at every savepoint: write a
/// `SearchBatch` after the last RELEASE of a group of writes, and the group stays cheap.
package struct SearchIndex {
  /// Gives a connection the tokenizer, `cp_rank` and `fold`. For
  /// the writer and every reader: a connection without it cannot open the index.
  package static func prepare(_ db: Database) throws {
    try prepare(db, with: nil)
  }

  /// - Parameter figures: those of its library.
  package static func prepare(_ db: Database, with figures: TextFigures?) throws {
    let code = cp_tokenizer_register(db.sqliteConnection, figures?.table)
    guard code == SQLITE_OK else { throw DatabaseError(ResultCode(rawValue: code)) }
  }

  /// Creates the tables, for a migration.
  package static func create(in db: Database) throws {
    try SearchTables.current.create(in: db)
    try db.execute(
      """
      CREATE TABLE search_state (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        tokenizer INTEGER NOT NULL,
        building INTEGER NOT NULL
      );
      INSERT INTO search_state VALUES (1, \(CP_TOKENIZER_VERSION), 0);
      """)
    try SearchTables.createSource(in: db)
  }

  /// A batch of one entry.
  package static func put(_ entry: SearchEntry, in db: Database) throws {
    var batch = try SearchBatch(in: db)
    try batch.put(entry)
    try batch.finish()
  }

  /// A batch of one removal.
  package static func remove(collection: String, item: String, part: Int? = nil, in db: Database) throws {
    var batch = try SearchBatch(in: db)
    try batch.remove(collection: collection, item: item, part: part)
    try batch.finish()
  }

  package struct State {
    /// The index was written by this version of the tokenizer. Another one would take out of it what
    /// was never put in; so until the rebuild that is due, only the texts are written.
    var isReadable: Bool
    /// A rebuild fills the next index, which gets every write as well.
    var isBuilding: Bool
    /// It has words of texts that were lost, and is to be made anew.
    var hasStrayWords: Bool
    /// A rebuild was given up, and is to be made.
    var isDue: Bool
  }

  /// What `building` is made of.
  private static let (filling, stray, due) = (1, 2, 4)

  private static let selectState = KeptStatement("SELECT tokenizer, building FROM search_state")

  package static func state(of db: Database) throws -> State {
    let state = try db.first(selectState) { row in
      State(
        isReadable: row.int(0) == Int(CP_TOKENIZER_VERSION), isBuilding: row.int(1) & filling != 0,
        hasStrayWords: row.int(1) & stray != 0, isDue: row.int(1) & due != 0)
    }
    return state ?? State(isReadable: false, isBuilding: false, hasStrayWords: false, isDue: false)
  }

  /// Nothing fills the next index any more. That this one is to be made anew stays true.
  package static func noteNoRebuild(in db: Database) throws {
    try db.run("UPDATE search_state SET building = building & \(stray | due)")
  }

  /// The tables of the next index are gone.
  package static func noteAbandonedRebuild(in db: Database) throws {
    try db.run("UPDATE search_state SET building = (building & \(stray)) | \(due)")
  }

  package static func noteStrayWords(in db: Database) throws {
    try db.run("UPDATE search_state SET building = building | \(stray)")
  }
}
