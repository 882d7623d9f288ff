import Link
import Synchronization
import Wire

/// The received frames, in order, and the tasks that wait for a part of them.
final class Record: Sendable {
  static let limit = 1 << 18

  private struct Waiter {
    var start: Int
    var fits: @Sendable (Frame) -> Bool
    var continuation: CheckedContinuation<Frame, any Error>
  }

  private struct State {
    var frames: [Frame] = []
    var waiters: [Int: Waiter] = [:]
    var end: CloseReason?
    var endWaiters: [Int: CheckedContinuation<CloseReason, any Error>] = [:]
    var lastWaiter = 0

    mutating func nextWaiter() -> Int {
      lastWaiter += 1
      return lastWaiter
    }
  }

  private let isEnabled: Bool
  private let state = Mutex(State())

  init(isEnabled: Bool) {
    self.isEnabled = isEnabled
  }

  var frames: [Frame] { state.withLock(\.frames) }

  /// False when the record is full.
  func append(_ frame: Frame) -> Bool {
    guard isEnabled else { return true }
    let (satisfied, fitted): ([Waiter], Bool) = state.withLock { state in
      guard state.frames.count < Self.limit else { return ([], false) }
      state.frames.append(frame)
      let index = state.frames.count - 1
      let satisfied = state.waiters.filter { index >= $0.value.start && $0.value.fits(frame) }
      for number in satisfied.keys { state.waiters[number] = nil }
      return (Array(satisfied.values), true)
    }
    for waiter in satisfied { waiter.continuation.resume(returning: frame) }
    return fitted
  }

  /// - Throws: `ClientError.closed` if the connection ends before, and `CancellationError`.
  func first(from start: Int, where fits: @escaping @Sendable (Frame) -> Bool) async throws -> Frame {
    precondition(isEnabled, "connect with record: true")
    let number = state.withLock { $0.nextWaiter() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer: Result<Frame, any Error>? = state.withLock { state in
          if let frame = state.frames.dropFirst(start).first(where: fits) { return .success(frame) }
          if let end = state.end { return .failure(ClientError.closed(end)) }
          if Task.isCancelled { return .failure(CancellationError()) }
          state.waiters[number] = Waiter(start: start, fits: fits, continuation: continuation)
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }

  /// - Throws: `CancellationError` if the task is cancelled before the connection ends.
  func closed() async throws -> CloseReason {
    let number = state.withLock { $0.nextWaiter() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer: Result<CloseReason, any Error>? = state.withLock { state in
          if let end = state.end { return .success(end) }
          if Task.isCancelled { return .failure(CancellationError()) }
          state.endWaiters[number] = continuation
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      let waiter = state.withLock { $0.endWaiters.removeValue(forKey: number) }
      waiter?.resume(throwing: CancellationError())
    }
  }

  func end(_ reason: CloseReason) {
    let (waiters, endWaiters) = state.withLock { state in
      state.end = reason
      defer {
        state.waiters = [:]
        state.endWaiters = [:]
      }
      return (state.waiters.values, state.endWaiters.values)
    }
    for waiter in waiters { waiter.continuation.resume(throwing: ClientError.closed(reason)) }
    for waiter in endWaiters { waiter.resume(returning: reason) }
  }
}
