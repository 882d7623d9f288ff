import SearchEngine
import Synchronization

/// Tables of an index that nobody uses, until they are removed: those of the old index after a rebuild, and the half-built
/// ones of a rebuild that failed.
///
/// Removing them takes room in the log, which a disk that filled up during the rebuild may not have.
final class AbandonedTables: Sendable {
  private struct State {
    /// How often tables were left, and up to which of these times they were removed. A number and not a flag: a rebuild
    /// may begin and fail while the tables of the one before it are removed.
    var left = 0
    var removed = 0
    var failures = 0
    var nextAttempt = ContinuousClock.now

    var due: Int? { removed < left ? left : nil }
  }

  private let state = Mutex(State())

  /// One slice is removed in each pause between writes.
  static let pause: Duration = .milliseconds(200)
  private static let longestWait: Duration = .seconds(300)

  /// Tables were left.
  func note() {
    state.withLock { $0.left += 1 }
  }

  /// Called inside the transaction that begins a rebuild, once there is no table left.
  func forget() {
    state.withLock { $0.removed = $0.left }
  }

  /// Whether there are tables to be removed.
  var areLeft: Bool { state.withLock { $0.due != nil } }

  /// Removes all that is left, slice by slice, so that writes come between.
  ///
  /// - Throws: What the disk or the library refuses; the rest of the tables stays to be removed.
  func removeAll(with writer: MaintenanceWriter) throws {
    while try removeSlice(with: writer) {}
  }

  /// The next slice, while nobody writes. A failure is followed by longer and longer waits, so that a full disk is not
  /// asked again with every write.
  ///
  /// - Returns: Whether there is nothing more to remove.
  func step(with writer: MaintenanceWriter) -> Bool {
    guard areLeft else { return true }
    guard state.withLock({ ContinuousClock.now >= $0.nextAttempt }) else { return false }
    do {
      let isMore = try removeSlice(with: writer)
      state.withLock { $0.failures = 0 }
      return !isMore
    } catch {
      state.withLock { state in
        state.failures = min(state.failures + 1, 16)
        state.nextAttempt = .now + min(Self.longestWait, .seconds(1 << state.failures))
      }
      return false
    }
  }

  /// - Returns: Whether more is left.
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
