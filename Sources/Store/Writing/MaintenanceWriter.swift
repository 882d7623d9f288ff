import SQLite

/// Writes of maintenance outside the write queue: the search index, links, pruning, sweeping.
///
/// Each write is one transaction on the writing connection, with the same precautions as a group of writes: a check of
/// the ownership, reserved space in the library's file before its commit (`DatabaseRoom`), a second attempt if
/// restarting the WAL frees space on a full disk, and the WAL checkpointer after it. Without them a rebuild of a large
/// index would let the WAL grow to the size of the index and fill a small disk. Any thread that may wait can call it.
struct MaintenanceWriter: Sendable {
  let pool: LibraryPool
  let tenure: Tenure
  let databaseRoom: DatabaseRoom
  let checkpointer: WALCheckpointer
  let path: String

  /// - Parameter body: runs a second time if the disk was full and restarting the WAL freed space.
  func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
    defer { checkpointer.afterCommit() }
    do {
      return try attempt(body)
    } catch let error as DatabaseError {
      guard StoreError.isDiskFull(error, path: path), checkpointer.makeRoom() else { throw error }
      return try attempt(body)
    }
  }

  private func attempt<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try tenure.check()
    return try pool.writeWithoutTransaction { db in
      do {
        return try db.transaction {
          let result = try body(db)
          try databaseRoom.reserve(db)
          return result
        }
      } catch {
        databaseRoom.forget()
        throw error
      }
    }
  }
}
