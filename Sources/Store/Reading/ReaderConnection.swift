import SQLite

/// A read-only connection. One thread uses it at a time.
final class ReaderConnection: Sendable {
  private let db: Database
  private static let begin = CachedStatement("BEGIN DEFERRED")
  private static let commit = CachedStatement("COMMIT")

  /// - Parameter db: a connection opened for reading.
  init(_ db: Database) {
    self.db = db
  }

  deinit {
    Self.end(db)
  }

  /// Runs `body` on the calling thread.
  func use<Result>(_ body: (Database) throws -> Result) rethrows -> Result {
    try body(db)
  }

  /// Runs `body` with a read snapshot, which its first SELECT pins.
  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try use { db in
      // Left open if ending the previous read failed.
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
    // If the statement could not be compiled, or was interrupted.
    db.rollBack()
  }

  /// Interrupts the running statement. Called on another thread.
  func interrupt() {
    db.interrupt()
  }
}
