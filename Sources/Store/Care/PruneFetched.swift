import Contract

extension Store {
  /// How long old versions of fetched items are retained (milliseconds), and how many bytes of them.
  package static let fetchedMilliseconds: Int64 = 30 * 86_400_000
  package static let fetchedBytes: Int64 = 64 << 20

  /// Deletes old versions of items that the daemon fetched: those older than a month, and the oldest beyond 64 MiB. The
  /// log still states that they existed. Versions in a commit that can be undone are left alone, as are those in commits
  /// that are undone with it: of the commits of a received file only the last one is undoable.
  ///
  /// - Throws: `DatabaseError` or `StoreError`.
  package func pruneFetched(bytes limit: Int64 = Store.fetchedBytes) throws {
    let oldest = now().milliseconds - Self.fetchedMilliseconds
    try maintenance.write { db in
      let fetched = """
        before IS NOT NULL AND clock IN (SELECT clock FROM commits c WHERE connection = '' AND NOT undoable
          AND NOT EXISTS (SELECT 1 FROM commits l WHERE l.series = c.series AND l.undoable)
        """
      try db.run("UPDATE changes SET before = NULL WHERE \(fetched) AND at < ?)", [.integer(oldest)])
      // Scans from the newest until the limit is reached.
      var left = limit
      var first: Int64?
      try db.scan(
        "SELECT clock, sum(length(before)) FROM changes WHERE \(fetched)) GROUP BY clock ORDER BY clock DESC",
        until: { row in
          left -= row.integer(1)
          if left < 0 { first = row.integer(0) }
          return first != nil
        })
      if let first {
        try db.run("UPDATE changes SET before = NULL WHERE \(fetched)) AND clock <= ?", [.integer(first)])
      }
      // Without the versions nothing brings their files back.
      try db.run(
        """
        DELETE FROM changeBlob WHERE NOT EXISTS
          (SELECT 1 FROM changes WHERE changes.clock = changeBlob.clock AND before IS NOT NULL)
        """)
    }
  }
}
