import CStore
import Contract
import Glibc
import SQLite
import Synchronization
import Wire

/// Thresholds of the WAL checkpointer, in bytes of the log and in time without a write. Tests set smaller ones.
package struct LogLimits: Sendable {
  package var checkpointBytes = 16 << 20
  /// From here on the log is restarted: the writer waits a moment for the readers that hold it.
  package var restartBytes = 24 << 20
  /// From here on the writer waits longer, and then stops the readers that still hold it.
  package var readerBytes = 48 << 20
  package var idleCheckpoint: Duration = .seconds(1)
  package var idleTruncate: Duration = .seconds(10)

  package init() {}
}

/// Keeps the write-ahead log short, between the commits and never inside one.
///
/// SQLite's own checkpoint runs within the unlucky commit that reaches a thousand pages, and lets its client wait; so it
/// is switched off. Here, on the writer's thread and after everybody was answered:
///
///     log grew by 16 MiB    PASSIVE: moves into the library what no reader needs any more, waits for nobody
///     log is over 24 MiB    RESTART: waits up to 20 ms for the readers that hold the log, after every further 4 MiB
///     log is over 48 MiB    RESTART: waits up to half a second, then stops the oldest reads until the log is free
///     idle for a second     PASSIVE
///     idle for ten          TRUNCATE: the file is emptied, if need be when those who read just then have ended,
///                           or when the disk takes it again
///
/// A passive checkpoint alone does not keep the log short. The log begins anew only if no reader holds a part of it at the
/// next commit, and with overlapping reads there is always one. RESTART ends that: once all of the log is in the library,
/// a read that begins needs the library's file alone, so waiting for the older ones has an end. No read waits for it; the
/// writer does. All steps are below 64 MiB by as much as one commit may add (`SliceRoom`).
final class LogCare: @unchecked Sendable {
  // `@unchecked`: after `init` the fields without a lock are only touched while the writing connection is held.

  private let pool: LibraryPool
  private let limits: LogLimits
  private let holders: LogHolders
  private let stopOldestRead: @Sendable () -> Void
  private let log: Log
  /// What SQLite says after each commit.
  private final class Hook: Sendable {
    /// Pages in the log.
    let pages = Atomic<Int>(0)
    let commits: CommitCount

    init(_ commits: CommitCount) {
      self.commits = commits
    }
  }
  private let hook: Hook
  /// Length of the log, in pages, when it was last looked after.
  private let pagesSeen = Mutex(0)
  private var pageSize = 4_096
  /// Of the last attempt to move the log into the library; only touched where the writer's connection is.
  private var isFailing = false

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
          hook.pages.store(Int(count), ordering: .relaxed)
          hook.commits.increment()
          return SQLITE_OK
        }, context)
      return try db.first("PRAGMA page_size") { $0.int(0) } ?? 4_096
    }
  }

  private static let shortWait: Duration = .milliseconds(20)
  private static let longWait: Duration = .milliseconds(500)

  /// Called when a commit found no room: a log that begins anew has as much room as it has taken before. False when it
  /// cannot, or holds nothing.
  func makeRoom() -> Bool {
    hook.pages.load(ordering: .relaxed) > 0 && restart(waiting: Self.longWait) == .done
  }

  /// Called after a group was answered, and after a write of maintenance on its thread.
  func afterCommit() {
    let count = hook.pages.load(ordering: .relaxed)
    let size = count * pageSize
    let isLong = size >= min(limits.restartBytes, limits.readerBytes)
    let step = isLong ? limits.checkpointBytes / 4 : limits.checkpointBytes
    let isDue = pagesSeen.withLock { seen in
      // The log began anew since.
      if count < seen { seen = 0 }
      guard (count - seen) * pageSize >= step else { return false }
      seen = count
      return true
    }
    guard isDue else { return }
    guard isLong else {
      _ = checkpoint()
      return
    }
    guard size >= limits.readerBytes else {
      _ = restart(waiting: Self.shortWait)
      return
    }
    forceRestart()
  }

  /// Restarts the log at the cost of the reads that hold it for longer than `longWait`.
  private func forceRestart() {
    var wait = Self.longWait
    // As many as read at once; a disk that fails is not the fault of whoever reads.
    for _ in 0...ReaderThreads.count + ReaderThreads.wholeCount {
      guard restart(waiting: wait) == .busy else { return }
      stopOldestRead()
      wait = Self.shortWait
    }
  }

  /// Moves all of the log into the library and has the next commit begin the log anew.
  ///
  /// - Parameter duration: how long the writer may wait for the reads that hold the log.
  func restart(waiting duration: Duration) -> Emptying {
    holders.ask()
    let result = try? pool.writeWithoutTransaction { db in
      db.wait(whenBusy: duration)
      defer { db.wait(whenBusy: Store.busyWait) }
      let code = sqlite3_wal_checkpoint_v2(db.sqliteConnection, nil, SQLITE_CHECKPOINT_RESTART, nil, nil)
      // Quick readers pin the library's file instead of the log.
      if code == SQLITE_OK { hook.commits.increment() }
      return judge(code, db)
    }
    // Otherwise the library is closed, which empties the log.
    return result ?? .done
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
      (
        limits.idleTruncate,
        { [self] in
          try? pool.writeWithoutTransaction { $0.releaseMemory() }
          return truncate() == .done
        }
      ),
    ]
  }

  /// What an attempt to empty the log came to.
  enum Emptying: Equatable {
    case done
    /// Somebody reads from it.
    case busy
    /// The disk is full, perhaps, or fails. The log keeps all that was written, and grows.
    case failed
  }

  /// Moves all of the log into the library and empties the file, so that what was taken out of the one lies no longer in
  /// the other. Whoever reads meanwhile is asked to let go; who does not for a second has it left as it is, and so has a
  /// disk that fails. Also called on threads that may wait.
  func empty() {
    for _ in 0..<40 {
      guard truncate() == .busy else { return }
      usleep(25_000)
    }
    log("the write-ahead log could not be emptied while somebody reads", as: .info)
  }

  /// True when all of the log is in the library now.
  private func checkpoint() -> Bool {
    let isMoved = try? pool.writeWithoutTransaction { db in
      var size: CInt = 0
      var moved: CInt = 0
      let code = sqlite3_wal_checkpoint_v2(db.sqliteConnection, nil, SQLITE_CHECKPOINT_PASSIVE, &size, &moved)
      guard judge(code, db, isWhole: size == moved) == .done else { return false }
      // Whoever reads on from here needs nothing of the log any more, if only it begins anew.
      if size == moved { hook.commits.increment() } else { holders.ask() }
      return size == moved
    }
    // Else the library is closed, which moves all of it.
    return isMoved ?? true
  }

  /// `busy` when somebody reads from the log, for whom the writer must not wait: a write may come any moment.
  func truncate() -> Emptying {
    let result = try? pool.writeWithoutTransaction { db in
      db.wait(whenBusy: .zero)
      defer { db.wait(whenBusy: Store.busyWait) }
      let result = judge(
        sqlite3_wal_checkpoint_v2(db.sqliteConnection, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil), db)
      if result == .busy { holders.ask() }
      return result
    }
    // Else the library is closed, which has emptied it.
    return result ?? .done
  }

  /// Tells of the first failure of many, and of the first success behind them: it is tried again and again.
  private func judge(_ code: CInt, _ db: Database, isWhole: Bool = true) -> Emptying {
    switch ResultCode(rawValue: code).primary {
    case .ok:
      // Where a reader holds the log nothing may have been written, which proves nothing.
      if isFailing, isWhole {
        log("the write-ahead log is moved into the library again", as: .warning)
        isFailing = false
      }
      return .done
    case .busy: return .busy
    default:
      if !isFailing {
        let reason = String(cString: sqlite3_errmsg(db.sqliteConnection))
        log("the write-ahead log could not be moved into the library, and grows: \(reason) (\(code))")
      }
      isFailing = true
      return .failed
    }
  }
}
