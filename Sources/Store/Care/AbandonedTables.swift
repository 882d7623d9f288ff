import Synchronization

/// Half-built tables of a rebuild that failed, until they are removed.
///
/// To remove them takes room in the log, which a disk that filled up during the rebuild may not have.
final class AbandonedTables: Sendable {
  private let areThere = Atomic(false)

  /// A rebuild failed.
  func note() {
    areThere.store(true, ordering: .releasing)
  }

  /// Called inside the transaction that begins a rebuild, which removes the tables itself.
  func forget() {
    areThere.store(false, ordering: .releasing)
  }

  /// Called after a rebuild failed, and by the writer before each group until it succeeds.
  func remove(with writer: MaintenanceWriter) {
    guard areThere.load(ordering: .acquiring) else { return }
    let isRemoved: Void? = try? writer.write { db in
      // A rebuild that began meanwhile fills tables of these names.
      guard areThere.load(ordering: .acquiring) else { return }
      try SearchIndex.abandonRebuild(in: db)
    }
    if isRemoved != nil { forget() }
  }
}
