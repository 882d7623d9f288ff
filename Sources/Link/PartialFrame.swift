import Wire

/// An incomplete frame. Its bytes are in memory, so its peer has to complete it in time:
///
///     no byte for 30 s                                                 refused
///     after 30 s, and a second more for each 64 KiB received           refused, however regularly bytes arrive
///
/// So a frame of 16 MiB may take almost five minutes, and one byte every 29 seconds does not keep one alive.
struct PartialFrame {
  /// Bytes of a frame that extend its time limit by one second.
  static let slowest = 64 << 10

  /// The number of preceding frames, which identifies it.
  let number: Int
  let since: ContinuousClock.Instant

  func isLate(at now: ContinuousClock.Instant, bytes: Int, limit: Duration) -> Bool {
    now - since > limit + .seconds(Double(bytes) / Double(Self.slowest))
  }
}

extension Connection {
  /// The bytes of an incomplete frame in memory.
  package var unfinishedBytes: Int { parser.heldBytes }

  /// Called after every read. See `PartialFrame`.
  func watchForRest() {
    guard let limit = settings.frameLimit else { return }
    guard awaitsRest else {
      partialFrame = nil
      return
    }
    let now = settings.now()
    let partial: PartialFrame
    if let partialFrame, partialFrame.number == wholeFrames {
      partial = partialFrame
    } else {
      partial = PartialFrame(number: wholeFrames, since: now)
      partialFrame = partial
    }
    guard !partial.isLate(at: now, bytes: parser.heldBytes, limit: limit) else { return refuseHalf(limit) }
    frameWatch?.begin { [self] in
      awaitsRest
    } stalled: { [self] limit in
      refuseHalf(limit)
    }
  }

  /// Not while we are the ones who do not read.
  private var awaitsRest: Bool { state == .open && !isHeld && !inputHasEnded && parser.awaitsRest }

  /// Sends the peer the reason why its connection is closed.
  private func refuseHalf(_ limit: Duration) {
    refuse(.halfFrame(limit), with: .invalidRequest("halfFrame", ["seconds": String(limit.components.seconds)]))
  }
}
