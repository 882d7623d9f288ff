import Contract
import Synchronization

/// A clock that stands still until a test moves it.
package final class TestClock: Sendable {
  private let milliseconds: Mutex<Int64>

  /// 2026-11-21T03:04:05.678Z unless said otherwise.
  package init(_ instant: Instant = Instant("2026-11-21T03:04:05.678Z")!) {
    milliseconds = Mutex(instant.milliseconds)
  }

  package var now: Instant {
    Instant(milliseconds: milliseconds.withLock(\.self))
  }

  package func advance(milliseconds delta: Int64) {
    milliseconds.withLock { $0 += delta }
  }
}
