import GRDB

/// A connection that only reads, and compiles each of its statements once.
///
/// GRDB's pool has readers too. It compiles what begins and ends a read for each one anew, and finds a statement by a hash
/// over all of its text: both together are a tenth of a short question.
final class ReaderConnection: @unchecked Sendable {
  // `@unchecked`: a GRDB queue serialises its own access.
  private let queue: DatabaseQueue
  private static let begin = KeptStatement("BEGIN DEFERRED")
  private static let commit = KeptStatement("COMMIT")

  init(path: String, configuration: Configuration) throws {
    var configuration = configuration
    configuration.readonly = true
    // Whoever begins here also ends, by `end`.
    configuration.allowsUnsafeTransactions = true
    queue = try DatabaseQueue(path: path, configuration: configuration)
    queue.unsafeRead { StatementTable.attach(to: $0) }
  }

  deinit {
    queue.unsafeRead { db in
      Self.end(db)
      StatementTable.detach(from: db)
    }
  }

  /// Runs on the calling thread. The connection cannot write, so nothing has to be forbidden for the time of a read.
  func use<Result>(_ body: (Database) throws -> Result) rethrows -> Result {
    try queue.unsafeRead(body)
  }

  /// Reads one state of the library: that of the first SELECT.
  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try use { db in
      // Of a read whose end has failed.
      Self.end(db)
      try Self.begin(db)
      defer { Self.end(db) }
      return try body(db)
    }
  }

  static func begin(_ db: Database) throws {
    try db.run(begin)
  }

  static func end(_ db: Database) {
    if db.isInsideTransaction { try? db.run(commit) }
    // The statement could not be compiled, or was interrupted.
    if db.isInsideTransaction { try? db.rollback() }
  }

  /// Stops what it runs now, on another thread.
  func interrupt() {
    queue.interrupt()
  }
}
