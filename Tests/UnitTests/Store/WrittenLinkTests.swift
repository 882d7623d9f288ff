import CStore
import SQLite
import Synchronization
import Testing

@testable import Store

@Suite("Links that are written to items") struct WrittenLinkTests {
  /// How many statements a connection has begun.
  private final class Statements: Sendable {
    let count = Atomic(0)
  }

  private static func database(_ titles: [(item: String, isFormer: Bool, key: String)]) throws -> Database {
    let db = try Database(path: Database.inMemory)
    try db.execute("CREATE TABLE commits (clock INTEGER PRIMARY KEY)")
    try LinkTables.create(in: db)
    for (place, title) in titles.enumerated() {
      try db.run(
        "INSERT INTO linkTitle VALUES ('projects', ?, ?, ?, ?)",
        [.text(title.item), .bool(title.isFormer), .text(title.key), .integer(place)])
    }
    return db
  }

  private static func written(_ titles: [(String, String)], in db: Database) throws -> [String] {
    try LinkReads(Snapshot(db: db, clock: 0, caller: DaemonCaller())).written(
      to: titles.map { (ItemKey(collection: "projects", id: $0.0), $0.1, "commonplace:/projects/\($0.0)") })
  }

  @Test("a title is written if it leads to its item alone, as a former title too, else the id")
  func meant() throws {
    let db = try Self.database([
      ("a", false, "alone"), ("b", false, "shared"), ("c", false, "shared"), ("d", true, "given up"),
      ("e", true, "taken"), ("f", false, "taken"), ("g", true, "twice"), ("h", true, "twice"), ("i", false, "back"),
      ("i", true, "back"), ("j", true, "shared"),
    ])
    let written = try Self.written(
      [
        ("a", "Alone"), ("b", "Shared"), ("d", "Given up"), ("e", "Taken"), ("f", "Taken"), ("g", "Twice"),
        ("i", "Back"), ("j", "Shared"), ("none", "Alone"), ("a", "a ]] b"),
      ], in: db)
    #expect(
      written == [
        "[[Alone]]", "[[commonplace:/projects/b][Shared]]", "[[Given up]]", "[[commonplace:/projects/e][Taken]]",
        "[[Taken]]", "[[commonplace:/projects/g][Twice]]", "[[Back]]", "[[commonplace:/projects/j][Shared]]",
        "[[commonplace:/projects/none][Alone]]", "[[commonplace:/projects/a][a )) b]]",
      ])
    #expect(try Self.written([], in: db) == [])
  }

  @Test("one statement resolves the titles of a whole completion, by the indexes")
  func oneStatement() throws {
    let titles = (0..<50).map { (item: "\($0)", isFormer: false, key: "title \($0)") }
    let db = try Self.database(titles)
    let statements = Statements()
    sqlite3_trace_v2(
      db.sqliteConnection, UInt32(SQLITE_TRACE_STMT),
      { _, context, _, _ in
        Unmanaged<Statements>.fromOpaque(context!).takeUnretainedValue().count.add(1, ordering: .relaxed)
        return 0
      }, Unmanaged.passUnretained(statements).toOpaque())
    let written = try Self.written(titles.map { ($0.item, "Title \($0.item)") }, in: db)
    sqlite3_trace_v2(db.sqliteConnection, 0, nil, nil)
    #expect(written == titles.map { "[[Title \($0.item)]]" })
    #expect(statements.count.load(ordering: .relaxed) == 1)
  }
}
