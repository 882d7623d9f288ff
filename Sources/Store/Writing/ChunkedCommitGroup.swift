import SQLite
import Wire

/// The commits of one long write. In the change log they contain the clock of the first of them, and only the last one
/// can be undone, which undoes all of them.
///
///     commits      slice, not undoable ─ slice, not undoable ─ last slice, undoable
///     openSeries   its first clock ──────────────────────────┘ deleted
///
/// A group that stays open was interrupted. It is rolled back: at once after a failed slice, or after a crash before
/// the library is served. Its commits, and those of the rollback, are void: no undo or redo applies to them.
struct ChunkedCommitGroup: Sendable {
  /// The clock of its first commit.
  var first: Int64
  var isEnded = false
  /// The newest commit of a group whose commits stand for themselves (`Transaction.continueGroup`): it can be undone
  /// until this commit takes its place.
  var continued: Int64?
  /// The number of items reported by its commits so far. More than `Delta.limit` changed items are reported as a reset,
  /// even if each slice has fewer.
  var reported = 0

  init(first: Int64) {
    self.first = first
  }

  var ended: ChunkedCommitGroup {
    var series = self
    series.isEnded = true
    return series
  }

  static func createTables(in db: Database) throws {
    try db.execute(
      """
      ALTER TABLE commits ADD COLUMN series INTEGER;
      ALTER TABLE commits ADD COLUMN isVoid INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX commitsBySeries ON commits (series, clock) WHERE series IS NOT NULL;
      CREATE TABLE openSeries (first INTEGER PRIMARY KEY);
      """)
  }

  /// The first clocks of interrupted groups.
  static func open(_ db: Database) throws -> [Int64] {
    try db.integers("SELECT first FROM openSeries ORDER BY first DESC")
  }
}

/// The limits of a slice.
struct SliceRoom {
  /// The most bytes of items in a slice. With the search index and the change log they take about three times as much
  /// in the WAL, which so stays below its limit (`WALLimits`) even if it is already long.
  static let mostBytes = 4 << 20

  /// The connection's change count when the slice began, increased by derived rows.
  var changes: Int
  /// The most rows, and the time limit, while another write waits.
  var rows: Int
  /// The most rows in any case.
  var mostRows: Int
  var end: ContinuousClock.Instant
  var othersWait: () -> Bool
}
