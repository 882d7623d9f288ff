import CStore
import SQLite
import Synchronization

/// Lets another thread stop a running read, and only that read.
///
/// `sqlite3_interrupt` stops any statement of a connection. The lock guarantees that it is still ours: the connection
/// is cleared before it returns to the pool. Between two statements of a read SQLite has nothing to interrupt and drops
/// the request; so a running statement also checks the flag itself, every few thousand steps.
package final class Interruption: Sendable {
  private struct State: @unchecked Sendable {
    var connection: OpaquePointer?
    var reason: RPCErrorReason?
  }
  package enum RPCErrorReason: Sendable { case cancelled, timedOut, shutDown }

  private let state = Mutex(State())

  package init() {}

  /// Stops the read now, or as soon as it starts. The first reason wins.
  package func interrupt(_ reason: RPCErrorReason) {
    state.withLock { state in
      if state.reason == nil { state.reason = reason }
      if let connection = state.connection { sqlite3_interrupt(connection) }
    }
  }

  package var reason: RPCErrorReason? {
    state.withLock(\.reason)
  }

  func guarding<Result>(_ db: Database, _ body: () throws -> Result) throws -> Result {
    let reason = state.withLock { state in
      if state.reason == nil { state.connection = db.sqliteConnection }
      return state.reason
    }
    if reason != nil { throw CancellationError() }
    sqlite3_progress_handler(
      db.sqliteConnection, 4_000,
      { context in Unmanaged<Interruption>.fromOpaque(context!).takeUnretainedValue().reason == nil ? 0 : 1 },
      Unmanaged.passUnretained(self).toOpaque())
    defer {
      sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil)
      state.withLock { $0.connection = nil }
    }
    return try body()
  }
}
