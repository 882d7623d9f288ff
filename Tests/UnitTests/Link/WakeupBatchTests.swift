import Foundation
import Link
import Synchronization
import Testing

@Suite("What is handed to loops together", .timeLimit(.minutes(10)))
final class WakeupBatchTests: Sendable {
  private let order = Mutex<[String]>([])

  @Test("it waits until all of it is there, keeps its order on each loop, and what others hand over does not wait")
  func batchingWakeups() async throws {
    let loops = Loops(count: 2)
    let (first, second) = (loops.next(), loops.next())
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [self] in
        Loop.batchingWakeups {
          note("a", on: first)
          note("b", on: second)
          noteFromAnotherThread("other", on: first)
          note("c", on: first)
          Loop.batchingWakeups { note("d", on: first) }
        }
        wait(for: first)
        wait(for: second)
        continuation.resume()
      }
    }
    let seen = order.withLock(\.self)
    #expect(seen.filter { $0 != "b" } == ["other", "a", "c", "d"])
    #expect(seen.contains("b"))
    try await loops.shutdown()
  }

  private func note(_ name: String, on loop: Loop) {
    loop.execute { [self] in order.withLock { $0.append(name) } }
  }

  /// Returns when it has run.
  private func noteFromAnotherThread(_ name: String, on loop: Loop) {
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [self] in
      loop.execute { [self] in
        order.withLock { $0.append(name) }
        done.signal()
      }
    }
    done.wait()
  }

  private func wait(for loop: Loop) {
    let done = DispatchSemaphore(value: 0)
    loop.execute { done.signal() }
    done.wait()
  }
}
