/// The time that one client's messages without replies may take while other clients send requests: a tenth, which is
/// more than a user who types needs.
///
/// A client waits for the replies to its requests, but nothing slows one that sends notifications, or responses to no
/// request: it would occupy one processor, and its daemon another. So it rests when it has used its time; soon its
/// socket is full, and it waits.
struct NoticeAllowance {
  private static let share = 10
  /// What a client may save up, for example for a few keys typed at once, and what it may owe after a large text.
  private static let most: Duration = .milliseconds(1)
  /// What it has again after a rest.
  private static let slice: Duration = .microseconds(250)

  private var left = most
  private var last: ContinuousClock.Instant?

  /// Subtracts the time that a message without a reply took.
  ///
  /// - Parameter othersAsk: whether other clients send requests; otherwise this one may go on. Only called at need.
  /// - Returns: how long the client rests before its next message; nil if it need not.
  mutating func rest(
    after begun: ContinuousClock.Instant, until ended: ContinuousClock.Instant, othersAsk: () -> Bool
  ) -> Duration? {
    let earned = last.map { (begun - $0) / Self.share } ?? .zero
    last = ended
    left = max(.zero - Self.most, min(Self.most, left + max(.zero, earned)) - (ended - begun))
    if left > .zero { return nil }
    guard othersAsk() else {
      left = .zero
      return nil
    }
    return (Self.slice - left) * Self.share
  }
}
