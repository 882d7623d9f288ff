import DequeModule
import Synchronization
import Threads
import Wire

/// The FIFO queue of all writes, and the single thread that runs them.
///
/// Waiting writes are committed together, and writes that arrive while a group runs join it, so that sixty-four writes
/// share one sync: otherwise concurrent writes split into two halves, each of which waits for the other's sync. The
/// queue is bounded by its callers: a connection has at most 64 concurrent requests.
///
/// Yielding writes wait in a queue of their own, and each is alone when it begins.
package final class WriteQueue: @unchecked Sendable {
  // `@unchecked`: all `var`s are only touched while `condition` is held.
  private let condition = Condition()
  private var waiting: Deque<WriteJob> = []
  private var yielding: Deque<(job: WriteJob, arrival: ContinuousClock.Instant)> = []
  private var turns = WriteTurns()
  /// Whether the running group has writes of clients.
  private var isServing = false
  private var isClosed = false
  private var isIdle = true
  private var isWrittenBeside = false
  /// The number of waiting and running jobs.
  private let unanswered = Atomic(0)
  private let commit: Commit
  private let useTurn: UseTurn
  private let now: @Sendable () -> ContinuousClock.Instant
  private let whenIdle: [IdleSchedule.Step]
  /// Steps for work that an earlier daemon may have left.
  private let atStart: [IdleSchedule.Step]

  /// Writes a group: the given jobs, then those that `joining` returns until it returns nil. Returns how many jobs were
  /// run in all.
  typealias Commit = @Sendable (_ group: [WriteJob], _ joining: () -> WriteJob?) -> Int

  /// Called first in the turn of a yielding write; returns whether it has used that turn.
  typealias UseTurn = @Sendable (_ room: WriteTurns.Room) -> Bool

  /// The most writes in one transaction.
  package static let groupLimit = 64

  /// `commit` and `whenIdle` run on the writer's thread; jobs of a group that `commit` did not run are passed to it
  /// again.
  ///
  /// - Parameter now: the clock of the turns.
  init(
    commit: @escaping Commit, useTurn: @escaping UseTurn = { _ in false },
    whenIdle: [IdleSchedule.Step] = [], atStart: [IdleSchedule.Step] = [],
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.commit = commit
    self.useTurn = useTurn
    self.now = now
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
    if job.priority != .usual {
      yielding.append((job, now()))
    } else {
      if waiting.isEmpty, !isServing { turns.noteArrival(at: now()) }
      waiting.append(job)
    }
    unanswered.add(1, ordering: .relaxed)
    condition.unlock()
    // Outside the lock, for which the woken writer would only have to wait.
    condition.signal()
  }

  /// Called after a write outside the queue, such as a reindex: starts the idle steps as after a write of the queue.
  func noteWritten() {
    condition.lock()
    isWrittenBeside = true
    condition.unlock()
    condition.signal()
  }

  /// Whether any write other than the running one waits.
  package var hasOthers: Bool { unanswered.load(ordering: .relaxed) > 1 }

  /// Refuses new writes, and returns when the waiting ones are done or at the deadline.
  package func close(deadline: ContinuousClock.Instant) {
    condition.lock()
    defer { condition.unlock() }
    isClosed = true
    condition.broadcast()
    while !(waiting.isEmpty && yielding.isEmpty && isIdle) {
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

  private func take(_ idleSteps: [IdleSchedule.Step]) -> [WriteJob]? {
    var idle = IdleSchedule(idleSteps)
    condition.lock()
    defer { condition.unlock() }
    if isServing { turns.noteReply(at: now()) }
    isServing = false
    isIdle = true
    condition.broadcast()
    while true {
      let pause = pauseOfYielding()
      if let pause, pause <= .zero || isClosed && waiting.isEmpty {
        isIdle = false
        let room = turns.room(isBusy: !waiting.isEmpty, at: now())
        condition.unlock()
        let isUsed = useTurn(room)
        condition.lock()
        // The write keeps its arrival: it must not wait as long again.
        if isUsed { continue }
        return [yielding.removeFirst().job]
      }
      if !waiting.isEmpty { break }
      if isClosed { return nil }
      if let pause {
        _ = condition.wait(until: .now + pause)
        continue
      }
      if isWrittenBeside {
        isWrittenBeside = false
        idle = IdleSchedule(whenIdle)
      }
      guard let next = idle.next else {
        condition.wait()
        continue
      }
      // The condition may have been signalled for another reason.
      guard next.time <= .now || !condition.wait(until: next.time) else { continue }
      condition.unlock()
      let isDone = idle.steps[next.place].run()
      condition.lock()
      idle.note(next.place, isDone: isDone)
    }
    (isIdle, isServing) = (false, true)
    // A long write is alone: those before it are answered without it, and it needs no savepoint, which would keep every
    // page that it touches.
    let others = waiting.prefix(Self.groupLimit).prefix { !$0.isLong }
    let group = Array(others.isEmpty ? waiting.prefix(1) : others)
    waiting.removeFirst(group.count)
    return group
  }

  /// How long the first yielding write still waits for its turn; nil if none waits.
  private func pauseOfYielding() -> Duration? {
    let now = now()
    return yielding.first.map { turns.time(of: $0.arrival, isBusy: !waiting.isEmpty, at: now) - now }
  }

  /// The next job that joins the running group. A long write never joins: it needs a larger page cache.
  private func takeOne() -> WriteJob? {
    condition.lock()
    defer { condition.unlock() }
    guard let first = waiting.first, !first.isLong else { return nil }
    isServing = true
    return waiting.removeFirst()
  }
}

extension RPCError {
  package static let shuttingDown = RPCError(code: Code.invalidRequest, text: Text("error.shuttingDown"))
  /// A write that was accepted and reached the shutdown deadline before its commit: it was rolled back, or the next
  /// start rolls it back.
  package static let stoppedWrite = RPCError(code: Code.invalidRequest, text: Text("error.stoppedWrite"))

  /// A request that was begun and stopped because the daemon exits.
  package static let stoppedRequest = RPCError(code: Code.invalidRequest, text: Text("error.stoppedRequest"))

  /// The errors of a daemon that exits: the request is not at fault, though the code is that of invalid requests.
  package static let endings = [shuttingDown, stoppedRequest, stoppedWrite]
  package var isOfEnd: Bool { Self.endings.contains(self) }
}
