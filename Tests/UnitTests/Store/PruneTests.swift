import Foundation
import TestSupport
import Testing

@testable import Store

/// What the change log drops, and what clients that come back are answered then.
@Suite(.timeLimit(.minutes(10))) struct PruneTests {
  private let folder = TemporaryFolder()

  /// Commits from clock 1 on, all of them too old, each with one change of the same item.
  ///
  /// - Parameter written: the clocks of commits that hold what a user wrote.
  private func open(commits count: Int, written: Set<Int64>) throws -> Store {
    let store = try Store.toys(in: folder)
    try store.pool.write { db in
      try db.run(
        """
        WITH RECURSIVE n (clock) AS (SELECT 1 UNION ALL SELECT clock + 1 FROM n WHERE clock < ?)
        INSERT INTO commits (clock, client, connection, device, label, at, action, undoable, isVoid)
        SELECT clock, 'test', '', '', 'test', -1 << 50, 'write', 1, 0 FROM n
        """, [.integer(count)])
      try db.execute(
        """
        INSERT INTO changes (clock, place, collection, id, kind, revision, fields, before)
        SELECT clock, 0, 'toys', 'x', 'updated', clock, 'title', NULL FROM commits
        """)
      for clock in written {
        try db.run("UPDATE changes SET before = '{}' WHERE clock = ?", [.integer(clock)])
      }
      try db.run("UPDATE library SET clock = ?", [.integer(count)])
    }
    return store
  }

  private func clocks(in store: Store) throws -> [Int64] {
    try store.pool.read { db in
      let (commits, changes) = (
        try db.integers("SELECT clock FROM commits ORDER BY clock"),
        try db.integers("SELECT clock FROM changes ORDER BY clock")
      )
      #expect(commits == changes)
      return commits
    }
  }

  private func delta(since clock: Int64, in store: Store) throws -> Delta {
    try store.pool.read { db in try ChangeLog.delta(since: clock, in: .pin(db, caller: DaemonCaller())) }
  }

  @Test("of old commits beyond the newest 100,000 those go that are older than all that a user wrote")
  func pruned() throws {
    let count = Int64(ChangeLog.minimumChanges) + 100
    let store = try open(commits: Int(count), written: [40])
    try store.pruneLog()
    #expect(try clocks(in: store) == Array(40...count))
    #expect(
      try store.pool.read { try $0.text("SELECT before FROM changes WHERE clock = 40") } == "{}")

    // A client that saw all but what is there still gets the changes; one that saw less fetches everything.
    let known = try delta(since: 39, in: store)
    guard case .changes(let changes) = known.content else {
      Issue.record("the delta from the oldest commit on is a reset")
      return
    }
    #expect(changes.map(\.id) == ["x"] && known.clock == count)
    for clock in [Int64(1), 38] { #expect(try delta(since: clock, in: store).content == .reset(nil)) }
    store.close()
  }

  @Test("of old commits no more go than are beyond the newest 100,000")
  func newest() throws {
    let count = Int64(ChangeLog.minimumChanges) + 100
    let store = try open(commits: Int(count), written: [])
    try store.pruneLog()
    #expect(try clocks(in: store) == Array(100...count))
    store.close()
  }
}
