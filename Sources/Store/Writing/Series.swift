import SQLite
import Wire

/// The commits of one long write. In the log they carry the clock of the first of them, and only the newest of them can
/// be undone, which takes all of them back.
///
///     commits      slice, not undoable ─ slice, not undoable ─ last slice, undoable
///     openSeries   its first clock ──────────────────────────┘ gone
///
/// A series that stays open was cut off. It is taken back: when a slice failed at once, after a crash before the library
/// is served. Its commits, and those that take it back, are void: nobody's undo or redo finds them.
struct Series: Sendable {
  /// The clock of its first commit.
  var first: Int64
  var isEnded = false
  /// How many items its commits so far have told of. What changes more than `Delta.limit` items is told as a reset, also
  /// when it comes in slices.
  var told = 0

  init(first: Int64) {
    self.first = first
  }

  var ended: Series {
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

  /// The first clocks of those that were cut off.
  static func open(_ db: Database) throws -> [Int64] {
    try db.integers("SELECT first FROM openSeries ORDER BY first DESC")
  }
}

extension Transaction {
  /// Whether a slice may go on; a write that has no slices may always.
  package var hasRoom: Bool {
    guard let room else { return true }
    guard writtenBytes < SliceRoom.mostBytes else { return false }
    let changes = db.totalChangesCount - room.changes - derivedRows
    guard room.othersWait() else { return changes < room.mostRows }
    return changes < room.rows && ContinuousClock.now < room.end
  }

  func beginSlice(rows: Int, mostRows: Int, within duration: Duration, othersWait: @escaping () -> Bool) {
    room = SliceRoom(
      changes: db.totalChangesCount, rows: rows, mostRows: mostRows, end: .now + duration, othersWait: othersWait)
  }

  /// Whether the series has changed more items by now than are told one by one.
  var isOfMany: Bool {
    series.map { $0.told + notes.count > Delta.limit } ?? false
  }

  /// After the commit's own rows were written.
  func settleSeries(hasCommit: Bool) throws {
    guard let series else { return }
    guard series.isEnded else {
      if hasCommit, series.first == clock {
        try db.run("INSERT INTO openSeries (first) VALUES (?)", [.integer(clock)])
      }
      return
    }
    try db.run("DELETE FROM openSeries WHERE first = ?", [.integer(series.first)])
    guard isUndoable else { return }
    try db.run(
      """
      UPDATE commits SET undoable = 1 WHERE clock = (SELECT max(clock) FROM commits WHERE series = ?1)
        AND EXISTS (SELECT 1 FROM commits c JOIN changes h ON h.clock = c.clock
          WHERE c.series = ?1 AND (h.kind = 'added' OR h.before IS NOT NULL))
      """, [.integer(series.first)])
  }

  /// The slice that was made before this one of the same series; nil where it is the first or no slice at all.
  func slice(before clock: Int64) throws -> Int64? {
    try db.first(
      """
      SELECT max(clock) FROM commits
      WHERE series = (SELECT series FROM commits WHERE clock = ?1) AND clock < ?1
      """, [.integer(clock)]
    ) { $0.isNull(0) ? nil : $0.integer(0) } ?? nil
  }

  /// Takes back the newest slice of a series that was given up; false when none is left, and the series is closed.
  func takeBackNewest(ofSeriesFrom first: Int64) throws -> Bool {
    keepSilent()
    isUndoable = false
    isGivingUp = true
    let newest = try db.first("SELECT max(clock) FROM commits WHERE series = ? AND isVoid = 0", [.integer(first)]) {
      $0.isNull(0) ? nil : $0.integer(0)
    }
    guard let newest = newest ?? nil else {
      try db.run("DELETE FROM openSeries WHERE first = ?", [.integer(first)])
      return false
    }
    try undo(newest, force: true)
    try db.run("UPDATE commits SET isVoid = 1 WHERE clock = ?", [.integer(newest)])
    return true
  }
}

/// How far a slice may go.
struct SliceRoom {
  /// Bytes of items in a slice. With the search index and the change log they become about three times as many in the
  /// write-ahead log, which so stays below its limit (`LogLimits`) when a slice meets a log that is already long.
  static let mostBytes = 4 << 20

  /// How many rows the connection had changed when it began; those of links are not counted from then on.
  var changes: Int
  /// How many it may change, and until when, while somebody waits.
  var rows: Int
  /// How many in any case.
  var mostRows: Int
  var end: ContinuousClock.Instant
  var othersWait: () -> Bool
}
