import Foundation
import TestSupport
import Testing

@testable import Store

/// Old versions of what was fetched do not stay for ever; what a reader wrote does.
@Suite struct FetchedVersionTests {
  private let folder = TemporaryFolder()

  /// Commits, each with one old version of so many letters.
  private func fill(_ store: Store, _ commits: [(clock: Int64, connection: String, age: Int64, letters: Int)]) throws {
    let now = store.now().milliseconds
    try store.pool.write { db in
      for commit in commits {
        try db.run(
          """
          INSERT INTO commits (clock, client, connection, device, label, at, action, undoable, isVoid)
          VALUES (?, '', ?, '', 'test', ?, 'write', ?, 0)
          """,
          [
            .integer(commit.clock), .text(commit.connection), .integer(now - commit.age),
            .bool(!commit.connection.isEmpty),
          ])
        try db.run(
          "INSERT INTO changes VALUES (?, 0, 'toys', 'x', 'updated', ?, 'name', ?)",
          [.integer(commit.clock), .integer(commit.clock), .text(String(repeating: "x", count: commit.letters))])
      }
    }
  }

  private func kept(in store: Store) throws -> [Int64] {
    try store.pool.read {
      try $0.integers("SELECT clock FROM changes WHERE before IS NOT NULL ORDER BY clock")
    }
  }

  @Test("old versions of what was fetched go after a month, those of a reader stay")
  func age() throws {
    let store = try Store.toys(in: folder)
    let month = Store.fetchedMilliseconds
    try fill(store, [(1, "", month + 1, 5), (2, "reader", month * 12, 5), (3, "", month - 1_000, 5)])
    try store.pruneFetched()
    #expect(try kept(in: store) == [2, 3])
    store.close()
  }

  @Test("of more than there is room for the oldest go, and that they were stays known")
  func room() throws {
    let store = try Store.toys(in: folder)
    try fill(store, [(1, "", 4_000, 40), (2, "", 3_000, 40), (3, "reader", 2_000, 400), (4, "", 1_000, 40)])
    try store.pruneFetched(bytes: 100)
    #expect(try kept(in: store) == [2, 3, 4])
    try store.pruneFetched(bytes: 50)
    #expect(try kept(in: store) == [3, 4])
    #expect(try store.pool.read { try $0.integer("SELECT count(*) FROM changes") } == 4)
    store.close()
  }

  @Test("of a group that can be undone as one every version stays, of one that cannot be they go")
  func groups() throws {
    let store = try Store.toys(in: folder)
    let month = Store.fetchedMilliseconds
    try fill(store, (1...5).map { ($0, "", month + 1, 5) })
    try store.pool.write { db in
      try db.execute(
        """
        UPDATE commits SET series = 1 WHERE clock IN (1, 2, 3);
        UPDATE commits SET undoable = 1 WHERE clock = 3;
        UPDATE commits SET series = 4 WHERE clock IN (4, 5);
        """)
    }
    try store.pruneFetched()
    #expect(try kept(in: store) == [1, 2, 3])
    try store.pruneFetched(bytes: 0)
    #expect(try kept(in: store) == [1, 2, 3])
    store.close()
  }

  @Test("the file of a version goes with it, and that of a version that stays is retained")
  func files() throws {
    let store = try Store.toys(in: folder)
    let month = Store.fetchedMilliseconds
    try fill(store, [(1, "", month + 1, 5), (2, "reader", month * 12, 5)])
    try store.pool.write { db in
      for clock: Int64 in 1...2 {
        try db.run("INSERT INTO changeBlob VALUES (?, ?)", [.text("\(clock)"), .integer(clock)])
      }
    }
    try store.pruneFetched()
    #expect(try store.pool.read { try $0.texts("SELECT hash FROM changeBlob") } == ["2"])
    store.close()
  }
}
