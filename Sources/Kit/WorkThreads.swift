import Synchronization
import Threads

/// Threads for blocking work, at most `limit` at once. Further work waits in a queue, first in, first out. A thread ends
/// when the queue is empty.
final class WorkThreads: Sendable {
  /// The threads of the whole daemon. A client has at most 64 requests running, so it fills a quarter of them.
  static let shared = WorkThreads(limit: 256)

  private struct State {
    var running = 0
    /// Oldest first. Usually empty.
    var waiting: [Work] = []
  }

  private let limit: Int
  private let state = Mutex(State())

  init(limit: Int) {
    self.limit = limit
  }

  var runningCount: Int { state.withLock { $0.running } }
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// - Throws: whatever `body` throws; `CancellationError` at once if the task is cancelled while it waits for a
  ///   thread.
  func run<Result: Sendable>(
    _ body: @escaping @Sendable (_ checkCancelled: @escaping @Sendable () throws -> Void) throws -> Result
  ) async throws -> Result {
    let flag = Flag()
    let (writes, confinement) = (FileWrites.current, FileConfinement.current)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Result, any Error>) in
        start(
          Work(flag: flag) { isWithdrawn in
            guard !isWithdrawn else { return continuation.resume(throwing: CancellationError()) }
            let result = FileWrites.$current.withValue(writes) {
              FileConfinement.$current.withValue(confinement) {
                Swift.Result { try body { if flag.isSet { throw CancellationError() } } }
              }
            }
            continuation.resume(with: result)
          })
      }
    } onCancel: {
      withdraw(flag)
    }
  }

  private enum Start { case atOnce, later, never }

  private func start(_ work: Work) {
    let start = state.withLock { state -> Start in
      if state.running < limit {
        state.running += 1
        return .atOnce
      }
      // A cancellation before this point found nothing to withdraw.
      if work.flag.isSet { return .never }
      state.waiting.append(work)
      return .later
    }
    switch start {
    case .atOnce:
      startThread { [self] in
        work.run(false)
        while let next = next() { next.run(false) }
      }
    case .later: break
    case .never: work.run(true)
    }
  }

  /// Removes and returns the oldest waiting work. Nil if the queue is empty; the thread then ends.
  private func next() -> Work? {
    state.withLock { state in
      if !state.waiting.isEmpty { return state.waiting.removeFirst() }
      state.running -= 1
      return nil
    }
  }

  private func withdraw(_ flag: Flag) {
    let work = state.withLock { state -> Work? in
      flag.set()
      return state.waiting.firstIndex { $0.flag === flag }.map { state.waiting.remove(at: $0) }
    }
    work?.run(true)
  }

  private struct Work: Sendable {
    let flag: Flag
    let run: @Sendable (_ isWithdrawn: Bool) -> Void
  }

  private final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
  }
}
