import Glibc

/// A lock, and a place to wait until something that it guards has changed. `Mutex` has no such place.
///
/// A thread may wake without a reason, so whoever waits looks again.
package final class Condition: @unchecked Sendable {
  // `@unchecked`: both are made for many threads. They may not move in memory.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  package init() {
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    // A deadline does not move when somebody sets the clock.
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  package func lock() { pthread_mutex_lock(mutex) }
  package func unlock() { pthread_mutex_unlock(mutex) }

  /// Wakes one of those who wait.
  package func signal() { pthread_cond_signal(changed) }
  /// Wakes all who wait.
  package func broadcast() { pthread_cond_broadcast(changed) }

  /// Gives the lock away until somebody wakes this thread. Only for who has the lock.
  package func wait() { pthread_cond_wait(changed, mutex) }

  /// The same until the deadline at most; false if it has come.
  package func wait(until deadline: ContinuousClock.Instant) -> Bool {
    let left = max(.zero, deadline - .now).components
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let nanoseconds = time.tv_nsec + Int(left.attoseconds / 1_000_000_000)
    time.tv_sec += Int(left.seconds) + nanoseconds / 1_000_000_000
    time.tv_nsec = nanoseconds % 1_000_000_000
    return pthread_cond_timedwait(changed, mutex, &time) != ETIMEDOUT
  }
}
