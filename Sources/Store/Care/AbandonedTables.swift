import SearchEngine
import Synchronization

/// Index tables that are no longer used, until they are dropped: the tables of the old index after a rebuild, and the
/// half-built tables of a failed rebuild.
///
/// Dropping them writes to the WAL, for which a disk that filled up during the rebuild may have no space.
final class AbandonedTables: Sendable {
  private struct State {
    /// How often tables were abandoned, and up to which of these times they were dropped. A counter and not a flag: a
    /// rebuild may begin and fail while the tables of the rebuild before it are dropped.
    var left = 0
    var removed = 0
    var failures = 0
    /// Nil until an attempt fails.
    var nextAttempt: ContinuousClock.Instant?

    var due: Int? { removed < left ? left : nil }
  }

  private let state = Mutex(State())
  private let now: @Sendable () -> ContinuousClock.Instant

  /// The wait between two slices, in the writer's idle time.
  static let pause: Duration = .milliseconds(200)
  private static let longestWait: Duration = .seconds(300)

  init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
    self.now = now
  }

  /// Records that tables were abandoned.
  func note() {
    state.withLock { $0.left += 1 }
  }

  /// Called inside the transaction that begins a rebuild, when no abandoned table is left.
  func forget() {
    state.withLock { $0.removed = $0.left }
  }

  /// Whether there are tables to drop.
  var areLeft: Bool { state.withLock { $0.due != nil } }

  /// Drops all abandoned tables, slice by slice, so that other writes run in between.
  ///
  /// - Throws: `DatabaseError` or `StoreError` when a slice cannot be written; the remaining tables stay to be dropped.
  func removeAll(with writer: MaintenanceWriter) throws {
    while try removeSlice(with: writer) {}
  }

  /// Drops the next slice. Called in the writer's idle time. After a failure it waits longer each time, so that a full
  /// disk is not tried again after every write.
  ///
  /// - Returns: Whether nothing is left to drop.
  func step(with writer: MaintenanceWriter) -> Bool {
    guard areLeft else { return true }
    guard state.withLock({ state in state.nextAttempt.map { now() >= $0 } ?? true }) else { return false }
    do {
      let isMore = try removeSlice(with: writer)
      state.withLock { $0.failures = 0 }
      return !isMore
    } catch {
      state.withLock { state in
        state.failures = min(state.failures + 1, 16)
        state.nextAttempt = now() + min(Self.longestWait, .seconds(1 << state.failures))
      }
      return false
    }
  }

  /// - Returns: Whether more is left to drop.
  private func removeSlice(with writer: MaintenanceWriter) throws -> Bool {
    guard let number = state.withLock(\.due) else { return false }
    let isMore = try writer.write { db in
      if try DiscardedTables.removeSlice(in: db) { return true }
      // A rebuild that began meanwhile fills tables of these names.
      guard state.withLock({ $0.due == number }) else { return false }
      return try SearchIndex.abandonRebuild(in: db)
    }
    if isMore { return true }
    return state.withLock { state in
      state.removed = max(state.removed, number)
      return state.due != nil
    }
  }
}
