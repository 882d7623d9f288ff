import Contract
import Foundation
import GRDB
import GRDBSQLite

/// When the write-ahead log is looked after. Tests give smaller ones.
package struct LogLimits: Sendable {
  package var checkpointBytes = 8 << 20
  package var readerBytes = 64 << 20
  package var idleCheckpoint: Duration = .seconds(1)
  package var idleTruncate: Duration = .seconds(10)

  package init() {}
}

/// Keeps the write-ahead log short, between the commits and never inside one.
///
/// SQLite's own checkpoint runs within the unlucky commit that reaches a thousand pages, and lets its client wait; so it
/// is switched off. Here, on the writer's thread and after everybody was answered:
///
///     log grew by 8 MiB     PASSIVE: moves into the library what no reader needs any more, waits for nobody
///     log is over 64 MiB    a reader holds it: the oldest read is stopped; without it the log would grow for ever
///     idle for a second     PASSIVE
///     idle for ten          TRUNCATE: the file is emptied, unless somebody reads just then
final class LogCare: @unchecked Sendable {
  // `@unchecked`: after `init` it is only touched on the writer's thread.

  private let pool: DatabasePool
  private let limits: LogLimits
  private let stopOldestRead: @Sendable () -> Void
  private let log: Log
  /// Pages in the log, as SQLite says after each commit.
  private let pages = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
  private var pagesSeen = 0
  private var pageSize = 4_096

  init(
    pool: DatabasePool, limits: LogLimits, stopOldestRead: @escaping @Sendable () -> Void,
    log: Log
  ) throws {
    self.pool = pool
    self.limits = limits
    self.stopOldestRead = stopOldestRead
    self.log = log
    pages.initialize(to: 0)
    let pages = pages
    pageSize = try pool.writeWithoutTransaction { db in
      // The hook takes the place of SQLite's own, which is what `wal_autocheckpoint` is made of.
      sqlite3_wal_hook(
        db.sqliteConnection,
        { context, _, _, count in
          context!.assumingMemoryBound(to: Int32.self).pointee = count
          return SQLITE_OK
        }, pages)
      return try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 4_096
    }
  }

  /// After a group was answered.
  func afterCommit() {
    let count = Int(pages.pointee)
    // The log began anew since.
    if count < pagesSeen { pagesSeen = 0 }
    guard (count - pagesSeen) * pageSize >= limits.checkpointBytes else { return }
    pagesSeen = count
    let isEmptied = checkpoint()
    if !isEmptied, count * pageSize > limits.readerBytes { stopOldestRead() }
  }

  /// What is done when nothing is written for a while, in this order.
  var whenIdle: [(after: Duration, run: @Sendable () -> Void)] {
    [
      (limits.idleCheckpoint, { [self] in _ = checkpoint() }),
      (limits.idleTruncate, { [self] in truncate() }),
    ]
  }

  /// True when all of the log is in the library now.
  private func checkpoint() -> Bool {
    do {
      return try pool.writeWithoutTransaction { db in
        var size: CInt = 0
        var moved: CInt = 0
        let code = sqlite3_wal_checkpoint_v2(db.sqliteConnection, nil, SQLITE_CHECKPOINT_PASSIVE, &size, &moved)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        return size == moved
      }
    } catch {
      log("the write-ahead log could not be moved into the library: \(error)", as: .warning)
      return false
    }
  }

  private func truncate() {
    pool.writeWithoutTransaction { db in
      // The writer must not wait for a reader: a write may come any moment.
      sqlite3_busy_timeout(db.sqliteConnection, 0)
      defer { sqlite3_busy_timeout(db.sqliteConnection, CInt(Store.busySeconds * 1_000)) }
      _ = sqlite3_wal_checkpoint_v2(db.sqliteConnection, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    }
  }
}
