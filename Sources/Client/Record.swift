import Link
import Synchronization
import Wire

/// What came, in order, and whoever waits for a part of it.
final class Record: Sendable {
  static let limit = 1 << 18

  private struct Waiter {
    var start: Int
    var fits: @Sendable (Frame) -> Bool
    var continuation: CheckedContinuation<Frame, any Error>
  }

  private struct State {
    var frames: [Frame] = []
    var waiters: [Waiter] = []
    var end: CloseReason?
    var endWaiters: [CheckedContinuation<CloseReason, Never>] = []
  }

  private let isKept: Bool
  private let state = Mutex(State())

  init(isKept: Bool) {
    self.isKept = isKept
  }

  var frames: [Frame] { state.withLock(\.frames) }

  /// False when the record is full.
  func append(_ frame: Frame) -> Bool {
    guard isKept else { return true }
    let (satisfied, fitted): ([Waiter], Bool) = state.withLock { state in
      guard state.frames.count < Self.limit else { return ([], false) }
      state.frames.append(frame)
      let index = state.frames.count - 1
      let satisfied = state.waiters.filter { index >= $0.start && $0.fits(frame) }
      state.waiters.removeAll { index >= $0.start && $0.fits(frame) }
      return (satisfied, true)
    }
    for waiter in satisfied { waiter.continuation.resume(returning: frame) }
    return fitted
  }

  func first(from start: Int, where fits: @escaping @Sendable (Frame) -> Bool) async throws -> Frame {
    precondition(isKept, "connect with record: true")
    return try await withCheckedThrowingContinuation { continuation in
      let answer: Result<Frame, any Error>? = state.withLock { state in
        if let frame = state.frames.dropFirst(start).first(where: fits) { return .success(frame) }
        if let end = state.end { return .failure(ClientError.closed(end)) }
        state.waiters.append(Waiter(start: start, fits: fits, continuation: continuation))
        return nil
      }
      if let answer { continuation.resume(with: answer) }
    }
  }

  func closed() async -> CloseReason {
    await withCheckedContinuation { continuation in
      let end: CloseReason? = state.withLock { state in
        if state.end == nil { state.endWaiters.append(continuation) }
        return state.end
      }
      if let end { continuation.resume(returning: end) }
    }
  }

  func end(_ reason: CloseReason) {
    let (waiters, endWaiters) = state.withLock { state in
      state.end = reason
      defer {
        state.waiters = []
        state.endWaiters = []
      }
      return (state.waiters, state.endWaiters)
    }
    for waiter in waiters { waiter.continuation.resume(throwing: ClientError.closed(reason)) }
    for waiter in endWaiters { waiter.resume(returning: reason) }
  }
}
