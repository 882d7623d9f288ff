import SQLite
import Synchronization
import Wire

/// A dedicated connection for short reads on one thread, so that they never wait for long ones.
///
/// Four long reads occupy all of a pool's readers, and an event loop that waits there stops all its clients.
///
/// Beginning and ending a transaction costs more than many a read in it. So the last snapshot stays open, and is read
/// again as long as nothing has been committed since:
///
///     read ── BEGIN, pin ─── read ─── read ──── read ── COMMIT, BEGIN, pin ─── letGo ── COMMIT
///                                          ▲ a commit
///
/// An open snapshot keeps the WAL from being reset; its owner calls `letGo` when `SnapshotHolders` requests it.
package final class QuickReader: @unchecked Sendable {
  // `@unchecked`: it is used on one thread only.
  private let connection: ReaderConnection
  private let commits: CommitCount
  private let gate: LibraryGate
  private let tenure: Tenure
  private var held: (commits: Int, clock: Int64)?

  init(_ connection: ReaderConnection, commits: CommitCount, gate: LibraryGate, tenure: Tenure) {
    self.connection = connection
    self.commits = commits
    self.gate = gate
    self.tenure = tenure
  }

  /// Runs `body` on the calling thread. Only for reads by key, or limited.
  ///
  /// - Throws: `RPCError` while the library is blocked, `StoreError.ownedByOther`, and whatever `body` throws.
  package func read<Result>(for caller: any Caller, _ body: (Snapshot) throws -> Result) throws -> Result {
    try gate.check()
    return try connection.use { db in
      do {
        return try body(try newest(db, for: caller))
      } catch {
        end(db)
        throw error
      }
    }
  }

  /// Ends the open snapshot.
  package func letGo() {
    connection.use { end($0) }
  }

  private func newest(_ db: Database, for caller: any Caller) throws -> Snapshot {
    // Read before the snapshot is pinned: a commit in between is part of the snapshot, and the next read checks again.
    let commits = commits.value
    if let held, held.commits == commits { return Snapshot(db: db, clock: held.clock, caller: caller) }
    end(db)
    try ReaderConnection.begin(db)
    let snapshot = try Snapshot.pin(db, caller: caller)
    try tenure.check(clock: snapshot.clock)
    held = (commits, snapshot.clock)
    return snapshot
  }

  private func end(_ db: Database) {
    held = nil
    ReaderConnection.end(db)
  }
}

/// The number of the writer's commits, reported or silent. Incremented before any reply is sent.
package final class CommitCount: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .acquiring) }

  func increment() {
    count.add(1, ordering: .releasing)
  }
}

/// The owners of idle snapshots, which release them when the WAL cannot be reset otherwise.
package final class SnapshotHolders: Sendable {
  private let holders = Mutex<[@Sendable () -> Void]>([])

  /// `letGo` is called on the writer's thread and must only schedule work.
  package func add(_ letGo: @escaping @Sendable () -> Void) {
    holders.withLock { $0.append(letGo) }
  }

  /// No owner is called any more once this returns.
  package func removeAll() {
    holders.withLock { $0 = [] }
  }

  func ask() {
    holders.withLock { for letGo in $0 { letGo() } }
  }
}
