import SQLite
import Synchronization
import Wire

/// A connection of its own for short reads on one thread, so that they never wait for long ones.
///
/// Four long reads occupy all of a pool's readers, and an event loop that waits there stops all its clients.
///
/// To begin and end a transaction costs more than many a read in it. So the state that was read last stays open, and is
/// read again as long as nothing has been committed since:
///
///     read ── BEGIN, pin ─── read ─── read ──── read ── COMMIT, BEGIN, pin ─── letGo ── COMMIT
///                                          ▲ a commit
///
/// An open state keeps the write-ahead log from beginning anew; its owner calls `letGo` when `LogHolders` asks it to.
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

  /// Runs on the calling thread. Only for reads by key, or limited.
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

  /// Ends the open state.
  package func letGo() {
    connection.use { end($0) }
  }

  private func newest(_ db: Database, for caller: any Caller) throws -> Snapshot {
    // Read before the state is pinned: what is committed between the two is seen, and the next read looks again.
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

/// How often the writer has committed, told or silently. It counts before anybody is answered.
package final class CommitCount: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .acquiring) }

  func increment() {
    count.add(1, ordering: .releasing)
  }
}

/// Those who keep a state open while nobody reads, and let it go when the write-ahead log cannot begin anew for it.
package final class LogHolders: Sendable {
  private let holders = Mutex<[@Sendable () -> Void]>([])

  /// `letGo` is called on the writer's thread and must only hand on.
  package func add(_ letGo: @escaping @Sendable () -> Void) {
    holders.withLock { $0.append(letGo) }
  }

  /// Nobody is asked any more once this returns.
  package func removeAll() {
    holders.withLock { $0 = [] }
  }

  func ask() {
    holders.withLock { for letGo in $0 { letGo() } }
  }
}
