import GRDB
import Wire

/// A connection of its own for short reads on one thread, so that they never wait for long ones.
///
/// Four long reads occupy all of a pool's readers, and an event loop that waits there stops all its clients.
package final class QuickReader: @unchecked Sendable {
  // `@unchecked`: a GRDB queue serialises its own access.
  private let queue: DatabaseQueue

  init(path: String, configuration: Configuration) throws {
    var configuration = configuration
    configuration.readonly = true
    queue = try DatabaseQueue(path: path, configuration: configuration)
  }

  /// Runs on the calling thread. Only for reads by key, or limited.
  package func read<Result>(for caller: any Caller, _ body: (Snapshot) throws -> Result) throws -> Result {
    // The connection cannot write, so nothing has to be forbidden for the time of a read; and BEGIN and COMMIT are
    // compiled once, which takes a third of a short read otherwise.
    try queue.unsafeRead { db in
      try db.run("BEGIN DEFERRED")
      do {
        let result = try body(try Snapshot.pin(db, caller: caller))
        try db.run("COMMIT")
        return result
      } catch {
        if db.isInsideTransaction { try? db.run("ROLLBACK") }
        throw error
      }
    }
  }
}
