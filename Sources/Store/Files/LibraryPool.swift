import SQLite
import Threads
import Wire

/// The connections to a library's file while it is open: for the writer, for readers, and for maintenance, which may
/// need one at any time.
///
/// Users of a connection finish before the file is closed; later calls are refused with `shuttingDown`.
final class LibraryPool: @unchecked Sendable {
  /// How long a connection waits for the lock of another process.
  static let busyWait: Duration = .seconds(5)

  // `@unchecked`: the fields below are only touched while `condition` is held.
  private let condition = Condition()
  private var isClosed = false
  private var users = 0
  private var isInterrupting = false
  private let writer: Database
  private let writerLock = FairLock()
  private let readers: Readers
  private let gate: LibraryGate

  init(writer: Database, readers: Readers, gate: LibraryGate) {
    self.writer = writer
    self.readers = readers
    self.gate = gate
  }

  /// Runs `body` on the only writing connection, in its own transaction.
  func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try using { try writerLock.take { try writer.transaction { try body(writer) } } }
  }

  /// Runs `body` on the only writing connection, without a transaction.
  func writeWithoutTransaction<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try using { try writerLock.take { try body(writer) } }
  }

  /// Runs `body` with a read snapshot, on its own connection.
  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try gate.check()
    return try using { try readers.read(body) }
  }

  /// A user of a connection did not finish, and the file stays open.
  struct StillInUse: Error {}

  /// Waits for running calls until the deadline; then their statements are interrupted, and they are refused with
  /// `shuttingDown`. Then `last` runs on the writing connection, and the file is closed when `end` returns. A second
  /// call does nothing.
  ///
  /// - Parameter late: called once, if calls are running at the deadline.
  /// - Throws: `StillInUse` a second after the deadline if a call runs no statement that could be interrupted: closing
  ///   the file under it would be worse than leaving the file with its WAL.
  func close(
    deadline: ContinuousClock.Instant, late: () -> Void, last: (Database) -> Void,
    end: (() throws -> Void) throws -> Void
  ) throws {
    guard refuseAll() else { return }
    if !isLeft(by: deadline) {
      late()
      // An interrupt has no effect between two statements.
      var interrupts = 0
      while !isLeft(by: .now + Self.betweenInterrupts) {
        guard interrupts < Self.mostInterrupts else { throw StillInUse() }
        interrupt()
        interrupts += 1
      }
    }
    last(writer)
    try end {
      readers.close()
      try writer.close()
    }
  }

  /// One second in total.
  private static let mostInterrupts = 100
  private static let betweenInterrupts: Duration = .milliseconds(10)

  /// Refuses all later calls. Returns false if the pool was closed before.
  private func refuseAll() -> Bool {
    condition.lock()
    defer { condition.unlock() }
    guard !isClosed else { return false }
    isClosed = true
    return true
  }

  private func isLeft(by deadline: ContinuousClock.Instant) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    while users > 0 {
      guard condition.wait(until: deadline) else { return users == 0 }
    }
    return true
  }

  private func interrupt() {
    condition.lock()
    isInterrupting = true
    condition.unlock()
    writer.interrupt()
    readers.interrupt()
  }

  private func using<Result>(_ body: () throws -> Result) throws -> Result {
    try enter()
    defer { leave() }
    do {
      return try body()
    } catch  where isEnd(error) {
      throw RPCError.shuttingDown
    }
  }

  /// Whether a statement failed because it was interrupted at the shutdown deadline.
  func isEnd(_ error: any Error) -> Bool {
    guard (error as? DatabaseError)?.code == .interrupt else { return false }
    condition.lock()
    defer { condition.unlock() }
    return isInterrupting
  }

  private func enter() throws {
    condition.lock()
    defer { condition.unlock() }
    guard !isClosed else { throw RPCError.shuttingDown }
    users += 1
  }

  private func leave() {
    condition.lock()
    users -= 1
    let isLast = isClosed && users == 0
    condition.unlock()
    if isLast { condition.broadcast() }
  }
}
