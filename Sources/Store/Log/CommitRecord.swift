import Contract
import GRDB

/// One commit as the change log tells it.
package struct CommitRecord: Sendable, Equatable {
  package var clock: Int64
  package var client: String
  package var label: String
  package var at: Instant
  package var action: CommitAction
  package var undoable: Bool
  package var undoOf: Int64?
  package var undoneBy: Int64?

  /// Newest first, before `clock` where given. Notes are none of them.
  package static func log(in snapshot: Snapshot, before clock: Int64?, limit: Int) throws -> [CommitRecord] {
    let statement = try snapshot.db.cachedStatement(
      sql: """
        SELECT c.*, (SELECT max(u.clock) FROM commits u WHERE u.undoOf = c.clock AND u.isVoid = c.isVoid) AS undoneBy
        FROM commits c WHERE c.clock < ? AND c.action <> 'note' ORDER BY c.clock DESC LIMIT ?
        """)
    return try Row.fetchAll(statement, arguments: [clock ?? Int64.max, limit]).map(CommitRecord.init(row:))
  }

  /// How many commits there are from `clock` on, all where nil.
  package static func count(in snapshot: Snapshot, from clock: Int64? = 0) throws -> Int {
    guard let clock else { return 0 }
    let statement = try snapshot.db.cachedStatement(
      sql: "SELECT count(*) FROM commits WHERE clock >= ? AND action <> 'note'")
    return try Int.fetchOne(statement, arguments: [clock]) ?? 0
  }

  init(row: Row) throws {
    clock = try row.value("clock")
    client = try row.value("client")
    label = try row.value("label")
    at = try row.value("at")
    action = CommitAction(rawValue: try row.value("action")) ?? .write
    undoneBy = try row.optionalValue("undoneBy")
    undoOf = try row.optionalValue("undoOf")
    undoable = try row.value("undoable") && undoneBy == nil
  }
}
