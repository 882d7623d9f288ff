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

  /// Notes that a client's write arrived while no other one was waiting or running.
  mutating func noteArrival(at now: ContinuousClock.Instant) {
    guard let reply else { return }
    let pause = now - reply
    if pauses.count < Self.count { pauses.append(pause) } else { pauses[place] = pause }
    place = (place + 1) % Self.count
  }

  /// Notes that the replies of clients' writes were sent.
  mutating func noteReply(at now: ContinuousClock.Instant) { reply = now }

  /// Whether no client is expected to write at any moment.
  func isQuiet(at now: ContinuousClock.Instant) -> Bool { reply.map { now >= $0 + Self.quiet } ?? true }

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
