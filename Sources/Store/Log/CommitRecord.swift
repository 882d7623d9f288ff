import Contract
import SQLite

/// A commit as the change log lists it.
package struct CommitRecord: Sendable, Equatable {
  package var clock: Int64
  package var client: String
  package var label: String
  package var at: Instant
  package var action: CommitAction
  package var undoable: Bool
  package var undoOf: Int64?
  package var undoneBy: Int64?
  package var reason: String?

  /// The commits before `clock`, or all, newest first; with `client` only those of that client. Commits of the action
  /// `note` are skipped.
  ///
  /// - Throws: `StoreError.broken` for an invalid row, `DatabaseError`.
  package static func log(
    in snapshot: Snapshot, before clock: Int64?, of client: String? = nil, limit: Int
  ) throws -> [CommitRecord] {
    var records: [CommitRecord] = []
    try snapshot.db.each(
      """
      SELECT c.clock, c.client, c.label, c.at, c.action, c.undoable, c.undoOf,
        (SELECT max(u.clock) FROM commits u WHERE u.undoOf = c.clock AND u.isVoid = c.isVoid) AS undoneBy, c.reason
      FROM commits c WHERE c.clock < ?1 AND c.action <> 'note' \(client == nil ? "" : ofClient)
      ORDER BY c.clock DESC LIMIT ?2
      """, [.integer(clock ?? .max), .integer(limit)] + (client.map { [.text($0)] } ?? [])
    ) { records.append(try CommitRecord(row: $0)) }
    return records
  }

  /// Whether a commit is undone at present: a redo is the undo of an undo.
  ///
  /// - Throws: `DatabaseError`.
  package static func isUndone(_ clock: Int64, in snapshot: Snapshot) throws -> Bool {
    var (last, isUndone) = (clock, false)
    while let undo = try snapshot.db.first(
      "SELECT clock FROM commits WHERE undoOf = ? AND NOT isVoid", [.integer(last)], { $0.integer(0) })
    {
      last = undo
      isUndone.toggle()
    }
    return isUndone
  }

  /// Clients without a name are in no index.
  private static let ofClient = "AND c.client = ?3 AND c.client <> ''"

  /// The number of commits from `clock` on, with `client` only of that client; 0 if `clock` is nil.
  ///
  /// - Throws: `DatabaseError`.
  package static func count(in snapshot: Snapshot, from clock: Int64? = 0, of client: String? = nil) throws -> Int {
    guard let clock else { return 0 }
    return try snapshot.db.first(
      """
      SELECT count(*) FROM commits c WHERE c.clock >= ?1 AND c.action <> 'note'
      \(client == nil ? "" : "AND c.client = ?2 AND c.client <> ''")
      """, [.integer(clock)] + (client.map { [.text($0)] } ?? [])
    ) { $0.int(0) } ?? 0
  }

  private init(row: Columns) throws {
    clock = row.integer(0)
    client = try row.requiredText(1)
    label = try row.requiredText(2)
    at = Instant(milliseconds: try row.requiredInteger(3))
    action = CommitAction(rawValue: try row.requiredText(4)) ?? .write
    undoneBy = row.isNull(7) ? nil : try row.requiredInteger(7)
    undoOf = row.isNull(6) ? nil : try row.requiredInteger(6)
    undoable = try row.requiredInteger(5) != 0 && undoneBy == nil
    reason = row.isNull(8) ? nil : try row.requiredText(8)
  }
}
