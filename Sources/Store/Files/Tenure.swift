import Contract
import Synchronization

/// Whether this process is still the only owner of the library that it opened.
///
/// The database's file is open for good, and so is the lock's. Somebody who removes `lock` lets a second owner in, and
/// SQLite alone would let both write. So the first one looks at both files before each group of writes, and compares
/// clocks: a state that is newer than its own last commit was written by another owner. From then on its writes and its
/// newer reads are refused, and the daemon ends.
///
///     lock removed            the next group of writes makes and locks it anew
///     lock locked by another  `taken`
///     newer clock in the file `taken`, also for reads: no notification of that commit will ever come here
///     database moved, removed `gone`
package final class Tenure: Sendable {
  private let database: FilePlace
  private let path: String
  private let holdLock: @Sendable () throws(StoreError) -> Void
  private let whenLost: @Sendable () -> Void
  private let log: Log
  /// The newest clock that this process has committed, or is about to commit.
  private let newest = Atomic<Int64>(0)
  private let isLost = Atomic(false)

  init(
    _ folder: LibraryFolder, clock: Int64, holdLock: @escaping @Sendable () throws(StoreError) -> Void,
    whenLost: @escaping @Sendable () -> Void, log: Log
  ) {
    database = FilePlace(folder.database)
    (path, self.holdLock, self.whenLost, self.log) = (folder.path, holdLock, whenLost, log)
    expect(clock: clock)
  }

  /// Called by the writer before each group of writes.
  ///
  /// - Throws: `StoreError.gone`, `.taken`, or why a lock file that was removed could not be made anew.
  func check() throws(StoreError) {
    guard database.isThere else { throw lose(.gone(path: path)) }
    do {
      try holdLock()
    } catch .inUse {
      throw lose(.taken(path: path))
    }
  }

  /// Called with the clock of each state that is read, by the writer also inside its transaction.
  ///
  /// - Throws: `StoreError.taken`.
  func check(clock: Int64) throws(StoreError) {
    guard clock > newest.load(ordering: .acquiring) else { return }
    throw lose(.taken(path: path))
  }

  /// Called by the writer before COMMIT, so that no read sees a clock that is not expected, and after a failed one.
  func expect(clock: Int64) {
    newest.store(clock, ordering: .releasing)
  }

  private func lose(_ error: StoreError) -> StoreError {
    if !isLost.exchange(true, ordering: .acquiringAndReleasing) {
      let what = error == .gone(path: path) ? "was moved or removed" : "was taken over by another process"
      log("the library \(path) \(what); nothing more is written", as: .error)
      whenLost()
    }
    return error
  }
}
