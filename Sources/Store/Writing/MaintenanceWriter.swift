import SQLite

/// Writes that maintenance makes beside the write queue: the search index, links, pruning, sweeping.
///
/// Each write is one transaction on the writing connection and gets what a group of writes gets: a check of the ownership,
/// room in the library's file before its commit (`DatabaseRoom`), a second attempt when restarting the write-ahead log makes
/// room on a full disk, and the WAL checkpointer after it. Without them a rebuild of a large index would let the log grow to
/// the size of the index, and a small disk would be filled by the log. Any thread may call that may wait.
struct MaintenanceWriter: Sendable {
  let pool: LibraryPool
  let tenure: Tenure
  let databaseRoom: DatabaseRoom
  let care: LogCare
  let path: String

  /// - Parameter body: runs a second time when the disk was full and the log made room.
  func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
    defer { care.afterCommit() }
    do {
      return try attempt(body)
    } catch let error as DatabaseError {
      guard StoreError.isDiskFull(error, path: path), care.makeRoom() else { throw error }
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
