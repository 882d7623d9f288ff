import Contract
import SearchEngine
import Testing
import Wire

@testable import SQLite
@testable import Store

@Suite struct ItemTagsTests {
  private struct Leaf: StoredItem {
    static let collectionName = "leaves"
    static let tableName = "leaf"
    var id = ""
    var revision: Int64 = 0
    var createdAt = Instant(milliseconds: 0)
    var updatedAt = Instant(milliseconds: 0)
    var tags: [String] = []

    static let fields = Fields<Self> {
      Field("tags", \.tags).searched(.tags)
    }
  }

  @Test("The tags of all items are found part by part, whatever the size of a part, also beside items without any")
  func parts() throws {
    let database = try Database(path: Database.inMemory) { try SearchIndex.prepare($0) }
    try database.write { db in
      try db.execute(
        """
        CREATE TABLE leaf (
          id TEXT PRIMARY KEY, revision INTEGER, createdAt INTEGER, updatedAt INTEGER, tags TEXT NOT NULL);
        INSERT INTO leaf (rowid, id, tags) VALUES (-3, 'a', '["One","two"]'), (1, 'b', '[]'), (2, 'c', '[5]'),
          (7, 'd', '["TWO"]'), (8, 'e', '[]'), (9, 'f', '["three","one","four"]');
        """)
      let leaves = ItemCollection(Leaf.self, payload: { _, _ in JSONValue?.none })
      for limit in 1...7 {
        var (row, found): (Int64?, [String]) = (nil, [])
        repeat {
          row = try leaves.eachTag(after: row, limit: limit, in: db) { id, tag, folded in
            found.append("\(id) \(tag) \(folded)")
          }
        } while row != nil
        #expect(
          found == ["a One one", "a two two", "d TWO two", "f three three", "f one one", "f four four"], "\(limit)")
      }
    }
  }
}
