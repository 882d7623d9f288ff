/// The time that the notifications of one client may take while other clients wait for replies: a tenth, which a user
/// who types never needs.
///
/// A client waits for the replies to its requests, but nothing slows one that sends notifications: it would occupy one
/// processor, and its daemon another. So it rests when it has used its time, and soon its socket is full and it waits.
struct NoticeAllowance {
  private static let share = 10
  /// What a client may save up, for example for a few keys typed at once, and what it may owe after a large text.
  private static let most: Duration = .milliseconds(1)
  /// What it has again after a rest.
  private static let slice: Duration = .microseconds(250)

  private var left = most
  private var last: ContinuousClock.Instant?

  /// Subtracts the time that a notification took.
  ///
  /// - Parameter othersWait: whether other clients wait for replies; otherwise it may go on.
  /// - Returns: how long the client rests before its next message; nil if it need not.
  mutating func rest(
    after begun: ContinuousClock.Instant, until ended: ContinuousClock.Instant, othersWait: Bool
  ) -> Duration? {
    let earned = last.map { (begun - $0) / Self.share } ?? .zero
    last = ended
    left = max(.zero - Self.most, min(Self.most, left + max(.zero, earned)) - (ended - begun))
    if left > .zero { return nil }
    guard othersWait else {
      left = .zero
      return nil
    }
    return (Self.slice - left) * Self.share
  }
}
