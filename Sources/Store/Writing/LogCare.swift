import Contract
import Foundation
import GRDB
import GRDBSQLite
import Wire

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
///     idle for ten          TRUNCATE: the file is emptied, if need be when those who read just then have ended
final class LogCare: @unchecked Sendable {
  // `@unchecked`: after `init` it is only touched on the writer's thread.

  private let pool: LibraryPool
  private let limits: LogLimits
  private let holders: LogHolders
  private let stopOldestRead: @Sendable () -> Void
  private let log: Log
  /// What SQLite says after each commit.
  private final class Hook {
    /// Pages in the log.
    var pages: Int32 = 0
    let commits: CommitCount

    init(_ commits: CommitCount) {
      self.commits = commits
    }
  }
  private let hook: Hook
  private var pagesSeen = 0
  private var pageSize = 4_096

  init(
    pool: LibraryPool, limits: LogLimits, commits: CommitCount, holders: LogHolders,
    stopOldestRead: @escaping @Sendable () -> Void, log: Log
  ) throws {
    self.pool = pool
    self.limits = limits
    self.holders = holders
    self.stopOldestRead = stopOldestRead
    self.log = log
    hook = Hook(commits)
    // The connection outlives this object by a moment; the hook is kept as long as the process.
    let context = Unmanaged.passRetained(hook).toOpaque()
    pageSize = try pool.writeWithoutTransaction { db in
      // The hook takes the place of SQLite's own, which is what `wal_autocheckpoint` is made of.
      sqlite3_wal_hook(
        db.sqliteConnection,
        { context, _, _, count in
          let hook = Unmanaged<Hook>.fromOpaque(context!).takeUnretainedValue()
          hook.pages = count
          hook.commits.increment()
          return SQLITE_OK
        }, context)
      return try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 4_096
    }
  }

  /// After a group was answered.
  func afterCommit() {
    let count = Int(hook.pages)
    // The log began anew since.
    if count < pagesSeen { pagesSeen = 0 }
    guard (count - pagesSeen) * pageSize >= limits.checkpointBytes else { return }
    pagesSeen = count
    let isEmptied = checkpoint()
    if !isEmptied, count * pageSize > limits.readerBytes { stopOldestRead() }
  }

  /// What is done when nothing is written for a while, in this order.
  var whenIdle: [WriteQueue.IdleStep] {
    [
      (
        limits.idleCheckpoint,
        { [self] in
          _ = checkpoint()
          return true
        }
      ),
      (limits.idleTruncate, { [self] in truncate() }),
    ]
  }

  /// Moves all of the log into the library and empties the file, so that what was taken out of the one lies no longer in
  /// the other. Whoever reads meanwhile is asked to let go; who does not for a second has it left as it is. Also called on
  /// threads that may wait.
  func empty() {
    for _ in 0..<40 {
      if truncate() { return }
      usleep(25_000)
    }
    log("the write-ahead log could not be emptied while somebody reads", as: .info)
  }

  /// True when all of the log is in the library now.
  private func checkpoint() -> Bool {
    do {
      return try pool.writeWithoutTransaction { db in
        var size: CInt = 0
        var moved: CInt = 0
        let code = sqlite3_wal_checkpoint_v2(db.sqliteConnection, nil, SQLITE_CHECKPOINT_PASSIVE, &size, &moved)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        // Whoever reads on from here needs nothing of the log any more, if only it begins anew.
        if size == moved { hook.commits.increment() } else { holders.ask() }
        return size == moved
      }
    } catch let error as RPCError where error == .shuttingDown {
      // To close the library moves all of it.
      return true
    } catch {
      log("the write-ahead log could not be moved into the library: \(error)", as: .warning)
      return false
    }
  }

  /// False when somebody reads from the log, for whom the writer must not wait: a write may come any moment.
  private func truncate() -> Bool {
    let isDone = try? pool.writeWithoutTransaction { db in
      sqlite3_busy_timeout(db.sqliteConnection, 0)
      defer { sqlite3_busy_timeout(db.sqliteConnection, CInt(Store.busySeconds * 1_000)) }
      let code = sqlite3_wal_checkpoint_v2(db.sqliteConnection, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
      if code == SQLITE_BUSY { holders.ask() }
      return code != SQLITE_BUSY
    }
    // Else the library is closed, which has emptied it.
    return isDone ?? true
  }
}
