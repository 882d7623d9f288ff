import NIOCore

/// The rule that a peer which is owed something and takes no byte for too long is closed, and so is one that has begun a
/// frame and sends no byte of it.
///
/// It tells a peer that takes its bytes slowly from one that takes none: what counts is the kernel's acceptance, seen
/// within one long write too, which is what was handed to the channel less what the channel still buffers. Of what is
/// read nothing is buffered.
/// Confined to its connection's loop; it looks on a timer only while there is a reason to.
final class StallWatch {
  /// What the channel was given and the kernel has not taken.
  typealias Buffered = () -> Int

  private let limit: Duration
  private let now: @Sendable () -> ContinuousClock.Instant
  private let loop: Loop
  private let buffered: Buffered
  private var handed = 0
  private var accepted = 0
  private var lastProgress: ContinuousClock.Instant
  /// The next look. It holds what it was begun with, and so the connection.
  private var next: Scheduled<Void>?

  init(
    limit: Duration, now: @escaping @Sendable () -> ContinuousClock.Instant, loop: Loop, buffered: @escaping Buffered
  ) {
    self.limit = limit
    self.now = now
    self.loop = loop
    self.buffered = buffered
    lastProgress = now()
  }

  /// Counts bytes that the channel was given, or gave.
  func hand(_ count: Int) {
    handed += count
  }

  /// Begins to look if it does not yet. `isOwed` says whether there is still a reason to, and `stalled` is called at
  /// most once, between one limit and a quarter more after the peer's last byte.
  func begin(while isOwed: @escaping () -> Bool, stalled: @escaping (Duration) -> Void) {
    guard next == nil else { return }
    accepted = handed - buffered()
    lastProgress = now()
    lookLater(isOwed, stalled)
  }

  /// Looks no more, and lets go of the connection, which has closed.
  func end() {
    next?.cancel()
    next = nil
  }

  private func lookLater(_ isOwed: @escaping () -> Bool, _ stalled: @escaping (Duration) -> Void) {
    next = loop.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limit / 4)) { [self] in
      next = nil
      guard isOwed() else { return }
      if isStalled() { stalled(limit) } else { lookLater(isOwed, stalled) }
    }
  }

  private func isStalled() -> Bool {
    let taken = handed - buffered()
    let now = now()
    if taken != accepted {
      accepted = taken
      lastProgress = now
    }
    return now - lastProgress >= limit
  }
}
