import Contract
import Glibc

/// The machine's clock. This is the only place that reads it; everything else receives a clock, so that a test can
/// supply another.
enum WallClock {
  static var now: Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
