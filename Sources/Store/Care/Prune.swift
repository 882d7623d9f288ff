import Contract

extension Store {
  /// Drops kinds and revisions that nobody asks for any more: older than 90 days, beyond the newest 100,000, and
  /// without anything that the user wrote. What the user wrote stays until it is forgotten on purpose.
  package func pruneLog() throws {
    let limit = now().milliseconds - ChangeLog.keptMilliseconds
    try maintenance.write { db in
      let clock = try db.first(
        "SELECT clock FROM changes ORDER BY clock DESC LIMIT 1 OFFSET ?", [.integer(ChangeLog.minimumChanges)]
      ) { $0.integer(0) }
      guard let clock else { return }
      let old =
        "c.clock < ? AND c.at < ? AND NOT EXISTS (SELECT 1 FROM changes k WHERE k.clock = c.clock AND k.before IS NOT NULL)"
      // From the oldest on without a hole: `changes/since` takes the oldest commit for the beginning of what is known.
      let end = try db.first(
        "SELECT min(c.clock) FROM commits c WHERE NOT (\(old))", [.integer(clock), .integer(limit)]
      ) { $0.optionalInteger(0) }
      guard case let end?? = end else { return }
      try db.run("DELETE FROM changes WHERE clock < ?", [.integer(end)])
      try db.run("DELETE FROM commits WHERE clock < ?", [.integer(end)])
    }
  }
}
