import Contract
import Synchronization
import Wire

/// Rolls back long writes that failed, and reserves disk space for that.
///
/// A long write that fails after committing slices must leave no change (promise 11), even if it failed because the
/// disk is full:
///
///     a slice before the last    before its commit, the reserve is grown to what its rollback may need
///     failure                    the reserve is released, the WAL restarted, and the slices are rolled back on the
///                                writer's thread, before any other write runs and before the failure is reported
///     the rollback fails         the library is blocked: reads and writes get an error of their own; each write,
///                                and a timer every second, tries again
///
/// So no write is ever based on a part of a refused write, and no later start removes writes acknowledged since.
final class LongWriteRecovery: @unchecked Sendable {
  // `@unchecked`: used on the writer's thread only, and by `Store.init` before that runs.
  private let reserve: SpaceReservation
  private let gate: LibraryGate
  private let path: String
  private let log: Log
  /// Runs one write, alone.
  private let run: (WriteJob) -> Void
  /// Long writes with committed slices.
  private var open: Set<Int64> = []
  private var failed: [Int64] = []
  private var reserved: Int64 = 0

  /// A rollback writes about as much to the WAL as the slice did, mostly over what the WAL contains already.
  private static let margin: Int64 = 4 << 20

  init(folder: LibraryFolder, gate: LibraryGate, log: Log, run: @escaping (WriteJob) -> Void) {
    reserve = SpaceReservation(folder)
    (self.gate, path, self.log, self.run) = (gate, folder.path, log, run)
    // The reserve of a daemon that was killed; rolling back its writes needs the space now.
    reserve.giveUp()
  }

  /// Called before the commit of a slice that is not the last one.
  ///
  /// - Parameter bytes: the size of the items that it writes.
  /// - Throws: `StoreError.diskFull` if there is too little space to roll it back.
  func prepare(bytes: Int) throws(StoreError) {
    let needed = 2 * Int64(bytes) + Self.margin
    guard needed > reserved else { return }
    try reserve.grow(to: needed, library: path)
    reserved = needed
  }

  /// Called after that commit.
  func committed(_ first: Int64) {
    open.insert(first)
  }

  /// Called when the first slice of a long write failed.
  func beganNothing() {
    giveUpReserve()
  }

  /// Called when the last slice of a long write is committed.
  func ended(_ first: Int64) {
    open.remove(first)
    giveUpReserve()
  }

  private func giveUpReserve() {
    guard open.isEmpty else { return }
    reserve.giveUp()
    reserved = 0
  }

  /// Rolls back a long write. Returns the reason why the library is blocked if that failed, otherwise nil.
  func takeBack(_ first: Int64) -> StoreError? {
    open.remove(first)
    // Another running long write grows it again with its next slice.
    reserve.giveUp()
    reserved = 0
    failed.append(first)
    return retry()
  }

  /// Retries failed rollbacks. Returns the reason why one still fails, otherwise nil.
  func retry() -> StoreError? {
    while let first = failed.last {
      if let reason = takeBackAll(of: first) {
        let error = StoreError.unfinished(path: path, isFull: StoreError.isDiskFull(reason, path: path))
        if gate.close(error) {
          log("a long write that failed could not be undone, and the library is blocked until it is: \(reason)")
        }
        return error
      }
      failed.removeLast()
    }
    if gate.open() {
      log("the long write that failed was undone, and the library is open again", as: .warning)
    }
    return nil
  }

  private func takeBackAll(of first: Int64) -> (any Error)? {
    while true {
      let outcome = Mutex<Result<Bool, any Error>>(.success(true))
      run(
        WriteJob(caller: DaemonCaller(), label: "", isLong: true) { transaction in
          [try transaction.takeBackNewest(ofSeriesFrom: first) ? 1 : 0]
        } completion: { result in
          outcome.withLock { $0 = result.map { $0.output == [1] } }
        })
      switch outcome.withLock(\.self) {
      case .success(true): continue
      case .success(false): return nil
      case .failure(let error): return error
      }
    }
  }
}

/// Whether the library may be read and written.
final class LibraryGate: Sendable {
  private let isClosed = Atomic(false)
  private let reason = Mutex<StoreError?>(nil)

  /// - Throws: The `RPCError` of the reason while it is closed.
  func check() throws {
    guard isClosed.load(ordering: .acquiring) else { return }
    if let reason = reason.withLock(\.self) { throw reason.rpcError }
  }

  /// Returns false if it was closed already.
  func close(_ error: StoreError) -> Bool {
    reason.withLock { $0 = error }
    return !isClosed.exchange(true, ordering: .acquiringAndReleasing)
  }

  /// Returns false if it was open already.
  func open() -> Bool {
    guard isClosed.exchange(false, ordering: .acquiringAndReleasing) else { return false }
    reason.withLock { $0 = nil }
    return true
  }
}
