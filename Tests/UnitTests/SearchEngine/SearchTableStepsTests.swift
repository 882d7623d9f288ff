import Contract
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import SQLite
@testable import SearchEngine
@testable import Store

@Suite struct SearchTableStepsTests {
  /// The tables as they were while texts lay in one row with what they are ranked by, with a rebuild that was begun.
  private static let joined = """
    DROP VIEW search_source;
    CREATE TABLE joined (
      rowid INTEGER PRIMARY KEY, collection TEXT NOT NULL, item TEXT NOT NULL, part INTEGER NOT NULL,
      at INTEGER NOT NULL, lists INTEGER NOT NULL DEFAULT 0, title TEXT NOT NULL, tags TEXT NOT NULL,
      body TEXT NOT NULL, UNIQUE (collection, item, part)
    );
    INSERT INTO joined SELECT entry.rowid, collection, item, part, at, lists, title, tags, body
      FROM search_entry AS entry JOIN search_body AS texts ON texts.rowid = entry.rowid;
    DROP TABLE search_entry;
    DROP TABLE search_body;
    ALTER TABLE joined RENAME TO search_entry;
    CREATE VIEW search_source AS SELECT
      rowid AS id, char(3) || title AS title, char(5) || body AS body, char(5) || tags AS tags,
      char(4) || collection AS collection
      FROM search_entry;
    CREATE TABLE search_entry_next (rowid INTEGER PRIMARY KEY);
    UPDATE search_state SET building = 1;
    DELETE FROM grdb_migrations WHERE identifier IN ('store/007', 'store/008', 'store/009');
    """

  private static func rows(_ store: Store) throws -> [String] {
    try store.pool.read { db in
      try db.texts(
        """
        SELECT entry.rowid || collection || item || part || at || lists || title || tags || body
        FROM search_entry AS entry JOIN search_body AS texts ON texts.rowid = entry.rowid ORDER BY entry.rowid
        """)
    }
  }

  @Test(
    "A library whose texts lay in one row with what they are ranked by has them apart at once, and its index as it was",
    arguments: [
      "", "ALTER TABLE search_entry DROP COLUMN lists; DELETE FROM grdb_migrations WHERE identifier = 'store/004';",
    ])
  func split(before: String) throws {
    let folder = TemporaryFolder()
    let store = try Store.toys(in: folder)
    let library = store.folder
    try store.pool.write { db in
      for number in 0..<4 {
        try SearchIndex.put(.diary(number, at: 7, title: "제목 \(number)", body: "a slow river \(number)"), in: db)
      }
      // The numbers of rows have gaps, and go on.
      try SearchIndex.remove(collection: "diary", item: "1", in: db)
    }
    let rows = try Self.rows(store)
    #expect(rows.count == 3)
    store.close()
    try OldLibraries.execute(Self.joined + before, in: library)

    let again = try Store.toys(in: folder)
    #expect(!again.needsIndexRebuild)
    #expect(try Self.rows(again) == rows)
    #expect(try again.pool.write { try SearchIndex.check($0) } == [])
    let left = try again.pool.read { db in
      try db.texts("SELECT name FROM sqlite_master WHERE name GLOB 'search_*_[fn]*'")
    }
    #expect(left == [])
    func found(_ text: String, in store: Store) throws -> [String] {
      try store.pool.read { db in
        try SearchIndex.candidates(matching: MatchQuery(userText: text), limit: 9, now: 0, in: db).map(\.item)
      }
    }
    #expect(try found("slow river", in: again) == ["3", "2", "0"])
    // It takes texts out of the index just as they were put in.
    try again.pool.write { db in
      try SearchIndex.put(.diary(2, at: 7, title: "제목", body: "a fast river"), in: db)
      try SearchIndex.remove(collection: "diary", item: "3", in: db)
    }
    #expect(try found("slow river", in: again) == ["0"])
    #expect(try again.pool.write { try SearchIndex.check($0) } == [])
    again.close()
    // And is not taken apart a second time.
    let third = try Store.toys(in: folder)
    #expect(try found("fast river", in: third) == ["2"])
    third.close()
  }

  @Test("Before the texts of an older library are taken apart the log says so, and a disk that is too full is refused")
  func room() throws {
    let folder = TemporaryFolder()
    let lines = Mutex<[String]>([])
    let log = Log { level, line in lines.withLock { $0.append("\(level) \(line)") } }
    let store = try Store.toys(in: folder, freeBytes: { _ in 0 }, log: log)
    let library = store.folder
    try store.pool.write { try SearchIndex.put(.diary(0, at: 7, title: "제목", body: "a slow river"), in: $0) }
    let rows = try Self.rows(store)
    store.close()
    #expect(lines.withLock(\.self) == [])
    try OldLibraries.execute(Self.joined, in: library)
    let size = try #require(try FileManager.default.attributesOfItem(atPath: library.database)[.size] as? Int)
    let texts = Int64("제목a slow river".utf8.count)
    // The library has more free pages than the texts fill: it need not grow for them.
    #expect(throws: StoreError.noRoomForSteps(path: library.path, needed: 3 * Int64(size), free: 2 * texts - 1)) {
      try Store.toys(in: folder, freeBytes: { _ in 2 * texts - 1 }, log: log)
    }
    // What may be enough is tried, and so is a disk that does not tell how full it is.
    for free in [2 * texts, nil] {
      let again = try Store.toys(in: folder, freeBytes: { _ in free }, log: log)
      #expect(try Self.rows(again) == rows)
      again.close()
      try OldLibraries.execute(Self.joined, in: library)
    }
    let told = lines.withLock(\.self)
    #expect(told.count == 3 && told.allSatisfy { $0.hasPrefix("info the texts of the search index") }, "\(told)")
  }

  @Test("Where the disk is full all the same it is said how much room is surely enough, and no other failure is hidden")
  func full() throws {
    let database = try Database(path: Database.inMemory)
    try database.write { try $0.execute("CREATE TABLE search_entry (title TEXT, tags TEXT, body TEXT)") }
    let split = try #require(
      try database.write { try TextSplit($0, path: "/l", freeBytes: { _ in 7 }, log: Log { _, _ in }) })
    let full = DatabaseError(.full)
    #expect(split.failure(full) as? StoreError == .noRoomForSteps(path: "/l", needed: 3 * 2 * 4_096, free: 7))
    #expect(split.failure(DatabaseError(.corrupt)) is DatabaseError)
  }

  @Test("The room that is left on a disk is known, and nothing of one that is not there")
  func freeRoom() throws {
    let folder = TemporaryFolder()
    #expect(try #require(FreeSpace.bytes(at: folder.path)) > 0)
    #expect(FreeSpace.bytes(at: folder.file("none")) == nil)
  }
}
