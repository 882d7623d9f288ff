import Contract

extension Store {
  /// Deletes commits and their changes that nobody requests any more: older than 90 days, beyond the newest 100,000,
  /// and without any previous version of user data. Those stay until they are forgotten on purpose.
  ///
  /// - Throws: `DatabaseError` or `StoreError`.
  package func pruneLog() throws {
    let limit = now().milliseconds - ChangeLog.retentionMilliseconds
    try maintenance.write { db in
      let clock = try db.first(
        "SELECT clock FROM changes ORDER BY clock DESC LIMIT 1 OFFSET ?", [.integer(ChangeLog.minimumChanges)]
      ) { $0.integer(0) }
      guard let clock else { return }
      let old =
        "c.clock < ? AND c.at < ? AND NOT EXISTS (SELECT 1 FROM changes k WHERE k.clock = c.clock AND k.before IS NOT NULL)"
      // From the oldest on without a gap: `changes/since` takes the oldest commit as the beginning of the known
      // history.
      let end = try db.first(
        "SELECT min(c.clock) FROM commits c WHERE NOT (\(old))", [.integer(clock), .integer(limit)]
      ) { $0.optionalInteger(0) }
      guard case let end?? = end else { return }
      try db.run("DELETE FROM changes WHERE clock < ?", [.integer(end)])
      try db.run("DELETE FROM commits WHERE clock < ?", [.integer(end)])
    }
  }
}
