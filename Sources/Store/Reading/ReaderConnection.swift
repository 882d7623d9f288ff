import SQLite

/// A connection that only reads. One thread uses it at a time.
final class ReaderConnection: Sendable {
  private let db: Database
  private static let begin = KeptStatement("BEGIN DEFERRED")
  private static let commit = KeptStatement("COMMIT")

  /// - Parameter db: opened for reading.
  init(_ db: Database) {
    self.db = db
  }

  deinit {
    Self.end(db)
  }

  /// Runs on the calling thread.
  func use<Result>(_ body: (Database) throws -> Result) rethrows -> Result {
    try body(db)
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
    db.rollBack()
  }

  /// Stops what it runs now, on another thread.
  func interrupt() {
    db.interrupt()
  }
}
