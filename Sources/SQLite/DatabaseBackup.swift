import CStore

extension Database {
  /// The progress of a backup.
  package struct BackupProgress: Sendable {
    package var totalPages: Int
    package var copiedPages: Int
    /// Whether the copy is complete. An error that `progress` throws then is ignored.
    package var isComplete: Bool
  }

  /// Replaces the content of another database with this one's, some pages at a time.
  ///
  /// Within an open transaction of this connection all pages are from its snapshot. Otherwise SQLite starts over after
  /// every write between two steps.
  ///
  /// - Parameter progress: called after each step; may throw to cancel.
  /// - Throws: `DatabaseError`; whatever `progress` throws.
  package func backUp(
    to copy: Database, pagesPerStep: Int, progress: (BackupProgress) throws -> Void = { _ in }
  ) throws {
    guard let backup = sqlite3_backup_init(copy.sqliteConnection, "main", sqliteConnection, "main") else {
      throw copy.failure(sqlite3_errcode(copy.sqliteConnection))
    }
    do {
      while try stepped(backup, CInt(pagesPerStep), to: copy, progress) {}
    } catch {
      sqlite3_backup_finish(backup)
      throw error
    }
    let code = sqlite3_backup_finish(backup)
    guard code == SQLITE_OK else { throw copy.failure(code) }
  }

  /// Copies pages; returns whether pages are left.
  private func stepped(
    _ backup: OpaquePointer, _ pages: CInt, to copy: Database, _ progress: (BackupProgress) throws -> Void
  ) throws -> Bool {
    let code = sqlite3_backup_step(backup, pages)
    let total = Int(sqlite3_backup_pagecount(backup))
    let state = BackupProgress(
      totalPages: total, copiedPages: total - Int(sqlite3_backup_remaining(backup)), isComplete: code == SQLITE_DONE)
    switch code {
    case SQLITE_DONE:
      try? progress(state)
      return false
    case SQLITE_OK:
      try progress(state)
      return true
    default: throw DatabaseError(ResultCode(rawValue: code))
    }
  }
}
