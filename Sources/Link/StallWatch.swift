import NIOCore

/// Tells a peer that takes its bytes slowly from one that takes none.
///
/// What counts is the kernel's acceptance, seen within one long write too: bytes handed to the channel less those that
/// it still buffers.
struct StallWatch {
  let limit: TimeAmount
  /// Bytes given to the channel since the watch began.
  var handed: Int
  private var accepted: Int
  private var lastProgress = NIODeadline.now()

  init(limit: Duration, handed: Int, buffered: Int) {
    self.limit = TimeAmount(limit)
    self.handed = handed
    self.accepted = handed - buffered
  }

  /// How often to look: a peer is closed between one limit and a quarter more after its last byte.
  var interval: TimeAmount { .nanoseconds(max(1, limit.nanoseconds / 4)) }

  mutating func isStalled(buffered: Int) -> Bool {
    let now = NIODeadline.now()
    if handed - buffered != accepted {
      accepted = handed - buffered
      lastProgress = now
    }
    return now - lastProgress >= limit
  }
}
