import Foundation
import SQLite
import SearchEngine
import Store
import TestSupport
import Testing

@Suite struct SearchIndexTests {
  @Test("An entry that is replaced is found by its new text only")
  func replacing() throws {
    let library = try SearchLibrary("첫 독서 café")
    try library.db.write { try SearchIndex.put(.diary(0, body: "둘째 글"), in: $0) }
    #expect(try library.find("독서") == [])
    #expect(try library.find("cafe") == [])
    #expect(try library.find("둘째") == [0])
    #expect(try library.problems() == [])
  }

  @Test("What has not changed is not written, and a new date alone leaves the index as it is")
  func unchanged() throws {
    let library = try SearchLibrary("독서")
    try library.db.write { db throws in
      func changes(_ entry: SearchEntry) throws -> Int {
        let before = db.totalChangesCount
        try SearchIndex.put(entry, in: db)
        return db.totalChangesCount - before
      }
      #expect(try changes(.diary(0, body: "독서")) == 0)
      #expect(try changes(.diary(0, at: 5, body: "독서")) == 1)
      // Equal to Swift's String, but other bytes.
      #expect(try changes(.diary(0, at: 5, body: "독서".decomposedStringWithCanonicalMapping)) > 1)
      #expect(try db.integer("SELECT at FROM search_entry") == 5)
    }
  }

  @Test("Removing an item or a part leaves nothing of it in the index")
  func removing() throws {
    let library = try SearchLibrary()
    try library.db.write { db in
      for part in 0..<3 {
        try SearchIndex.put(
          SearchEntry(
            collection: "documents", item: "a", part: part, at: 0, title: part == 0 ? "제목 titlé" : "",
            body: "쪽 \(part) text", tags: "tag"), in: db)
      }
      try db.execute("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, search_text, instance)")
      func terms() throws -> Int { try db.integer("SELECT count(*) FROM temp.vocabulary")! }
      let all = try terms()
      try SearchIndex.remove(collection: "documents", item: "a", part: 1, in: db)
      #expect(try terms() < all)
      #expect(try db.integers("SELECT part FROM search_entry ORDER BY part") == [0, 2])
      try SearchIndex.remove(collection: "diary", item: "a", in: db)
      func rows(_ table: String) throws -> Int? { try db.integer("SELECT count(*) FROM \(table)") }
      #expect(try rows("search_entry") == 2)
      #expect(try rows("search_body") == 2)
      try SearchIndex.remove(collection: "documents", item: "a", in: db)
      #expect(try terms() == 0)
      #expect(try rows("search_entry") == 0)
      #expect(try rows("search_body") == 0)
    }
    #expect(try library.problems() == [])
  }

  @Test("The index work of one transaction is written once, when it commits")
  func grouped() throws {
    let library = try SearchLibrary()
    func segments(_ db: Database) throws -> Int { try db.integer("SELECT count(*) FROM search_text_data")! }
    try library.db.write { db in
      let empty = try segments(db)
      for number in 0..<50 { try SearchIndex.put(.diary(number, body: "독서 \(number)"), in: db) }
      #expect(try segments(db) == empty)
      try db.execute("SAVEPOINT part; RELEASE part")
      #expect(try segments(db) > empty)
    }
  }

  @Test("A savepoint that is rolled back takes its index work along")
  func savepoint() throws {
    let library = try SearchLibrary("독서", "여행")
    try library.db.write { db in
      try SearchIndex.put(.diary(2, body: "일기"), in: db)
      try db.execute("SAVEPOINT part")
      try SearchIndex.put(.diary(0, body: "바뀐 글"), in: db)
      try SearchIndex.remove(collection: "diary", item: "1", in: db)
      try SearchIndex.put(.diary(3, body: "새 글"), in: db)
      try db.execute("ROLLBACK TO part; RELEASE part")
    }
    #expect(try library.find("독서") == [0])
    #expect(try library.find("여행") == [1])
    #expect(try library.find("일기") == [2])
    #expect(try library.find("글") == [])
    #expect(try library.problems() == [])
  }

  @Test("A search is kept to the collections asked for, and their names are not words")
  func collections() throws {
    let library = try SearchLibrary("독서")
    try library.db.write { db in
      try SearchIndex.put(SearchEntry(collection: "posts", item: "1", at: 0, title: "독서", body: "diary"), in: db)
    }
    func find(_ text: String, in collections: [String]) throws -> [String] {
      try library.db.read { db in
        try SearchIndex.candidates(
          matching: MatchQuery(userText: text), collections: collections, limit: 9, now: 0, in: db
        ).map(\.collection)
      }
    }
    #expect(try find("독서", in: ["diary"]) == ["diary"])
    #expect(try find("독서", in: ["posts"]) == ["posts"])
    #expect(try find("독서", in: ["diary", "posts"]) == ["posts", "diary"])
    #expect(try find("독서", in: ["po"]) == [])
    #expect(try find("독서", in: []) == [])
    #expect(try library.find("diary") == [1])
  }

  @Test("An index of another tokenizer is rebuilt from its texts, and until then writes are kept for it")
  func otherVersion() throws {
    let library = try SearchLibrary("독서", "여행")
    try library.db.write { db in
      #expect(try !SearchIndex.needsRebuild(db))
      try db.execute("UPDATE search_state SET tokenizer = tokenizer + 1")
      #expect(try SearchIndex.needsRebuild(db))
      #expect(try SearchIndex.check(db).count == 1)
      try SearchIndex.put(.diary(0, body: "바뀐 글"), in: db)
      try SearchIndex.remove(collection: "diary", item: "1", in: db)
      try SearchIndex.put(.diary(2, body: "새 글"), in: db)
      var progress: [Int] = []
      try SearchIndex.rebuild(in: db, from: supply(SearchIndex.storedEntries(in: db))) { progress.append($0) }
      #expect(progress == [2])
      #expect(try !SearchIndex.needsRebuild(db))
    }
    #expect(try library.find("글").sorted() == [0, 2])
    #expect(try library.find("독서") == [])
    #expect(try library.find("여행") == [])
    #expect(try library.problems() == [])
  }

  @Test("Writes between the steps of a rebuild are in the new index, and what was removed stays away")
  func writesDuringRebuild() throws {
    let library = try SearchLibrary("하나", "둘", "셋")
    let entries = ["하나", "둘", "셋"].enumerated().map { SearchEntry.diary($0, body: $1) }
    try library.db.write { try SearchIndex.beginRebuild(in: $0) }
    try library.db.write { try SearchIndex.add(entries[0], in: $0) }
    try library.db.write { db in
      #expect(try SearchIndex.needsRebuild(db))
      try SearchIndex.remove(collection: "diary", item: "0", in: db)
      try SearchIndex.put(.diary(1, body: "바뀐 글"), in: db)
      try SearchIndex.put(.diary(3, body: "넷"), in: db)
    }
    #expect(try library.find("바뀐") == [1])
    try library.db.write { db in
      try SearchIndex.add(entries[1], in: db)
      try SearchIndex.add(entries[2], in: db)
      try SearchIndex.finishRebuild(in: db)
    }
    #expect(try library.find("하나") == [])
    #expect(try library.find("둘") == [])
    #expect(try ["바뀐", "셋", "넷"].map { try library.find($0) } == [[1], [2], [3]])
    try library.db.write { try SearchIndex.put(.diary(3, body: "다섯"), in: $0) }
    #expect(try library.find("다섯") == [3])
    #expect(try library.problems() == [])
  }

  @Test("Readers go on during a rebuild, and after it the file has nothing of a forgotten text")
  func rebuildBesideReaders() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "search-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "library.db").path
    let writer = try SearchLibrary.open(path)
    try writer.execute("PRAGMA journal_mode = WAL")
    let secret = "unforgettablesecret"
    func find(_ text: String, in db: Database) throws -> Int {
      try SearchIndex.candidates(matching: MatchQuery(userText: text), limit: 9, now: 0, in: db).count
    }
    try writer.write { db in
      try SearchIndex.create(in: db)
      for number in 0..<50 { try SearchIndex.put(.diary(number, body: "kept \(number)"), in: db) }
      try SearchIndex.put(.diary(50, body: secret), in: db)
    }
    try writer.write { try SearchIndex.remove(collection: "diary", item: "50", in: $0) }
    let reader = try SearchLibrary.open(path, access: .reading)
    try reader.execute("BEGIN")
    // Pins the reader's snapshot.
    #expect(try find("kept", in: reader) == 9)
    try writer.write { db in
      let entries = (0..<3).map { SearchEntry.diary($0, body: "kept \($0)") }
      try SearchIndex.rebuild(in: db, from: supply(entries))
      #expect(try find("49", in: reader) == 1)
    }
    #expect(try find("49", in: reader) == 1)
    try reader.execute("COMMIT")
    #expect(try find("49", in: reader) == 0)
    #expect(try find("kept", in: reader) == 3)
    try writer.truncateLog()
    for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
      #expect(try Data(contentsOf: file).range(of: Data(secret.utf8)) == nil, "\(file.lastPathComponent)")
    }
  }

  @Test("The check tells an index that disagrees with its texts, and texts that disagree with the data")
  func check() throws {
    let library = try SearchLibrary("하나", "둘")
    try library.db.write { db in
      let data = [SearchEntry.diary(1, body: "다른 글"), .diary(2, body: "셋")]
      #expect(try SearchIndex.check(db, against: supply(data)).count == 3)
      #expect(try SearchIndex.check(db, against: supply(SearchIndex.storedEntries(in: db))) == [])
      try db.execute("UPDATE search_body SET body = 'behind its back' WHERE body = '둘'")
      #expect(try SearchIndex.check(db).count == 1)
    }
  }

  @Test(
    "The check tells entries and texts that do not go together, and in an index made anew they do",
    arguments: [
      ("DELETE FROM search_body WHERE body = '둘'", "1 entries without their texts"),
      ("INSERT INTO search_body VALUES (99, 'left', '', 'behind')", "1 texts without an entry"),
    ])
  func pairings(damage: String, problem: String) throws {
    let library = try SearchLibrary("하나", "둘")
    let data = [SearchEntry.diary(0, body: "하나"), .diary(1, body: "둘")]
    try library.db.write { db in
      #expect(try SearchIndex.check(db, against: supply(data)) == [])
      try db.execute(damage)
      let found = try SearchIndex.check(db, against: supply(data))
      #expect(found.contains("The search index has \(problem)."), "\(found)")
      try SearchIndex.rebuild(in: db, from: supply(data))
      #expect(try SearchIndex.check(db, against: supply(data)) == [])
    }
    #expect(try library.find("둘") == [1])
  }

  @Test("Texts that have lost their entry stop no write: they give way to those of the next entry")
  func leftTexts() throws {
    let library = try SearchLibrary("하나")
    try library.db.write { db in
      try db.execute("INSERT INTO search_body VALUES (2, 'left', '', 'behind')")
      try SearchIndex.put(.diary(1, body: "둘"), in: db)
    }
    #expect(try library.problems() == [])
    #expect(try library.find("둘") == [1])
  }
}
