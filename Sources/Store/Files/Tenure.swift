import Contract
import Synchronization

/// Whether this process is still the only owner of the library that it opened.
///
/// The files of the database and of the lock stay open. If somebody deletes `lock`, a second owner can start, and
/// SQLite alone would let both write. So the first one checks both files before each group of writes, and compares
/// clocks: a state that is newer than its own last commit was written by another owner. From then on its writes and its
/// newer reads are refused, and the daemon exits.
///
///     lock deleted            the next group of writes creates and locks it again
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
  /// - Throws: `StoreError.gone`, `.ownedByOther`, or why a lock file that was removed could not be made anew.
  func check() throws(StoreError) {
    try checkPlace()
    do {
      try holdLock()
    } catch .inUse {
      throw lose(.ownedByOther(path: path))
    }
  }

  /// Called also when a file of the folder, or the folder itself, was moved or removed.
  ///
  /// - Throws: `StoreError.gone`.
  package func checkPlace() throws(StoreError) {
    guard database.isThere else { throw lose(.gone(path: path)) }
  }

  /// Called with the clock of each snapshot; the writer also calls it inside its transaction.
  ///
  /// - Throws: `StoreError.ownedByOther`.
  func check(clock: Int64) throws(StoreError) {
    guard clock > newest.load(ordering: .acquiring) else { return }
    throw lose(.ownedByOther(path: path))
  }

  /// Called by the writer before COMMIT, so that no reader sees an unexpected clock, and after a failed COMMIT.
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
