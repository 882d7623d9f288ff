/// Limits the progress messages of a download: at most one per 250 ms, and the last.
struct ProgressMeter {
  private var last: ContinuousClock.Instant?

  /// Whether progress made now is to be reported.
  mutating func isDue(_ now: ContinuousClock.Instant) -> Bool {
    if let last, now - last < .milliseconds(250) { return false }
    last = now
    return true
  }
}
