import NIOCore

/// Closes a peer that has pending output and accepts no byte for too long, or has begun a frame and sends no byte of
/// it.
///
/// It distinguishes a slow peer from a stalled one: progress is the number of bytes accepted by the kernel, even within
/// one long write, computed as the bytes passed to the channel minus those that the channel still buffers. For input
/// nothing is buffered. Confined to its connection's loop; its timer runs only while there is a reason.
final class StallWatch {
  /// The bytes in the channel that the kernel has not accepted.
  typealias Buffered = () -> Int

  private let limit: Duration
  private let now: @Sendable () -> ContinuousClock.Instant
  private let loop: Loop
  private let buffered: Buffered
  private var handed = 0
  private var accepted = 0
  private var lastProgress: ContinuousClock.Instant
  /// The next check. It retains its closures, and so the connection.
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

  /// Counts bytes passed to or from the channel.
  func hand(_ count: Int) {
    handed += count
  }

  /// Starts the checks if they do not run. `isOwed` returns whether there is still a reason for them, and `stalled` is
  /// called at most once, between one limit and a quarter more after the peer's last byte.
  func begin(while isOwed: @escaping () -> Bool, stalled: @escaping (Duration) -> Void) {
    guard next == nil else { return }
    accepted = handed - buffered()
    lastProgress = now()
    lookLater(isOwed, stalled)
  }

  /// Stops the checks, and releases the connection, which has closed.
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
