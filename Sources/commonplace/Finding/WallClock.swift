import Contract
import Foundation

/// The machine's clock. This is the one place that looks at it; everything else is given a clock, so that a test can
/// give another.
enum WallClock {
  static var now: Instant { Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) }
}
