import SQLite
import Wire

extension Transaction {
  /// Whether a slice may continue; always true for a write without slices.
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

  /// Whether the group has changed more items so far than are reported one by one.
  var isOfMany: Bool {
    series.map { $0.reported + notes.count > Delta.limit } ?? false
  }

  /// Adds this commit to the group of an earlier one, so that they are undone as one, and reported as one that changes
  /// many items.
  ///
  /// Unlike the slices of a long write, each of these commits stands for itself: a crash between two of them leaves the
  /// earlier ones, which can be undone at any time. If the earlier one was undone, this commit begins a new group.
  ///
  /// - Parameters:
  ///   - clock: the earlier commit is the newest one with the caller and label of this one from `clock` on; without one,
  ///     this commit begins a group.
  ///   - reported: the number of items that the group has changed so far.
  /// - Throws: `DatabaseError`.
  package func continueGroup(since clock: Int64, reported: Int) throws {
    let earlier = try db.first(
      """
      SELECT c.clock, coalesce(c.series, c.clock), \(Self.notUndone) FROM commits c
      WHERE c.client = ? AND c.client <> '' AND c.clock >= ? AND c.connection = ? AND c.label = ? AND c.undoable
        AND c.action = 'write'
      ORDER BY c.clock DESC LIMIT 1
      """, [.text(caller.clientName), .integer(clock), .text(caller.connectionID), .text(label)]
    ) { (clock: $0.integer(0), first: $0.integer(1), isNotUndone: $0.integer(2) != 0) }
    guard let earlier, earlier.isNotUndone else { return }
    var group = ChunkedCommitGroup(first: earlier.first)
    (group.continued, group.reported) = (earlier.clock, reported)
    series = group
  }

  /// Opens or closes the group. Called after the commit's own rows were written.
  func settleSeries(hasCommit: Bool) throws {
    guard let series else { return }
    if let earlier = series.continued {
      guard hasCommit else { return }
      // Without anything to undo in this commit, the earlier one stays the one that can be undone.
      try db.run(
        """
        UPDATE commits SET series = ?1, undoable = NOT (SELECT undoable FROM commits WHERE clock = ?3) WHERE clock = ?2
        """, [.integer(series.first), .integer(earlier), .integer(clock)])
      return
    }
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

  /// The preceding commit of the same group; nil for the first one and for a commit without a group.
  func slice(before clock: Int64) throws -> Int64? {
    try db.first(
      """
      SELECT max(clock) FROM commits
      WHERE series = (SELECT series FROM commits WHERE clock = ?1) AND clock < ?1
      """, [.integer(clock)]
    ) { $0.isNull(0) ? nil : $0.integer(0) } ?? nil
  }

  /// Rolls back the newest commit of a failed group; returns false when none is left, and the group is closed.
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
