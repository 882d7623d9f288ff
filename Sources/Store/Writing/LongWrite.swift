import Contract
import Synchronization
import Wire

/// What a slice of a long write came to.
package enum Slice: Sendable {
  /// There is more to do, from here on.
  case more(any Sendable)
  /// All is done; the reply's bytes, without `clock`.
  case done([UInt8])
}

/// A write of any size. It runs in slices, each a commit of its own between which other clients' writes get through;
/// together the slices are one step (`Series`): undone as one, and nothing of them stays when one of them fails.
///
///     slice 1 ──► others' writes ──► slice 2 ──► … ──► last slice ──► answered
///                                       └── fails, or is cancelled ──► taken back (`SeriesRecovery`) ──► answered
///
/// A slice is short only where somebody waits for its end; else it goes on to ten thousand rows, besides those of links,
/// of titles and of triggers that follow from them, so that most imports are one commit. What can be known before is found
/// out before: others see the slices as they come.
package final class LongWrite: Sendable {
  /// Does a slice of the work while `transaction.hasRoom`. The position is nil at first, and then what the slice before
  /// gave. A slice may run twice, like every write; so it must do the same when it is given the same position.
  package typealias Body = @Sendable (_ position: (any Sendable)?, _ transaction: Transaction) throws -> Slice

  private struct State {
    var position: (any Sendable)?
    var series: Series?
    var rows: Int
    /// What the slice that ran last would make of them.
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

  /// Rows of the first slice; the next are as large as fits into the time that a slice may take.
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
      // All in one slice is a write like any other.
      transaction.series = series.map { $0.ended }
    } else {
      transaction.series = series ?? Series(first: transaction.clock)
      try store.recovery.prepare(bytes: transaction.writtenBytes)
    }
    state.withLock { state in
      state.slice = slice
      state.notes = transaction.notes.count
    }
    return output
  }

  /// On the writer's thread, after the slice's commit or its failure.
  private func finished(_ result: Result<WriteOutcome, any Error>, in store: Store) {
    switch result {
    case .failure(let error): giveUp(error, in: store)
    case .success(let outcome):
      let isDone = state.withLock { state -> Bool in
        if outcome.changed, state.series == nil { state.series = Series(first: outcome.clock) }
        state.series?.told += state.notes
        guard case .more(let position) = state.slice else { return true }
        state.position = position
        // The time tells what the slice cost with its share of the index, which is written behind it.
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

  /// Answers when nothing of it is there any more, or with why that cannot be.
  private func giveUp(_ error: any Error, in store: Store) {
    guard let first = state.withLock({ $0.series?.first }) else {
      store.recovery.beganNothing()
      return completion(.failure(error))
    }
    if (error as? RPCError)?.isOfEnd == true {
      // Only its next slice was refused. Nothing is written any more, and the next start takes back what is there.
      return completion(.failure(RPCError.stoppedWrite))
    }
    completion(.failure(store.recovery.takeBack(first)?.rpcError ?? error))
  }
}

extension Store {
  /// Takes a long write in; its first slice waits for its turn like every write.
  package func add(_ write: LongWrite) {
    write.begin(in: self)
  }
}
