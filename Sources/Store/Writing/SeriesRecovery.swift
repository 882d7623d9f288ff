import Contract
import Synchronization
import Wire

/// Takes back long writes that failed, and keeps room on the disk for that.
///
/// A long write that has committed slices and then fails must leave nothing (promise 11), also when it failed because the
/// disk is full:
///
///     a slice that is not the last   before its commit, the reserve is made as large as taking it back may need
///     failure                        reserve given up, log restarted, slices taken back on the writer's thread, before
///                                    any other write runs and before the failure is answered
///     that fails too                 the library is blocked: reads and writes are refused with a sentence of their own;
///                                    each write, and every second, tries again
///
/// So nothing is ever built on a part of a refused write, and no later start removes what was acknowledged since.
final class SeriesRecovery: @unchecked Sendable {
  // `@unchecked`: used on the writer's thread only, and by `Store.init` before that runs.
  private let reserve: Reserve
  private let gate: LibraryGate
  private let path: String
  private let log: Log
  /// Runs one write, alone.
  private let run: (WriteJob) -> Void
  /// The long writes that have committed slices.
  private var open: Set<Int64> = []
  private var failed: [Int64] = []
  private var reserved: Int64 = 0

  /// Taking back writes about as much into the log as the slice did, most of it over what the log holds already.
  private static let margin: Int64 = 4 << 20

  init(folder: LibraryFolder, gate: LibraryGate, log: Log, run: @escaping (WriteJob) -> Void) {
    reserve = Reserve(folder)
    (self.gate, path, self.log, self.run) = (gate, folder.path, log, run)
    // Of a daemon that was killed; what it left undone needs the room now.
    reserve.giveUp()
  }

  /// Before the commit of a slice that is not the last one.
  ///
  /// - Parameter bytes: of the items that it writes.
  /// - Throws: `StoreError.diskFull` when there would be too little room to take it back.
  func prepare(bytes: Int) throws(StoreError) {
    let needed = 2 * Int64(bytes) + Self.margin
    guard needed > reserved else { return }
    try reserve.grow(to: needed, library: path)
    reserved = needed
  }

  /// After that commit.
  func committed(_ first: Int64) {
    open.insert(first)
  }

  /// The first slice of a long write failed.
  func beganNothing() {
    giveUpReserve()
  }

  /// The last slice of a long write is committed.
  func ended(_ first: Int64) {
    open.remove(first)
    giveUpReserve()
  }

  private func giveUpReserve() {
    guard open.isEmpty else { return }
    reserve.giveUp()
    reserved = 0
  }

  /// Takes back what is there of a long write. Returns why the library is blocked when it could not be, else nil.
  func takeBack(_ first: Int64) -> StoreError? {
    open.remove(first)
    // Another long write under way makes it anew with its next slice.
    reserve.giveUp()
    reserved = 0
    failed.append(first)
    return retry()
  }

  /// Takes back what could not be taken back before. Returns why it still cannot be, else nil.
  func retry() -> StoreError? {
    while let first = failed.last {
      if let reason = takeBackAll(of: first) {
        let error = StoreError.unfinished(path: path, isFull: StoreError.isDiskFull(reason, path: path))
        if gate.close(error) {
          log("a long write that failed could not be taken back, and the library is blocked until it is: \(reason)")
        }
        return error
      }
      failed.removeLast()
    }
    if gate.open() {
      log("the long write that failed was taken back, and the library is open again", as: .warning)
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

  /// - Throws: Why it is closed.
  func check() throws {
    guard isClosed.load(ordering: .acquiring) else { return }
    if let reason = reason.withLock(\.self) { throw reason.rpcError }
  }

  /// False when it was closed already.
  func close(_ error: StoreError) -> Bool {
    reason.withLock { $0 = error }
    return !isClosed.exchange(true, ordering: .acquiringAndReleasing)
  }

  /// False when it was open already.
  func open() -> Bool {
    guard isClosed.exchange(false, ordering: .acquiringAndReleasing) else { return false }
    reason.withLock { $0 = nil }
    return true
  }
}
