import SQLite
import Threads
import Wire

/// Threads for reads that may take long. There is one connection per thread, so a thread never waits for a connection.
package final class ReaderThreads: @unchecked Sendable {
  // `@unchecked`: the fields below are only touched while `condition` is held, and `wholeReads` while `wholes` is.

  /// Before the end only the threads wait for it, so that each read wakes one thread, and no other: waking all of them
  /// cost a short query a tenth of its time.
  private let condition = Condition()
  private let wholes = Condition()
  private var waiting: [@Sendable () -> Void] = []
  private var isClosed = false
  private var running = 0
  /// The reads that hold a snapshot, oldest first.
  private var holders: [Interruption] = []
  private var wholeReads = 0
  private var begun = 0

  /// A client may run two long reads at once, so it takes four clients to occupy all threads, for half a minute at
  /// most.
  package static let count = 8
  /// How many reads of the whole library, such as a copy, run at once, on their callers' threads.
  package static let wholeCount = 2

  private let pool: LibraryPool
  private let tenure: Tenure

  init(pool: LibraryPool, tenure: Tenure) {
    self.pool = pool
    self.tenure = tenure
    for number in 1...Self.count {
      startThread(named: "reader \(number)", stackSize: 4 << 20) { [self] in work() }
    }
  }

  /// Runs `body` with a snapshot on one of the threads.
  ///
  /// `pinned` is called once, as soon as the snapshot is pinned, or when the read fails before: the client's next
  /// message waits for it and must be released either way. `completion` is called once, after it. Both run on the
  /// reader's thread.
  package func read<Result: Sendable>(
    for caller: any Caller, interruption: Interruption,
    pinned: @escaping @Sendable () -> Void,
    body: @escaping @Sendable (Snapshot) throws -> Result,
    completion: @escaping @Sendable (Swift.Result<Result, any Error>) -> Void
  ) {
    let isTaken = add { [self] in
      var isPinned = false
      let result = Swift.Result {
        try pool.read { db in
          try interruption.guarding(db) {
            let snapshot = try Snapshot.pin(db, caller: caller)
            try tenure.check(clock: snapshot.clock)
            isPinned = true
            notePinned(interruption)
            defer { forget(interruption) }
            pinned()
            return try body(snapshot)
          }
        }
      }
      if !isPinned { pinned() }
      completion(result.mapError { interruption.translate($0) })
    }
    guard !isTaken else { return }
    pinned()
    completion(.failure(RPCError.shuttingDown))
  }

  /// Reads a snapshot of the whole library on the calling thread, which may wait for its turn.
  ///
  /// It is also interrupted when it keeps the WAL from being reset, and then throws `readTimedOut`. Work without an
  /// SQLite statement, such as copying pages, checks the interruption between its steps.
  ///
  /// - Throws: `RPCError.readTimedOut`, `RPCError.shuttingDown`, and whatever `body` throws.
  func readWhole<Result>(_ body: (Database, Interruption) throws -> Result) throws -> Result {
    try beginWhole()
    defer { endWhole() }
    let interruption = Interruption()
    do {
      return try pool.read { db in
        try interruption.guarding(db) {
          // The first SELECT pins the snapshot.
          _ = try db.first("SELECT clock FROM library") { $0.integer(0) }
          notePinned(interruption)
          defer { forget(interruption) }
          return try body(db, interruption)
        }
      }
    } catch {
      throw interruption.translate(error)
    }
  }

  private static let longestWait: Duration = .seconds(30)

  private func beginWhole() throws {
    wholes.lock()
    defer { wholes.unlock() }
    let deadline = ContinuousClock.now + Self.longestWait
    while wholeReads == Self.wholeCount {
      guard wholes.wait(until: deadline) || wholeReads < Self.wholeCount else { throw RPCError(.busy) }
    }
    wholeReads += 1
  }

  private func endWhole() {
    wholes.lock()
    defer { wholes.unlock() }
    wholeReads -= 1
    wholes.signal()
  }

  /// The number of reads begun so far.
  var begunReads: Int {
    condition.lock()
    defer { condition.unlock() }
    return begun
  }

  /// The number of pinned snapshots.
  var heldStates: Int {
    condition.lock()
    defer { condition.unlock() }
    return holders.count
  }

  /// Interrupts the read with the oldest snapshot: as long as it runs, the WAL cannot be reset.
  func stopOldest() {
    condition.lock()
    let oldest = holders.first { $0.reason == nil }
    condition.unlock()
    oldest?.interrupt(.timedOut)
  }

  /// Interrupts every read, when the library is closed.
  func stopAll() {
    condition.lock()
    let holders = holders
    condition.unlock()
    for holder in holders { holder.interrupt(.shutDown) }
  }

  private func notePinned(_ interruption: Interruption) {
    condition.lock()
    begun += 1
    holders.append(interruption)
    condition.unlock()
  }

  private func forget(_ interruption: Interruption) {
    condition.lock()
    holders.removeAll { $0 === interruption }
    condition.unlock()
  }

  /// Returns false when the threads have ended.
  private func add(_ job: @escaping @Sendable () -> Void) -> Bool {
    condition.lock()
    guard !isClosed else {
      condition.unlock()
      return false
    }
    waiting.append(job)
    condition.unlock()
    // Outside the lock, for which the woken thread would only have to wait.
    condition.signal()
    return true
  }

  /// Waits until running reads finish, or the deadline; the threads end.
  package func close(deadline: ContinuousClock.Instant) {
    condition.lock()
    defer { condition.unlock() }
    isClosed = true
    condition.broadcast()
    while !(waiting.isEmpty && running == 0) {
      guard condition.wait(until: deadline) else { return }
    }
  }

  private func work() {
    condition.lock()
    defer { condition.unlock() }
    while true {
      while waiting.isEmpty {
        if isClosed { return }
        condition.wait()
      }
      let job = waiting.removeFirst()
      running += 1
      condition.unlock()
      job()
      condition.lock()
      running -= 1
      if isClosed { condition.broadcast() }
    }
  }
}

extension Interruption {
  /// Replaces SQLite's error of an interrupted statement with the reply for the client.
  func translate(_ error: any Error) -> any Error {
    switch reason {
    case .cancelled: RPCError.cancelled
    case .timedOut: RPCError.readTimedOut
    case .shutDown: RPCError.shuttingDown
    case nil: error
    }
  }
}

extension RPCError {
  /// A read exceeded the time limit.
  package static let readTimedOut = RPCError(.timedOut, text: Text("error.readTimedOut"))
}
