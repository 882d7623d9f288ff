import Contract
import Glibc
import SQLite

extension Store {
  /// Age in milliseconds below which a file is never swept: its row may not be committed yet.
  package static let sweptAge: Int64 = 3_600_000

  /// Deletes blobs to which no row and no stored old version refers, and files to which no row ever referred. Never a
  /// file younger than `olderThan` milliseconds: its row may not be committed yet. Returns how many files were deleted.
  ///
  /// - Throws: `DatabaseError`, `StoreError` or `FileFailure`.
  package func sweepBlobs(olderThan age: Int64) throws -> Int {
    let limit = Instant(milliseconds: now().milliseconds - age)
    let used = schema.all.flatMap { collection in
      collection.description.columns.blobs.map { "SELECT \($0) FROM \(collection.table) WHERE \($0) IS NOT NULL" }
    }
    let condition = (used + ["SELECT hash FROM changeBlob"]).map { "hash NOT IN (\($0))" }.joined(separator: " AND ")
    try maintenance.write { db in
      // First the rows, then the files: a file without a row is swept next time, a row without its file is a loss.
      try db.run("DELETE FROM blob WHERE addedAt < ? AND \(condition)", [.integer(limit.milliseconds)])
      try db.run("DELETE FROM blobElsewhere WHERE \(condition)")
      for derived in schema.all.flatMap(\.description.derived) {
        try db.run(Self.sweeping(derived.table, by: derived.column))
      }
    }
    let files = blobs.all()
    return try stride(from: 0, to: files.count, by: 256).reduce(0) { count, start in
      try count + unlinkUnnamed(files[start..<min(start + 256, files.count)], olderThan: limit)
    }
  }

  /// Steps from one hash to the next by the table's index: a million pages have only a thousand files, and the scan
  /// blocks the writer.
  static func sweeping(_ table: String, by column: String) -> String {
    """
    WITH RECURSIVE known (hash) AS (
      SELECT min(\(column)) FROM \(table)
      UNION ALL SELECT (SELECT min(\(column)) FROM \(table) WHERE \(column) > known.hash) FROM known
      WHERE known.hash IS NOT NULL
    )
    DELETE FROM \(table) WHERE \(column) IN (
      SELECT hash FROM known WHERE hash IS NOT NULL AND hash NOT IN (SELECT hash FROM blob)
        AND hash NOT IN (SELECT hash FROM blobElsewhere WHERE path IS NOT NULL))
    """
  }

  private static let isNamed = CachedStatement("SELECT 1 FROM blob WHERE hash = ?")

  /// Runs on the writer, so that no write can refer to a file between the lookup of its row and its unlinking.
  private func unlinkUnnamed(_ hashes: ArraySlice<String>, olderThan limit: Instant) throws -> Int {
    try pool.writeWithoutTransaction { db in
      var count = 0
      for hash in hashes {
        guard try db.first(Self.isNamed, { $0.add(hash) }, { _ in }) == nil else { continue }
        let path = try blobs.path(named: hash)
        var information = stat()
        guard lstat(path, &information) == 0 else { continue }
        let changed = Int64(information.st_mtim.tv_sec) * 1_000
        guard changed < limit.milliseconds, unlink(path) == 0 else { continue }
        count += 1
      }
      return count
    }
  }
}
