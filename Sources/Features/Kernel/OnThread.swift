import Foundation
import Synchronization

/// Runs what blocks on a thread of its own, so that it takes none of the few that tasks share.
///
/// Nothing can stop a thread from outside. `body` gets a check that throws `CancellationError` once the task is
/// cancelled; what may take long calls it between its steps.
package func onThread<Result: Sendable>(
  _ body: @escaping @Sendable (_ checkCancelled: @escaping @Sendable () throws -> Void) throws -> Result
) async throws -> Result {
  let flag = Flag()
  let writes = FileWrites.current
  return try await withTaskCancellationHandler {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        let result = FileWrites.$current.withValue(writes) {
          Swift.Result { try body { if flag.isSet { throw CancellationError() } } }
        }
        continuation.resume(with: result)
      }
    }
  } onCancel: {
    flag.set()
  }
}

private final class Flag: Sendable {
  private let value = Atomic(false)
  var isSet: Bool { value.load(ordering: .relaxed) }
  func set() { value.store(true, ordering: .relaxed) }
}
