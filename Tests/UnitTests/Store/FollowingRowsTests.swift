import Contract
import Kit
import TestSupport
import Testing
import Wire

@testable import SQLite
@testable import Store

@Suite struct FollowingRowsTests {
  private struct Leaf: StoredItem {
    static let collectionName = "leaves"
    static let tableName = "leaf"
    var id = ""
    var revision: Int64 = 0
    var createdAt = Instant(milliseconds: 0)
    var updatedAt = Instant(milliseconds: 0)
    var color = ""
    var tags: [String] = []

    init() {}

    init(_ id: String, _ color: String, _ tags: [String]) { (self.id, self.color, self.tags) = (id, color, tags) }

    // Another order than that of the table.
    static let fields = Fields<Self> {
      Field("tags", \.tags)
      Field("color", \.color)
    }
  }

  private static let feature = Feature(
    name: "leaves", routes: [],
    migrations: [
      Migration(
        "leaves/001",
        sql: """
          CREATE TABLE leaf (
            id TEXT PRIMARY KEY, revision INTEGER NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL,
            color TEXT NOT NULL, tags TEXT NOT NULL);
          CREATE TABLE leafTag (tag TEXT NOT NULL, leaf TEXT NOT NULL, PRIMARY KEY (tag, leaf)) WITHOUT ROWID;
          CREATE TABLE leafColor (color TEXT PRIMARY KEY, leaves INTEGER NOT NULL) WITHOUT ROWID;
          CREATE TABLE leafAdded (leaf TEXT NOT NULL, color TEXT NOT NULL);
          """)
    ],
    collections: [
      ItemCollection(Leaf.self, payload: { _, _ in JSONValue?.none }).followed(
        by: .tags("leafTag", item: "leaf"),
        FollowingRows(
          on: ["color"],
          added: ["INSERT INTO leafColor VALUES (new.color, 1) ON CONFLICT (color) DO UPDATE SET leaves = leaves + 1"],
          removed: [
            "UPDATE leafColor SET leaves = leaves - 1 WHERE color = old.color",
            "DELETE FROM leafColor WHERE color = old.color AND leaves = 0",
          ]),
        FollowingRows(
          none: [("color", .text("")), ("tags", .text("[]"))],
          added: ["INSERT INTO leafAdded VALUES (new.id, new.color || new.id)"]))
    ])

  private static func rows(_ store: Store) throws -> [String] {
    try store.pool.read { db in
      try db.texts(
        """
        SELECT tag || ' ' || leaf FROM leafTag UNION ALL SELECT color || ' ' || leaves FROM leafColor
        UNION ALL SELECT leaf || ' ' || color FROM leafAdded
        """)
    }
  }

  private static func change(_ id: String, in store: Store, _ body: @escaping @Sendable (inout Leaf) -> Void)
    async throws
  {
    try await store.write { transaction in
      _ = try transaction.change(try transaction.snapshot.get(Leaf.self, id: id)) { body(&$0) }
    }
  }

  @Test("Rows of other tables follow from those of a collection, whatever writes these")
  func following() async throws {
    let folder = TemporaryFolder()
    let store = try Store.toys(in: folder, beside: [Self.feature])
    try await store.write { transaction in
      try transaction.insert(Leaf("a", "red", ["Wet", "ＢＩＧ"]))
      try transaction.insert(Leaf("b", "red", ["[]"]))
      try transaction.insert(Leaf("c", "", []))
    }
    #expect(try Self.rows(store) == ["[] b", "big a", "wet a", " 1", "red 2", "a reda", "b redb"])
    try await Self.change("a", in: store) { ($0.color, $0.tags) = ("brown", ["wet", "old"]) }
    #expect(try Self.rows(store) == ["[] b", "old a", "wet a", " 1", "brown 1", "red 1", "a reda", "b redb"])
    let clock = try await store.write { transaction in
      try transaction.remove(try transaction.snapshot.get(Leaf.self, id: "a"))
      return transaction.clock
    }
    #expect(try Self.rows(store) == ["[] b", " 1", "red 1", "a reda", "b redb"])
    try await store.write { _ = try $0.undo(clock, force: false) }
    let again = ["[] b", "old a", "wet a", " 1", "brown 1", "red 1", "a reda", "b redb", "a browna"]
    #expect(try Self.rows(store) == again)
    store.close()
  }

  @Test("A change of other columns leaves them alone")
  func unchanged() async throws {
    let folder = TemporaryFolder()
    let store = try Store.toys(in: folder, beside: [Self.feature])
    try await store.write { _ = try $0.insert(Leaf("a", "red", ["wet"])) }
    try store.pool.write { try $0.execute("DELETE FROM leafTag") }
    try await Self.change("a", in: store) { $0.color = "brown" }
    #expect(try Self.rows(store) == ["brown 1", "a reda"])
    store.close()
  }
}
