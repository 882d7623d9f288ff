import Contract
import Synchronization
import Wire

/// The result of a slice of a long write.
package enum Slice: Sendable {
  /// More work is left; the value is the position to continue from.
  case more(any Sendable)
  /// The write is complete; the value is the reply's bytes, without `clock`.
  case done([UInt8])
}

/// A write of any size. It runs in slices, each its own commit, between which other clients' writes run. Together the
/// slices are one step (`ChunkedCommitGroup`): undone as one, and rolled back completely when one of them fails.
///
///     slice 1 ──► others' writes ──► slice 2 ──► … ──► last slice ──► reply
///                                       └── fails, or is cancelled ──► rolled back (`LongWriteRecovery`) ──► reply
///
/// A slice is short only while another write waits; otherwise it continues up to ten thousand rows, not counting
/// derived rows of links, titles and triggers, so that most imports are one commit. Input is validated before the first
/// slice, since other clients see each slice.
package final class LongWrite: Sendable {
  /// Runs a slice of the work while `transaction.hasRoom`. `position` is nil in the first slice, then the value from
  /// the previous slice. A slice may run twice, like every write, so it must do the same for the same position.
  package typealias Body = @Sendable (_ position: (any Sendable)?, _ transaction: Transaction) throws -> Slice

  private struct State {
    var position: (any Sendable)?
    var series: ChunkedCommitGroup?
    var rows: Int
    /// The result of the last slice, valid once its commit succeeds.
    var slice: Slice?
    var notes = 0
    var began = ContinuousClock.now
  }

  private let caller: any Caller
  private let label: String
  private let token: WriteToken
  private let body: Body
  private let completion: @Sendable (Result<WriteOutcome, any Error>) -> Void
  private let state = Mutex(State(rows: 0))

  package init(
    caller: any Caller, label: String, token: WriteToken = WriteToken(), body: @escaping Body,
    completion: @escaping @Sendable (Result<WriteOutcome, any Error>) -> Void
  ) {
    self.caller = caller
    self.label = label
    self.token = token
    self.body = body
    self.completion = completion
  }

  /// Runs all of a long write in one transaction, for a dry run.
  ///
  /// - Throws: `tooLarge` if it would write more than other clients should wait for, and what `body` throws.
  package static func whole(_ body: Body, in transaction: Transaction) throws -> [UInt8] {
    var position: (any Sendable)?
    let end = transaction.db.totalChangesCount + mostDryRunRows
    while transaction.db.totalChangesCount < end, transaction.writtenBytes < SliceRoom.mostBytes {
      transaction.beginSlice(rows: firstRows, mostRows: firstRows, within: duration, othersWait: { false })
      switch try body(position, transaction) {
      case .done(let output): return output
      case .more(let next): position = next
      }
    }
    throw RPCError(.tooLarge, text: Text("error.dryRunTooLarge"))
  }

  /// The most rows of a dry run, derived rows included.
  private static let mostDryRunRows = 50_000
  /// Rows of the first slice; later slices are as large as fits into a slice's time limit.
  private static let firstRows = 256
  private static let fewestRows = 16
  private static let duration = GroupCommit.usualDuration

  func begin(in store: Store) {
    state.withLock { $0.rows = min(Self.firstRows, store.sliceRows) }
    addSlice(in: store)
  }

  private func addSlice(in store: Store) {
    store.writes.add(
      WriteJob(caller: caller, label: label, token: token, isLong: true) { [self] transaction in
        try run(transaction, in: store)
      } completion: { [self] result in
        finished(result, in: store)
      })
  }

  private func run(_ transaction: Transaction, in store: Store) throws -> [UInt8] {
    let (position, series, rows) = state.withLock { state in
      state.began = .now
      return (state.position, state.series, state.rows)
    }
    transaction.beginSlice(
      rows: rows, mostRows: store.sliceRows, within: Self.duration, othersWait: { store.writes.hasOthers })
    let slice = try body(position, transaction)
    var output: [UInt8] = []
    if case .done(let bytes) = slice {
      output = bytes
      // A write with only one slice is an ordinary write.
      transaction.series = series.map { $0.ended }
    } else {
      transaction.series = series ?? ChunkedCommitGroup(first: transaction.clock)
      try store.recovery.prepare(bytes: transaction.writtenBytes)
    }
    state.withLock { state in
      state.slice = slice
      state.notes = transaction.notes.count
    }
    return output
  }

  /// Called on the writer's thread, after the slice's commit or its failure.
  private func finished(_ result: Result<WriteOutcome, any Error>, in store: Store) {
    switch result {
    case .failure(let error): giveUp(error, in: store)
    case .success(let outcome):
      let isDone = state.withLock { state -> Bool in
        if outcome.changed, state.series == nil { state.series = ChunkedCommitGroup(first: outcome.clock) }
        state.series?.reported += state.notes
        guard case .more(let position) = state.slice else { return true }
        state.position = position
        // The duration includes the index work of the slice, which runs after it.
        let duration = ContinuousClock.now - state.began
        if duration > Self.duration { state.rows = max(min(Self.fewestRows, state.rows), state.rows / 2) }
        if duration < Self.duration / 2 { state.rows = min(store.sliceRows, state.rows * 2) }
        return false
      }
      if isDone {
        if let first = state.withLock({ $0.series?.first }) { store.recovery.ended(first) }
        var outcome = outcome
        outcome.changed = outcome.changed || state.withLock { $0.series != nil }
        completion(.success(outcome))
      } else if token.isUnwanted {
        giveUp(RPCError.cancelled, in: store)
      } else {
        if let first = state.withLock({ $0.series?.first }) { store.recovery.committed(first) }
        addSlice(in: store)
      }
    }
  }

  /// Completes with the error after the rollback, or with the reason why the rollback failed.
  private func giveUp(_ error: any Error, in store: Store) {
    guard let first = state.withLock({ $0.series?.first }) else {
      store.recovery.beganNothing()
      return completion(.failure(error))
    }
    if (error as? RPCError)?.isOfEnd == true {
      // Only its next slice was refused. Nothing more is written, and the next start rolls back its commits.
      return completion(.failure(RPCError.stoppedWrite))
    }
    completion(.failure(store.recovery.takeBack(first)?.rpcError ?? error))
  }
}

extension Store {
  /// Adds a long write to the queue; its first slice waits for its turn like every write.
  package func add(_ write: LongWrite) {
    write.begin(in: self)
  }
}
