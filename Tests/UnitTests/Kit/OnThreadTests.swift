import Dispatch
import Synchronization
import Testing

@testable import Kit

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

  @Test("no more threads run at once than the limit; what waits runs in order, and is answered at once when cancelled")
  func bounded() async throws {
    let threads = WorkThreads(limit: 2)
    let order = Order()
    let gates = (0..<2).map { _ in DispatchSemaphore(value: 0) }
    let started = AsyncStream.makeStream(of: Int.self)
    let held = gates.enumerated().map { number, gate in
      Task {
        try await threads.run { _ in
          started.continuation.yield(number)
          gate.wait()
        }
      }
    }
    var begun = started.stream.makeAsyncIterator()
    for _ in held { _ = await begun.next() }
    // Both threads are taken: each of these is in the queue before the next one comes.
    var waiting: [Task<Void, any Error>] = []
    for number in 2..<5 {
      // It runs here until it waits for a thread.
      waiting.append(Task.immediate { try await threads.run { _ in order.add(number) } })
    }
    #expect(threads.waitingCount == waiting.count)
    waiting[1].cancel()
    await #expect(throws: CancellationError.self) { try await waiting[1].value }
    #expect(order.numbers == [])
    #expect(threads.runningCount == 2)
    gates[0].signal()
    try await waiting[0].value
    try await waiting[2].value
    #expect(order.numbers == [2, 4])
    gates[1].signal()
    for task in held { try await task.value }
  }
}

private final class Order: Sendable {
  private let list = Mutex<[Int]>([])
  var numbers: [Int] { list.withLock(\.self) }
  func add(_ number: Int) { list.withLock { $0.append(number) } }
}
