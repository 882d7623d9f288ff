import Synchronization
import Testing
import Threads

@Suite("Threads and conditions")
struct ConditionTests {
  @Test("who waits goes on when another thread signals, and has the lock then", .timeLimit(.minutes(10)))
  func signal() {
    let condition = Condition()
    let isReady = Atomic(false)
    condition.lock()
    startThread(named: "signals") {
      // The lock is free only while the other waits.
      condition.lock()
      isReady.store(true, ordering: .sequentiallyConsistent)
      condition.unlock()
      condition.signal()
    }
    while !isReady.load(ordering: .sequentiallyConsistent) { condition.wait() }
    condition.unlock()
  }

  @Test("a deadline ends the waiting, also one that is over", .timeLimit(.minutes(10)))
  func deadline() {
    let condition = Condition()
    condition.lock()
    defer { condition.unlock() }
    for wait: Duration in [.seconds(-1), .zero, .milliseconds(20)] {
      let deadline = ContinuousClock.now + wait
      // A thread may wake without a reason.
      while condition.wait(until: deadline) {}
      #expect(ContinuousClock.now >= deadline)
    }
  }

  @Test("a thread has the stack that it was given", .timeLimit(.minutes(10)))
  func stack() async {
    let bytes = 24 << 20
    let isFilled = await withCheckedContinuation { continuation in
      startThread(stackSize: bytes) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 512) { $0[0] = 1 }
        continuation.resume(returning: Self.depth(16 << 20) > 0)
      }
    }
    #expect(isFilled)
  }

  /// Uses so much of the stack, in frames of at least a kilobyte.
  @inline(never) private static func depth(_ bytes: Int) -> Int {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1_000) { frame in
      frame[0] = UInt8(truncatingIfNeeded: bytes)
      return bytes <= 0 ? 1 : 1 + depth(bytes - 1_000) + Int(frame[0]) * 0
    }
  }
}
