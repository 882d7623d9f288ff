import Foundation
import HTTP
import Synchronization

/// A clock whose pauses take no time: a pause of a minute returns at once, and a minute has passed. So retries, budgets
/// and rests of the HTTP client are tested without waiting, and every test sees the same times.
package final class SkippedTime: Sendable {
  private struct State {
    var passed: Duration = .zero
    var pauses: [Duration] = []
  }

  private let start = ContinuousClock.now
  private let date: Date
  private let state = Mutex(State())

  /// - Parameter date: what the wall clock shows at first.
  package init(date: Date = Date(timeIntervalSince1970: 1_795_000_000)) {
    self.date = date
  }

  package var now: ContinuousClock.Instant { start + state.withLock(\.passed) }

  /// How much time has passed, all of it in pauses and by `pass`.
  package var passed: Duration { state.withLock(\.passed) }

  /// Every pause so far, in the order in which they began.
  package var pauses: [Duration] { state.withLock(\.pauses) }

  package func pass(_ time: Duration) { state.withLock { $0.passed += time } }

  package func pause(_ time: Duration) {
    state.withLock { state in
      state.pauses.append(time)
      state.passed += max(.zero, time)
    }
  }

  /// Puts this clock into a configuration, and the middle of every range in the place of chance.
  package func apply(to configuration: inout HTTPConfiguration, random: Double = 0.5) {
    configuration.pause = { [self] in pause($0) }
    configuration.now = { [self] in now }
    configuration.wallClock = { [self] in date.addingTimeInterval(passed / .seconds(1)) }
    configuration.random = { random }
  }
}
