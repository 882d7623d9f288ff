import Synchronization

/// Work that several requests share: run once, and cancelled when no request waits for it any more.
///
///     request A ──┐             ┌─► A and B get its result
///     request B ──┼─► one task ─┤
///     request C ──┘             └─► C, cancelled meanwhile, already has its reply
///
/// The last request to leave cancels the task. A later request for the same key gets a new task, which waits for the
/// old one to end: both may write the same file.
package final class SharedWork<Value: Sendable>: Sendable {
  private struct Waiter {
    var continuation: CheckedContinuation<Value, any Error>
    var progress: Progress
  }

  private struct Work {
    var number: Int
    var task: Task<Void, Never>
    var waiters: [Int: Waiter] = [:]
  }

  private struct State {
    var works: [String: Work] = [:]
    /// Cancelled tasks that have not ended yet.
    var ending: [String: (number: Int, task: Task<Void, Never>)] = [:]
    var numbers = 0

    mutating func nextNumber() -> Int {
      numbers += 1
      return numbers
    }
  }

  private let state = Mutex(State())

  package init() {}

  /// The result of the work for `key`: of the running task, otherwise of `body`, whose progress is sent to all waiters.
  ///
  /// - Throws: whatever `body` throws; `CancellationError`.
  package func value(
    for key: String, progress: Progress = .none, _ body: @escaping @Sendable (Progress) async throws -> Value
  ) async throws -> Value {
    let number = state.withLock { $0.nextNumber() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        join(key, number, Waiter(continuation: continuation, progress: progress), body)
        // The task was cancelled before it joined.
        if Task.isCancelled { leave(key, number) }
      }
    } onCancel: {
      leave(key, number)
    }
  }

  private func join(
    _ key: String, _ waiter: Int, _ entry: Waiter, _ body: @escaping @Sendable (Progress) async throws -> Value
  ) {
    state.withLock { state in
      if state.works[key] == nil {
        let number = state.nextNumber()
        let previous = state.ending[key]?.task
        state.works[key] = Work(
          number: number,
          task: Task {
            await previous?.value
            do {
              let value = try await body(Progress { self.report(key, number, $0) })
              finish(key, number, .success(value))
            } catch {
              finish(key, number, .failure(error))
            }
          })
      }
      state.works[key]?.waiters[waiter] = entry
    }
  }

  private func leave(_ key: String, _ waiter: Int) {
    let (left, abandoned) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
      guard let left = state.works[key]?.waiters.removeValue(forKey: waiter) else { return (nil, nil) }
      guard let work = state.works[key], work.waiters.isEmpty else { return (left, nil) }
      state.works[key] = nil
      state.ending[key] = (work.number, work.task)
      return (left, work.task)
    }
    abandoned?.cancel()
    left?.continuation.resume(throwing: CancellationError())
  }

  private func finish(_ key: String, _ number: Int, _ result: Result<Value, any Error>) {
    let waiters = state.withLock { state -> [Waiter] in
      if state.ending[key]?.number == number { state.ending[key] = nil }
      guard let work = state.works[key], work.number == number else { return [] }
      state.works[key] = nil
      return Array(work.waiters.values)
    }
    for waiter in waiters { waiter.continuation.resume(with: result) }
  }

  private func report(_ key: String, _ number: Int, _ report: ProgressReport) {
    let listeners = state.withLock { state -> [Progress] in
      guard let work = state.works[key], work.number == number else { return [] }
      return work.waiters.values.map(\.progress)
    }
    for listener in listeners { listener.forward(report) }
  }
}
