import Synchronization
import Wire

/// A request that was sent, and its future reply.
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

  /// The result.
  ///
  /// A cancelled task sends `$/cancelRequest` and continues to wait for the reply, which is authoritative: a write
  /// that had begun is answered with its outcome.
  ///
  /// - Throws: `RemoteError`; `ClientError`; `CancellationError` if the reply does not arrive within the client's
  ///   `cancellationGrace`.
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

  /// Requests the server to stop; the reply arrives all the same, or the grace ends.
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
