import CStore
import Contract
import Glibc
import SQLite
import Synchronization
import Wire

/// Thresholds of the WAL checkpointer, in bytes of the WAL and in time without a write. Tests set smaller ones.
package struct WALLimits: Sendable {
  package var checkpointBytes = 16 << 20
  /// The same at the beginning of a turn of yielding writes.
  package var yieldingBytes = 512 << 10
  /// The size from which the WAL is restarted: the writer waits a moment for its readers.
  package var restartBytes = 24 << 20
  /// The size from which the writer waits longer, and then interrupts the remaining readers of the WAL.
  package var readerBytes = 48 << 20
  /// How long the writer then waits.
  package var longWait: Duration = .milliseconds(500)
  package var idleCheckpoint: Duration = .seconds(1)
  package var idleTruncate: Duration = .seconds(10)

  package init() {}
}

/// Keeps the WAL short, between commits and never inside one.
///
/// SQLite's own checkpoint runs within the commit that happens to reach a thousand pages, and delays its client; so it
/// is disabled. Instead, on the writer's thread and after all replies:
///
///     WAL grew by 16 MiB    PASSIVE: moves pages that no reader needs into the library, without waiting
///     or by 2 MiB           the same in the turn of a yielding write, when no client writes
///     or by 512 KiB         the same at the beginning of such a turn between the writes of a client: a step that begins
///                           later, or that is long, holds up the client's next write. So after 4 MiB, written before
///                           there were such turns, it waits until no client writes
///     WAL exceeds 24 MiB    RESTART: waits up to 20 ms for readers of the WAL, after every further 4 MiB
///     WAL exceeds 48 MiB    RESTART: waits up to half a second, then interrupts the oldest reads until the WAL is free
///     idle for a second     PASSIVE
///     idle for ten          TRUNCATE: empties the file; retried after current readers end, or when the disk has
///                           recovered
///
/// Passive checkpoints alone do not keep the WAL short. It is reset only if no reader uses a part of it at the next
/// commit, and with overlapping reads there is always one. RESTART solves that: once the whole WAL is in the library, a
/// new read needs only the library's file, so waiting for the older ones ends. No read waits for it; the writer does.
/// All thresholds are below 64 MiB by as much as one commit may add (`SliceRoom`).
final class WALCheckpointer: @unchecked Sendable {
  // `@unchecked`: after `init` the fields without a lock are only touched while the writing connection is held.

  private let pool: LibraryPool
  private let limits: WALLimits
  private let holders: SnapshotHolders
  private let stopOldestRead: @Sendable () -> Void
  private let log: Log
  /// The state of SQLite's hook, which runs after each commit.
  private final class Hook: Sendable {
    /// Pages in the WAL.
    let pages = Atomic<Int>(0)
    let commits: CommitCount

    init(_ commits: CommitCount) {
      self.commits = commits
    }
  }
  private let hook: Hook
  /// Length of the WAL, in pages, at the last step.
  private let pagesSeen = Mutex(0)
  private var pageSize = 4_096
  /// Whether the last checkpoint failed; only touched while the writing connection is held.
  private var isFailing = false

  init(
    pool: LibraryPool, limits: WALLimits, commits: CommitCount, holders: SnapshotHolders,
    stopOldestRead: @escaping @Sendable () -> Void, log: Log
  ) throws {
    self.pool = pool
    self.limits = limits
    self.holders = holders
    self.stopOldestRead = stopOldestRead
    self.log = log
    hook = Hook(commits)
    // The connection outlives this object by a moment; the hook is retained as long as the process.
    let context = Unmanaged.passRetained(hook).toOpaque()
    pageSize = try pool.writeWithoutTransaction { db in
      // The hook replaces SQLite's own, which implements `wal_autocheckpoint`.
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

  /// Called when a commit found no space: a reset WAL can reuse all of its file. False if it cannot be reset, or is
  /// empty.
  func makeRoom() -> Bool {
    hook.pages.load(ordering: .relaxed) > 0 && restartPatiently() == .done
  }

  /// Called in the turn of a yielding write.
  ///
  /// - Returns: whether the turn was used for a checkpoint.
  func useTurn(_ room: WriteTurns.Room) -> Bool {
    let count = hook.pages.load(ordering: .relaxed)
    // A longer one is restarted.
    guard count * pageSize < limits.restartBytes else { return false }
    let isDue = pagesSeen.withLock { seen in
      if count < seen { seen = 0 }
      let size = (count - seen) * pageSize
      let isDue =
        switch room {
        case .unlimited: size >= 4 * limits.yieldingBytes
        // A step that is overdue may take long: the clients' own writes are moved in long steps.
        case .whole: size >= limits.yieldingBytes && size < 8 * limits.yieldingBytes
        // A step also waits for the disk, twice.
        case .rest: false
        }
      if isDue { seen = count }
      return isDue
    }
    if isDue { _ = checkpoint() }
    return isDue
  }

  /// Called after a group's replies, and after a write of maintenance on its thread.
  func afterCommit() {
    let count = hook.pages.load(ordering: .relaxed)
    let size = count * pageSize
    let isLong = size >= min(limits.restartBytes, limits.readerBytes)
    let step = isLong ? limits.checkpointBytes / 4 : limits.checkpointBytes
    let isDue = pagesSeen.withLock { seen in
      // The WAL was reset meanwhile.
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

  /// Restarts the WAL, interrupting reads that use it for longer than `WALLimits.longWait`.
  private func forceRestart() {
    guard restartPatiently() == .busy else { return }
    // At most the number of concurrent reads; a failing disk is not the readers' fault.
    for _ in 0...ReaderThreads.count + ReaderThreads.wholeCount {
      stopOldestRead()
      guard restart(waiting: Self.shortWait) == .busy else { return }
    }
  }

  /// Restarts the WAL within `WALLimits.longWait`, in short attempts, each of which asks the owners of open snapshots.
  /// A quick read that began while an attempt moved pages keeps its snapshot of the WAL open, since nobody commits
  /// meanwhile.
  private func restartPatiently() -> EmptyingResult {
    let end = ContinuousClock.now + limits.longWait
    var result = restart(waiting: Self.shortWait)
    while result == .busy, ContinuousClock.now < end { result = restart(waiting: Self.shortWait) }
    return result
  }

  /// Moves the whole WAL into the library, so that the next commit resets it.
  ///
  /// - Parameter duration: how long the writer may wait for readers of the WAL.
  func restart(waiting duration: Duration) -> EmptyingResult {
    holders.ask()
    let result = try? pool.writeWithoutTransaction { db in
      db.wait(whenBusy: duration)
      defer { db.wait(whenBusy: LibraryPool.busyWait) }
      let code = sqlite3_wal_checkpoint_v2(db.sqliteConnection, nil, SQLITE_CHECKPOINT_RESTART, nil, nil)
      // Quick readers now pin the library's file instead of the WAL.
      if code == SQLITE_OK { hook.commits.increment() }
      return judge(code, db)
    }
    // Otherwise the library is closed, which empties the WAL.
    return result ?? .done
  }

  /// The steps to run when nothing is written for a while, in this order.
  var whenIdle: [IdleSchedule.Step] {
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

  /// The result of an attempt to empty the WAL.
  enum EmptyingResult: Equatable {
    case done
    /// A reader uses it.
    case busy
    /// The disk may be full, or fails. The WAL keeps all data, and grows.
    case failed
  }

  /// Moves the whole WAL into the library and truncates the file, so that data deleted from the library does not remain
  /// in the WAL. Readers are asked to release their snapshots; if one does not within a second, or the disk fails, the
  /// file stays as it is. Also called on threads that may wait.
  func empty() {
    for _ in 0..<40 {
      guard truncate() == .busy else { return }
      usleep(25_000)
    }
    log("the write-ahead log could not be emptied during a read", as: .info)
  }

  /// Returns true if the whole WAL is in the library now.
  private func checkpoint() -> Bool {
    let isMoved = try? pool.writeWithoutTransaction { db in
      var size: CInt = 0
      var moved: CInt = 0
      let code = sqlite3_wal_checkpoint_v2(db.sqliteConnection, nil, SQLITE_CHECKPOINT_PASSIVE, &size, &moved)
      guard judge(code, db, isWhole: size == moved) == .done else { return false }
      // New reads need nothing of the WAL any more, so it can be reset.
      if size == moved { hook.commits.increment() } else { holders.ask() }
      return size == moved
    }
    // Otherwise the library is closed, which moves all of it.
    return isMoved ?? true
  }

  /// `busy` if a reader uses the WAL. The writer must not wait for it, since a write may arrive at any moment.
  func truncate() -> EmptyingResult {
    let result = try? pool.writeWithoutTransaction { db in
      db.wait(whenBusy: .zero)
      defer { db.wait(whenBusy: LibraryPool.busyWait) }
      let result = judge(
        sqlite3_wal_checkpoint_v2(db.sqliteConnection, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil), db)
      if result == .busy { holders.ask() }
      return result
    }
    // Otherwise the library is closed, which has emptied it.
    return result ?? .done
  }

  /// Logs only the first of several failures, and the first success after them, since attempts are repeated.
  private func judge(_ code: CInt, _ db: Database, isWhole: Bool = true) -> EmptyingResult {
    switch ResultCode(rawValue: code).primary {
    case .ok:
      // If a reader uses the WAL, possibly nothing was written, which proves nothing.
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
