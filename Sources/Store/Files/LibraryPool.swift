import Foundation
import GRDB
import Wire

/// The connections to a library's file, for as long as it is open: for the writer, for readers, and for whoever looks
/// after the library beside them, who may come at any time.
///
/// Whoever is in has its end before the file is closed, and who comes behind that is refused with `shuttingDown`. GRDB
/// would hand out a connection that is no longer there, which SQLite refuses as misuse ("out of memory"), or falls over.
final class LibraryPool: @unchecked Sendable {
  // `@unchecked`: the fields below are only touched while `condition` is held.
  private let condition = NSCondition()
  private var isClosed = false
  private var users = 0
  private let pool: DatabasePool

  init(_ pool: DatabasePool) {
    self.pool = pool
  }

  /// Runs on the one writing connection, in a transaction of its own.
  func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try using { try $0.write(body) }
  }

  /// Runs on the one writing connection.
  func writeWithoutTransaction<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try using { try $0.writeWithoutTransaction(body) }
  }

  /// Reads one state of the library, on a connection of its own.
  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try using { try $0.read(body) }
  }

  /// Waits for those who are in. Then `last` runs on the writing connection, and the file is closed when `end` returns.
  /// A second call does nothing.
  func close(last: (Database) -> Void, end: (() throws -> Void) throws -> Void) throws {
    guard isLeftByAll() else { return }
    pool.writeWithoutTransaction(last)
    try end { try pool.close() }
  }

  /// From here on nobody comes in. False for the second who closes.
  private func isLeftByAll() -> Bool {
    condition.lock()
    defer { condition.unlock() }
    guard !isClosed else { return false }
    isClosed = true
    while users > 0 { condition.wait() }
    return true
  }

  private func using<Result>(_ body: (DatabasePool) throws -> Result) throws -> Result {
    try enter()
    defer { leave() }
    return try body(pool)
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
