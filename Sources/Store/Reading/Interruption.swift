import CStore
import SQLite
import Synchronization

/// Lets another thread stop a read that is running, and only that read.
///
/// `sqlite3_interrupt` stops whatever a connection runs. The lock makes sure that it is still our statement: the
/// connection is forgotten before it goes back to the pool. Between two statements of a read SQLite has nothing to stop
/// and forgets that it was asked; so a running statement also looks here by itself, every few thousand of its steps.
package final class Interruption: Sendable {
  private struct State: @unchecked Sendable {
    var connection: OpaquePointer?
    var reason: RPCErrorReason?
  }
  package enum RPCErrorReason: Sendable { case cancelled, timedOut, shutDown }

  private let state = Mutex(State())

  package init() {}

  /// Stops the read now, or as soon as it starts. The first reason stays.
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
