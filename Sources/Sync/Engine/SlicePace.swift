/// How many items a transaction takes: as many as hold up other writes for a few milliseconds.
///
/// The time is that of the transaction's own work. Its sync to disk is shared with the writes that joined it, and makes
/// nothing shorter if it is done more often.
struct SlicePace: Sendable {
  static let duration: Duration = .milliseconds(5)
  /// The most bytes of text: they are indexed after the transaction's own work.
  static let bytes = 64 << 10
  private static let most = 500

  private(set) var count = 8

  mutating func note(_ time: Duration) {
    if time > Self.duration { count = max(1, count / 2) }
    if time < Self.duration / 2 { count = min(Self.most, count * 2) }
  }
}
