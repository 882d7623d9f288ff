import SQLite

/// Whether a commit of the writing connection returns only after the WAL was synced to disk. Used while that connection
/// is held.
final class LogSync: @unchecked Sendable {
  private var isOn = true

  /// Must not be called within a transaction.
  func set(_ isOn: Bool, in db: Database) throws {
    if isOn == self.isOn { return }
    // With NORMAL only checkpoints sync the WAL. Its commits stay in order: after a power failure the last ones may be
    // missing, and no earlier one.
    try db.execute("PRAGMA synchronous = \(isOn ? "FULL" : "NORMAL")")
    self.isOn = isOn
  }
}
