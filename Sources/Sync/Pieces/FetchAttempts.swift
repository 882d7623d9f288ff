import Synchronization

/// The files that could not be fetched though their pieces lie at the target, and when each is tried again.
///
/// A damaged piece may still be on its way, so its first failures say nothing. They are not stored: a daemon that starts
/// counts anew.
final class FetchAttempts: Sendable {
  private let attempts = Mutex<[String: (failures: Int, next: Int64)]>([:])

  /// Whether a file is not tried again yet.
  func isWaiting(_ hash: String, at now: Int64) -> Bool {
    attempts.withLock { $0[hash].map { now < $0.next && $0.next - now <= SyncPolicy.day } ?? false }
  }

  /// Notes a failure. The distances grow as those of log files do.
  ///
  /// - Returns: whether the file failed so often that nothing is on its way any more.
  func noteFailure(_ hash: String, at now: Int64) -> Bool {
    let policy = SyncPolicy()
    return attempts.withLock { attempts in
      let failures = (attempts[hash]?.failures ?? 0) + 1
      let isDamaged = failures >= policy.attempts
      let pause = isDamaged ? SyncPolicy.day : policy.firstRetry << Int64(2 * (failures - 1))
      attempts[hash] = (min(failures, policy.attempts), now + pause)
      return isDamaged
    }
  }

  func noteSuccess(_ hash: String) { attempts.withLock { $0[hash] = nil } }
}
