import DequeModule
import Synchronization
import Threads
import Wire

/// The one queue of all writes, first in, first out, and the one thread that works it off.
///
/// What waits together is committed together, and what comes while a group is being written joins it, so that
/// sixty-four writes share one sync: otherwise those in flight fall into two halves, each of which waits for the other's.
/// The queue itself is bounded by whoever fills it: a connection has at most 64 requests under way.
package final class WriteQueue: @unchecked Sendable {
  // `@unchecked`: `waiting`, `isClosed`, `isIdle` and `isWrittenBeside` are only touched while `condition` is held.
  private let condition = Condition()
  private var waiting: Deque<WriteJob> = []
  private var isClosed = false
  private var isIdle = true
  private var isWrittenBeside = false
  /// Those that wait, and those that run.
  private let unanswered = Atomic(0)
  private let commit: Commit
  private let whenIdle: [IdleStep]
  /// What an earlier daemon may have left to be done.
  private let atStart: [IdleStep]

  /// What is done when nothing came for so long after a write. False when it is to be tried again after as long. See
  /// `IdleTurns`.
  typealias IdleStep = (after: Duration, run: @Sendable () -> Bool)

  /// Writes a group, those first that it is given, then those that the function hands it until that has no more, and
  /// returns how many were taken in all.
  typealias Commit = @Sendable (_ group: [WriteJob], _ joining: () -> WriteJob?) -> Int

  /// At most so many writes share a transaction.
  package static let groupLimit = 64

  /// `commit` runs on the writer's thread; those of a group that it did not take are given to it again. `whenIdle` runs
  /// there too.
  init(commit: @escaping Commit, whenIdle: [IdleStep] = [], atStart: [IdleStep] = []) {
    self.commit = commit
    self.whenIdle = whenIdle
    self.atStart = atStart
    startThread(named: "writer", stackSize: 4 << 20) { [self] in work() }
  }

  package func add(_ job: WriteJob) {
    condition.lock()
    guard !isClosed else {
      condition.unlock()
      job.completion(.failure(RPCError.shuttingDown))
      return
    }
    waiting.append(job)
    unanswered.add(1, ordering: .relaxed)
    condition.unlock()
    // Outside the lock, which the writer would only wait for again.
    condition.signal()
  }

  /// Somebody has written beside the queue, as who makes the index anew does: what is done behind a write is done now.
  func noteWritten() {
    condition.lock()
    isWrittenBeside = true
    condition.unlock()
    condition.signal()
  }

  /// Whether anybody but the write that asks waits for its end.
  var hasOthers: Bool { unanswered.load(ordering: .relaxed) > 1 }

  /// Refuses new writes, and returns when those that waited are done or the deadline has come.
  package func close(deadline: ContinuousClock.Instant) {
    condition.lock()
    defer { condition.unlock() }
    isClosed = true
    condition.broadcast()
    while !(waiting.isEmpty && isIdle) {
      guard condition.wait(until: deadline) else { return }
    }
  }

  private func work() {
    var idleSteps = atStart
    while let group = take(idleSteps) {
      idleSteps = whenIdle
      var rest = group[...]
      while !rest.isEmpty {
        let count = commit(Array(rest), takeOne)
        unanswered.subtract(count, ordering: .relaxed)
        rest = rest.dropFirst(count)
      }
    }
  }

  private func take(_ idleSteps: [IdleStep]) -> [WriteJob]? {
    var turns = IdleTurns(idleSteps)
    condition.lock()
    defer { condition.unlock() }
    isIdle = true
    condition.broadcast()
    while waiting.isEmpty {
      if isClosed { return nil }
      if isWrittenBeside {
        isWrittenBeside = false
        turns = IdleTurns(whenIdle)
      }
      guard let next = turns.next else {
        condition.wait()
        continue
      }
      // Whoever wakes us may have something else in mind.
      guard next.time <= .now || !condition.wait(until: next.time) else { continue }
      condition.unlock()
      let isDone = turns.steps[next.place].run()
      condition.lock()
      turns.note(next.place, isDone: isDone)
    }
    isIdle = false
    let group = Array(waiting.prefix(Self.groupLimit))
    waiting.removeFirst(group.count)
    return group
  }

  /// What joins a group that is being written. A long write begins one: it needs more pages at hand.
  private func takeOne() -> WriteJob? {
    condition.lock()
    defer { condition.unlock() }
    guard let first = waiting.first, !first.isLong else { return nil }
    return waiting.removeFirst()
  }
}

extension RPCError {
  package static let shuttingDown = RPCError(code: Code.invalidRequest, text: Text("error.shuttingDown"))
  /// A write that was taken, and met the end before its commit: it was rolled back, or the next start takes it back.
  package static let stoppedWrite = RPCError(code: Code.invalidRequest, text: Text("error.stoppedWrite"))

  /// A request that was begun, and given up because the daemon ends.
  package static let stoppedRequest = RPCError(code: Code.invalidRequest, text: Text("error.stoppedRequest"))

  /// What a daemon that ends answers: nothing is wrong with what was asked, though the code is that of bad requests.
  package static let endings = [shuttingDown, stoppedRequest, stoppedWrite]
  package var isOfEnd: Bool { Self.endings.contains(self) }
}
