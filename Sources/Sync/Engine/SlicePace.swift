import Glibc

/// How many items a transaction takes: as many as hold up other writes for a few milliseconds.
///
/// The time is the processor time of the transaction's own work. On a busy machine a transaction also waits for other
/// programs: with fewer items it would do so more often, and take longer for each. Its sync to disk, if it has one, is
/// shared with the writes that joined it, and makes nothing shorter if it is done more often.
///
/// Transactions run between the writes of clients (`WriteTurns`). If one arrives all the same, a transaction ends with
/// the item during which that happens (`SliceEnd`). What cannot be ended so is shorter for some time afterwards.
struct SlicePace: Sendable {
  private static let usual: Duration = .milliseconds(5)
  private static let shared: Duration = .milliseconds(2)
  /// How many transactions are short after a write by somebody else.
  private static let sharedCount = 50
  /// The most bytes of text: they are indexed after the transaction's own work.
  static let bytes = 64 << 10
  private static let most = 500
  /// What a transaction costs without any item is distributed over these.
  private static let least = 4

  private(set) var count = 8
  /// How many more are short.
  private var rest = 0
  /// The library's clock after the last one.
  private var clock: Int64?

  /// A transaction.
  struct Slice: Sendable {
    /// How long it has worked.
    var time: Duration
    /// The clock of its commit, if it has shown any items.
    var clock: Int64
    var hasShown: Bool
  }

  var duration: Duration { rest > 0 ? Self.shared : Self.usual }

  /// - Parameter isCut: whether it ended before its items and its time did, since others waited.
  mutating func note(_ slice: Slice, isCut: Bool = false) {
    if slice.time > duration { count = max(Self.least, count / 2) }
    if slice.time < duration / 2, !isCut { count = min(Self.most, count * 2) }
    let othersWrote = clock.map { $0 + 1 < slice.clock } ?? false
    rest = othersWrote ? Self.sharedCount : max(0, rest - 1)
    clock = slice.hasShown ? slice.clock : slice.clock - 1
  }
}

/// When a transaction begins no further item: when its time is over, or somebody waits for it to end.
///
/// It works for a moment even then: while others write without a pause, a commit for each item would never catch up with
/// them.
struct SliceEnd {
  /// The least time, also while others wait.
  static let least: Duration = .milliseconds(1)
  private let (least, time): (ThreadTime, ThreadTime)
  private let othersWait: () -> Bool

  init(after duration: Duration, othersWait: @escaping () -> Bool) {
    let start = ThreadTime.now
    (least, time) = (start + min(duration, Self.least), start + duration)
    self.othersWait = othersWait
  }

  var isReached: Bool {
    let now = ThreadTime.now
    return now > time || (now > least && othersWait())
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
