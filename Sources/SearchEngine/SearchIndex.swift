import CTokenizer
import SQLite
import Wire

/// The indexed data of one item, or of one of its pages.
package struct SearchEntry: Sendable, Equatable {
  /// The name of a collection, such as `diary`.
  package var collection: String
  package var item: String
  /// The page of a document; 0 for items without pages. Only part 0 has a title.
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

  /// Compares bytes: `String` treats composed and decomposed é as equal.
  package static func == (left: SearchEntry, right: SearchEntry) -> Bool {
    left.part == right.part && left.at == right.at
      && sameBytes(left.collection, right.collection) && sameBytes(left.item, right.item)
      && sameBytes(left.title, right.title) && sameBytes(left.body, right.body) && sameBytes(left.tags, right.tags)
  }
}

/// A full-text index over all collections.
///
/// `search_entry` has the item and ranking data of each text, and `search_body` under the same row number the text as
/// it was indexed, so that exactly this text can be removed from the index again; `search_text` is the FTS5 index over
/// them. All functions run inside the caller's transaction. FTS5 flushes its pending terms at every savepoint: write a
/// `SearchBatch` after the last RELEASE of a group of writes, and the group stays cheap.
package struct SearchIndex {
  /// Registers the tokenizer, `cp_rank` and `fold` on a connection, for the writer and every reader: a connection
  /// without them cannot open the index.
  ///
  /// - Throws: `DatabaseError`.
  package static func prepare(_ db: Database) throws {
    try prepare(db, with: nil)
  }

  /// - Parameter statistics: the text statistics of its library.
  /// - Throws: `DatabaseError` if the tokenizer cannot be registered.
  package static func prepare(_ db: Database, with statistics: TextStatistics?) throws {
    let code = cp_tokenizer_register(db.sqliteConnection, statistics?.table)
    guard code == SQLITE_OK else { throw DatabaseError(ResultCode(rawValue: code)) }
  }

  /// Creates the tables, for a migration.
  ///
  /// - Throws: `DatabaseError`.
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
  ///
  /// - Throws: `DatabaseError`.
  package static func put(_ entry: SearchEntry, in db: Database) throws {
    var batch = try SearchBatch(in: db)
    try batch.put(entry)
    try batch.finish()
  }

  /// A batch of one removal.
  ///
  /// - Throws: `DatabaseError`.
  package static func remove(collection: String, item: String, part: Int? = nil, in db: Database) throws {
    var batch = try SearchBatch(in: db)
    try batch.remove(collection: collection, item: item, part: part)
    try batch.finish()
  }

  package struct State {
    /// Whether this version of the tokenizer wrote the index. Another version would remove tokens that were never
    /// added; so until the pending rebuild only the texts are written.
    var isReadable: Bool
    /// Whether a rebuild fills the next index, which also gets every write.
    var isBuilding: Bool
    /// Whether it has words of texts that were lost, and needs a rebuild.
    var hasStrayWords: Bool
    /// Whether a rebuild was abandoned and is still pending.
    var isDue: Bool
  }

  /// The bits of `building`.
  private static let (filling, stray, due) = (1, 2, 4)

  private static let selectState = CachedStatement("SELECT tokenizer, building FROM search_state")

  /// - Throws: `DatabaseError`.
  package static func state(of db: Database) throws -> State {
    let state = try db.first(selectState) { row in
      State(
        isReadable: row.int(0) == Int(CP_TOKENIZER_VERSION), isBuilding: row.int(1) & filling != 0,
        hasStrayWords: row.int(1) & stray != 0, isDue: row.int(1) & due != 0)
    }
    return state ?? State(isReadable: false, isBuilding: false, hasStrayWords: false, isDue: false)
  }

  /// Records that the next index is not being filled any more. A needed rebuild of this one stays recorded.
  ///
  /// - Throws: `DatabaseError`.
  package static func noteNoRebuild(in db: Database) throws {
    try db.run("UPDATE search_state SET building = building & \(stray | due)")
  }

  /// Records that the tables of the next index were discarded.
  ///
  /// - Throws: `DatabaseError`.
  package static func noteAbandonedRebuild(in db: Database) throws {
    try db.run("UPDATE search_state SET building = (building & \(stray)) | \(due)")
  }

  /// Records that texts of this library have other words than before.
  ///
  /// - Throws: `DatabaseError`.
  package static func noteDueRebuild(in db: Database) throws {
    try db.run("UPDATE search_state SET building = building | \(due)")
  }

  /// - Throws: `DatabaseError`.
  package static func noteStrayWords(in db: Database) throws {
    try db.run("UPDATE search_state SET building = building | \(stray)")
  }
}
