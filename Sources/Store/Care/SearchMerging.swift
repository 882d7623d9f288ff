import SQLite
import SearchEngine

/// Merges the index segments of earlier writes, while no write or request is running.
///
/// FTS5 writes the tokens of each commit as a segment of its own, and by default merges segments within later commits:
/// that makes a write of a Korean text, which has several times the tokens of an English one, cost half as much again.
/// Here a write merges only in a burst without pauses, when 64 segments of about one size have accumulated; a query
/// looks a term up in each segment.
package struct SearchMerging: Sendable {
  let writer: MaintenanceWriter
  private let idleYield: IdleYield

  init(writer: MaintenanceWriter, asked: @escaping @Sendable () -> Int = { 0 }) {
    (self.writer, idleYield) = (writer, IdleYield(asked: asked))
  }

  /// A write that arrives meanwhile waits at most this long, and has the pause between two turns for itself.
  private static let longest: Duration = .milliseconds(20)
  static let pause: Duration = .milliseconds(50)

  /// Segments of an earlier daemon are merged only after the clients that waited for this one have their first replies.
  static let atStart: IdleSchedule.Step = (.seconds(2), { true })

  /// Pages of the index per step.
  private static let pages = 64

  /// Merges a few pages.
  ///
  /// - Throws: `DatabaseError`.
  private static func step(in db: Database) throws {
    let text = SearchTables.current.text
    try db.run("INSERT INTO \(text) (\(text), rank) VALUES ('merge', ?)", [.integer(pages)])
  }

  /// Merges a few pages in a slice of a long write that goes on: sixty-four segments of its slices, merged at once by the
  /// next one, would keep others waiting for longer than any slice. A damaged segment of an earlier write must not make
  /// this one fail.
  ///
  /// - Returns: false if the index is damaged; its rebuild is noted.
  /// - Throws: `DatabaseError`.
  static func stepOfWrite(in db: Database) throws -> Bool {
    try db.run("SAVEPOINT merging")
    do {
      try step(in: db)
    } catch let error as DatabaseError where error.code == .corrupt && db.isInsideTransaction {
      try db.run("ROLLBACK TO merging")
      try db.run("RELEASE merging")
      try SearchIndex.noteDueRebuild(in: db)
      return false
    }
    try db.run("RELEASE merging")
    return true
  }

  /// Merges for a moment, one commit per step. Returns whether nothing is left to merge, also after a failure such as a
  /// full disk: the next write starts another turn.
  func run() -> Bool {
    if idleYield.yields() { return false }
    let started = ContinuousClock.now
    do {
      while ContinuousClock.now - started < Self.longest {
        let changes = try writer.write { db in
          let before = db.totalChangesCount
          try Self.step(in: db)
          return db.totalChangesCount - before
        }
        // FTS5 reports in this way that there was nothing to merge (6.10).
        if changes < 2 { return true }
      }
      return false
    } catch {
      return true
    }
  }
}
