import Synchronization

/// The files that could not be fetched though their pieces lie at the target, and when each is tried again.
///
/// A damaged piece may still be on its way, so its first failures say nothing. They are not stored: a daemon that starts
/// counts anew.
final class FetchAttempts: Sendable {
  private typealias Attempt = (failures: Int, next: Int64)
  private let attempts = Mutex<[String: Attempt]>([:])

  /// Whether a file is not tried again yet.
  func isWaiting(_ hash: String, at now: Int64) -> Bool {
    attempts.withLock { Self.isWaiting($0[hash], at: now) }
  }

  private static func isWaiting(_ attempt: Attempt?, at now: Int64) -> Bool {
    attempt.map { now < $0.next && $0.next - now <= SyncPolicy.day } ?? false
  }

  /// Notes a failure. The distances grow as those of log files do. An attempt before the next one was due, such as
  /// that of a client who opens the file again, does not count.
  ///
  /// - Returns: whether the file failed so often that nothing is on its way any more.
  func noteFailure(_ hash: String, at now: Int64) -> Bool {
    let policy = SyncPolicy()
    return attempts.withLock { attempts in
      if let attempt = attempts[hash], Self.isWaiting(attempt, at: now) { return attempt.failures >= policy.attempts }
      let failures = (attempts[hash]?.failures ?? 0) + 1
      let isDamaged = failures >= policy.attempts
      let pause = isDamaged ? SyncPolicy.day : policy.firstRetry << Int64(2 * (failures - 1))
      attempts[hash] = (min(failures, policy.attempts), now + pause)
      return isDamaged
    }
  }

  func noteSuccess(_ hash: String) { attempts.withLock { $0[hash] = nil } }
}
