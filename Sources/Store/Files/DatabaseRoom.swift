import CStore
import SQLite

/// Reserves disk space for checkpointing the WAL into the library.
///
/// A commit only grows the WAL. When the disk is full, a checkpoint that has to grow the library's file fails, so the
/// WAL cannot be reset, and the WAL itself may be what fills the disk. So the file is grown to the library's size after
/// the commit before that commit: a write that does not fit is refused, and a checkpoint never needs space.
///
/// Only used while the writing connection is held.
final class DatabaseRoom: @unchecked Sendable {
  private static let pageCount = CachedStatement("PRAGMA page_count")
  /// The file grows and shrinks in steps of this size, in bytes.
  private static let chunk = 1 << 20

  private let pageSize: Int64
  private var size: Int64 = 0

  init(_ db: Database) throws {
    pageSize = try db.first("PRAGMA page_size") { $0.integer(0) } ?? 4_096
    var chunk = CInt(Self.chunk)
    sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_CHUNK_SIZE, &chunk)
  }

  /// Called inside a transaction, before its COMMIT.
  ///
  /// - Throws: `DatabaseError` when the disk has no room for the library with this transaction.
  func reserve(_ db: Database) throws {
    let needed = try db.first(Self.pageCount, { $0.integer(0) }).map { $0 * pageSize } ?? 0
    // Deletions may have made the library smaller; the next checkpoint truncates the file.
    guard needed > size else {
      size = needed
      return
    }
    var hint = needed
    let code = sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_SIZE_HINT, &hint)
    guard code == SQLITE_OK else { throw DatabaseError(ResultCode(rawValue: code)) }
    size = needed
  }

  /// Called when the transaction was rolled back: a checkpoint truncates the file to the size of the last commit.
  func forget() {
    size = 0
  }
}
