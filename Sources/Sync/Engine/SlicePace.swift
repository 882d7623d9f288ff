import Glibc

/// How many items a transaction takes: as many as hold up other writes for a few milliseconds.
///
/// The time is the processor time of the transaction's own work. On a busy machine a transaction also waits for other
/// programs: with fewer items it would do so more often, and take longer for each. Its sync to disk is shared with the
/// writes that joined it, and makes nothing shorter if it is done more often.
struct SlicePace: Sendable {
  static let duration: Duration = .milliseconds(5)
  /// The most bytes of text: they are indexed after the transaction's own work.
  static let bytes = 64 << 10
  private static let most = 500
  /// What a transaction costs without any item is distributed over these.
  private static let least = 4

  private(set) var count = 8

  mutating func note(_ time: Duration) {
    if time > Self.duration { count = max(Self.least, count / 2) }
    if time < Self.duration / 2 { count = min(Self.most, count * 2) }
  }
}

/// The processor time that the current thread has used. A transaction runs on one thread.
struct ThreadTime: Comparable, Sendable {
  private var used: Duration

  static var now: ThreadTime {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return ThreadTime(used: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec))
  }

  static func + (time: Self, duration: Duration) -> Self { Self(used: time.used + duration) }
  static func - (end: Self, start: Self) -> Duration { end.used - start.used }
  static func < (one: Self, other: Self) -> Bool { one.used < other.used }
}
