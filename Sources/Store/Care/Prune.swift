import Contract
import GRDB

extension Store {
  /// Drops kinds and revisions that nobody asks for any more: older than 90 days, beyond the newest 100,000, and
  /// without anything that the user wrote. What the user wrote stays until it is forgotten on purpose.
  package func pruneLog() throws {
    let limit = now().milliseconds - ChangeLog.keptMilliseconds
    try maintenance.write { db in
      let clock = try Int64.fetchOne(
        db, sql: "SELECT clock FROM changes ORDER BY clock DESC LIMIT 1 OFFSET ?",
        arguments: [ChangeLog.minimumChanges])
      guard let clock else { return }
      let old =
        "c.clock < ? AND c.at < ? AND NOT EXISTS (SELECT 1 FROM changes k WHERE k.clock = c.clock AND k.before IS NOT NULL)"
      let arguments: StatementArguments = [clock, limit]
      // From the oldest on without a hole: `changes/since` takes the oldest commit for the beginning of what is known.
      guard
        let end = try Int64.fetchOne(
          db, sql: "SELECT min(c.clock) FROM commits c WHERE NOT (\(old))", arguments: arguments)
      else { return }
      try db.execute(sql: "DELETE FROM changes WHERE clock < ?", arguments: [end])
      try db.execute(sql: "DELETE FROM commits WHERE clock < ?", arguments: [end])
    }
  }
}
