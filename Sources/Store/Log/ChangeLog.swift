import Contract
import SQLite
import Wire

/// The stored commits and their changes: for clients that reconnect, for undo and for history.
package enum ChangeLog {
  /// How long entries are retained, in milliseconds. At least `minimumChanges` are always retained.
  package static let retentionMilliseconds: Int64 = 90 * 86_400_000
  package static let minimumChanges = 100_000

  static func createTables(in db: Database) throws {
    try db.execute(
      """
      CREATE TABLE library (
        one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL, epoch TEXT NOT NULL, clock INTEGER NOT NULL);
      CREATE TABLE commits (
        clock INTEGER PRIMARY KEY, client TEXT NOT NULL, connection TEXT NOT NULL, device TEXT NOT NULL,
        label TEXT NOT NULL, at INTEGER NOT NULL, action TEXT NOT NULL, undoOf INTEGER, undoable INTEGER NOT NULL);
      CREATE INDEX commitsByConnection ON commits (connection, clock) WHERE connection <> '';
      CREATE INDEX commitsByClient ON commits (client, clock) WHERE client <> '';
      CREATE INDEX commitsByUndo ON commits (undoOf) WHERE undoOf IS NOT NULL;
      CREATE TABLE changes (
        clock INTEGER NOT NULL, place INTEGER NOT NULL, collection TEXT NOT NULL, id TEXT NOT NULL,
        kind TEXT NOT NULL, revision INTEGER NOT NULL, fields TEXT NOT NULL, before TEXT,
        PRIMARY KEY (clock, place)) WITHOUT ROWID;
      CREATE INDEX changesByItem ON changes (collection, id, clock);
      CREATE TABLE blob (hash TEXT PRIMARY KEY, size INTEGER NOT NULL, addedAt INTEGER NOT NULL) WITHOUT ROWID;
      CREATE TABLE changeBlob (hash TEXT NOT NULL, clock INTEGER NOT NULL, PRIMARY KEY (hash, clock)) WITHOUT ROWID;
      """)
  }

  private static let oldestClock = CachedStatement("SELECT min(clock) FROM commits")
  private static let insertCommit = CachedStatement(
    """
    INSERT INTO commits (clock, client, connection, device, label, at, action, undoOf, undoable, series, isVoid, reason)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """)
  private static let insertChange = CachedStatement(
    """
    INSERT INTO changes (clock, place, collection, id, kind, revision, fields, before)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    """)

  /// Writes a transaction's commit and change rows, inside its savepoint.
  static func write(_ transaction: Transaction, device: String) throws -> [Change] {
    let db = transaction.db
    let notes = transaction.notes.filter { !$0.isVoid }
    // In a chunked commit group only the last commit is undoable, once it is written.
    let isSlice = transaction.series.map { $0.continued == nil } ?? false
    let undoable = !isSlice && transaction.isUndoable && notes.contains { $0.kind == .added || $0.before != nil }
    try db.run(insertCommit) {
      $0.add(transaction.clock)
      $0.add(transaction.caller.clientName)
      $0.add(transaction.caller.connectionID)
      $0.add(device)
      $0.add(transaction.label)
      $0.add(transaction.now.milliseconds)
      $0.add(transaction.action.rawValue)
      $0.add(transaction.undoes)
      $0.add(undoable)
      $0.add(transaction.series?.first)
      $0.add(transaction.isGivingUp)
      $0.add(transaction.reason)
    }
    for (place, note) in notes.enumerated() {
      // A rolled-back change is never redone, and a full disk may have no space for another copy of it.
      let before = transaction.isGivingUp ? nil : note.before
      try db.run(insertChange) {
        $0.add(transaction.clock)
        $0.add(place)
        $0.add(note.key.collection)
        $0.add(note.key.id)
        $0.add(note.kind.rawValue)
        $0.add(note.revision)
        $0.add(note.fields.count == 1 ? note.fields[0] : note.fields.joined(separator: ","))
        $0.add(before?.json)
      }
      try noteBlobs(of: before, collection: note.key.collection, in: transaction)
    }
    return notes.map(\.change)
  }

  /// Records blobs to which only an old version refers: they must outlive the item, or undo would restore a document
  /// without its file.
  private static func noteBlobs(
    of before: RowValues?, collection: String, in transaction: Transaction
  ) throws {
    guard let before else { return }
    for column in transaction.schema.collection(collection).description.columns.blobs {
      guard let hash = before.text(column) else { continue }
      try transaction.db.run(
        "INSERT OR IGNORE INTO changeBlob (hash, clock) VALUES (?, ?)", [.text(hash), .integer(transaction.clock)])
    }
  }

  /// The merged changes after `clock`, restricted to `collections` if given. With `limit` it ends after the commit that
  /// reaches that many items, and its clock is that commit's.
  ///
  /// - Throws: `StoreError.broken` for an invalid row, `DatabaseError`.
  package static func delta(
    since clock: Int64, in snapshot: Snapshot, collections: Set<String>? = nil, limit: Int? = nil
  ) throws -> Delta {
    let everything = Delta(since: clock, clock: snapshot.clock, content: .reset(collections?.sorted()))
    guard clock <= snapshot.clock, clock >= 0 else { return everything }
    let oldest =
      try snapshot.db.first(oldestClock) { $0.optionalInteger(0) }.flatMap(\.self) ?? snapshot.clock + 1
    guard clock >= oldest || clock == oldest &- 1 else { return everything }
    var merger = ChangeMerger()
    var end = clock
    var cut: Delta?
    try snapshot.db.scan(
      "SELECT collection, id, kind, revision, fields, clock FROM changes WHERE clock > ? ORDER BY clock, place",
      [.integer(clock)],
      until: { row in
        let change = try change(row)
        let at = try row.requiredInteger(5)
        if let limit, at > end, merger.count >= limit {
          cut = merger.delta(since: clock, clock: end)
          return true
        }
        end = at
        if let collections, !collections.contains(change.collection) { return false }
        merger.add(change)
        // Past the limit only the names of the collections count, and a reset of the collections seen so far is
        // reported.
        if merger.count > 50 * Delta.limit { cut = everything }
        return cut != nil
      })
    return cut ?? merger.delta(since: clock, clock: snapshot.clock)
  }

  /// - Throws: `StoreError.broken` with the column whose value no daemon writes.
  private static func change(_ row: Columns) throws(StoreError) -> Change {
    Change(
      collection: try row.requiredText(0), id: try row.requiredText(1),
      kind: Change.Kind(rawValue: try row.requiredText(2)) ?? .updated, revision: try row.requiredInteger(3),
      fields: try row.requiredText(4).split(separator: ",").map(String.init))
  }
}
