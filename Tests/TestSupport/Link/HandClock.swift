import Synchronization

/// A clock that a test moves by hand, and that knows who looked at it.
package final class HandClock: Sendable {
  private let time = Mutex(ContinuousClock.now)
  private let looks = EventLog<Void>()

  package init() {}

  package func look() -> ContinuousClock.Instant {
    let now = time.withLock(\.self)
    looks.append(())
    return now
  }

  package func advance(by duration: Duration) {
    time.withLock { $0 += duration }
  }

  /// How often it was looked at.
  package var count: Int { looks.events.count }

  package func lookedAt(times count: Int) async throws {
    try await looks.wait { $0.count >= count }
  }

  /// Waits until it was looked at twice more: once might have been under way already.
  package func lookedAtTwice() async throws {
    let before = looks.events.count
    try await looks.wait { $0.count >= before + 2 }
  }
}
