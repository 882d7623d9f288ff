import Dispatch
import Testing

@testable import Features

@Suite struct OnThreadTests {
  @Test("what runs on a thread learns that its task was cancelled, and the task ends with that")
  func cancelled() async {
    let started = DispatchSemaphore(value: 0)
    let cancelled = DispatchSemaphore(value: 0)
    let task = Task {
      try await onThread { checkCancelled in
        try checkCancelled()
        started.signal()
        cancelled.wait()
        try checkCancelled()
      }
    }
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        started.wait()
        task.cancel()
        cancelled.signal()
        continuation.resume()
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
