/// When yielding writes run beside the writes of clients.
///
/// A client that writes one item after another sends the next write some time after the reply. Yielding writes begin in
/// the first half of that time: what begins later may still run, or wait for the disk, when the next write arrives.
///
///     reply                     write  reply                     write
///     ──┼─▒▒▒▒▒▒▒▒▒▒▒▒──────────────┼──────┼─▒▒▒▒▒▒▒▒▒▒▒▒──────────────┼──
///
/// If no client writes for a while, they run one after another. If clients write without a pause, one of them runs now
/// and then all the same.
struct WriteTurns {
  /// The longest time after a reply in which a yielding write begins.
  static let longestTurn: Duration = .milliseconds(5)
  /// After so long a time without a write no client is expected to write at any moment.
  static let quiet: Duration = .milliseconds(25)
  /// The longest time that a yielding write waits for its turn.
  static let longestWait: Duration = .milliseconds(50)
  /// How many pauses between a reply and the next write are considered.
  private static let count = 8

  private var pauses: [Duration] = []
  private var place = 0
  private var reply: ContinuousClock.Instant?

  /// What a turn has room for.
  enum Room: Sendable {
    /// No client is expected to write at any moment.
    case unlimited
    /// The turn has just begun, and lasts until about the next write of a client.
    case whole
    /// A part of the turn is over.
    case rest
  }

  /// How long after a reply a turn has just begun.
  static let beginning: Duration = .milliseconds(1)

  /// Notes that a client's write arrived while no other one was waiting or running.
  mutating func noteArrival(at now: ContinuousClock.Instant) {
    guard let reply else { return }
    let pause = now - reply
    if pauses.count < Self.count { pauses.append(pause) } else { pauses[place] = pause }
    place = (place + 1) % Self.count
  }

  /// Notes that the replies of clients' writes were sent.
  mutating func noteReply(at now: ContinuousClock.Instant) { reply = now }

  /// What a yielding write that begins now has room for.
  ///
  /// - Parameter isBusy: whether writes of clients wait.
  func room(isBusy: Bool, at now: ContinuousClock.Instant) -> Room {
    if isBusy { return .rest }
    guard let reply, now < reply + Self.quiet else { return .unlimited }
    return now < reply + Self.beginning ? .whole : .rest
  }

  /// When a yielding write may begin that has waited since `arrival`; not later than `now` if it may begin at once.
  ///
  /// - Parameter isBusy: whether writes of clients wait.
  func time(of arrival: ContinuousClock.Instant, isBusy: Bool, at now: ContinuousClock.Instant)
    -> ContinuousClock.Instant
  {
    let latest = arrival + Self.longestWait
    if isBusy { return latest }
    guard let reply else { return now }
    let turn = min(Self.longestTurn, (pauses.min() ?? .seconds(1)) / 2)
    if now < reply + turn { return now }
    return min(latest, reply + Self.quiet)
  }
}
