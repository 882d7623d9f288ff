import Synchronization
import Wire

/// A request that was sent, and its reply to come.
package final class PendingReply: Sendable {
  private enum State {
    case waiting([CheckedContinuation<JSONValue, any Error>])
    case answered(Result<JSONValue, any Error>)
  }

  package let id: RequestID
  private let state = Mutex(State.waiting([]))
  private let cancelRequest: @Sendable (RequestID) -> Void
  private let whenFailed: @Sendable (RemoteError) -> Void

  init(
    id: RequestID, cancel: @escaping @Sendable (RequestID) -> Void,
    whenFailed: @escaping @Sendable (RemoteError) -> Void
  ) {
    self.id = id
    self.cancelRequest = cancel
    self.whenFailed = whenFailed
  }

  /// The result, or a `RemoteError`, or a `ClientError`.
  ///
  /// A cancelled task sends `$/cancelRequest` and goes on waiting for the answer, which tells the truth: a write that
  /// had begun is answered with what happened. A server that owes the answer for longer than the client's
  /// `cancellationGrace` is not waited for: `CancellationError`.
  package func value() async throws -> JSONValue {
    do {
      return try await reply()
    } catch let error as RemoteError {
      whenFailed(error)
      throw error
    }
  }

  private func reply() async throws -> JSONValue {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer: Result<JSONValue, any Error>? = state.withLock { state in
          switch state {
          case .waiting(let others):
            state = .waiting(others + [continuation])
            return nil
          case .answered(let answer): return answer
          }
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      cancel()
    }
  }

  /// Asks the server to stop; the reply comes all the same, or the grace ends.
  package func cancel() {
    cancelRequest(id)
  }

  func answer(_ answer: Result<JSONValue, any Error>) {
    let waiting = state.withLock { state in
      guard case .waiting(let waiting) = state else { return [CheckedContinuation<JSONValue, any Error>]() }
      state = .answered(answer)
      return waiting
    }
    for continuation in waiting { continuation.resume(with: answer) }
  }
}
