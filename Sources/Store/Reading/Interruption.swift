import GRDB
import GRDBSQLite
import Synchronization

/// Lets another thread stop a read that is running, and only that read.
///
/// `sqlite3_interrupt` stops whatever a connection runs. The lock makes sure that it is still our statement: the
/// connection is forgotten before it goes back to the pool.
package final class Interruption: Sendable {
  private struct State: @unchecked Sendable {
    var connection: OpaquePointer?
    var reason: RPCErrorReason?
  }
  package enum RPCErrorReason: Sendable { case cancelled, timedOut }

  private let state = Mutex(State())

  package init() {}

  /// Stops the read now, or as soon as it starts. The first reason stays.
  package func interrupt(_ reason: RPCErrorReason) {
    state.withLock { state in
      if state.reason == nil { state.reason = reason }
      // Again each time: between two statements of a read SQLite has nothing to stop and forgets it.
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
    defer { state.withLock { $0.connection = nil } }
    return try body()
  }
}
