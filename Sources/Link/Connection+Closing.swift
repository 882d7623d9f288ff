import NIOCore

/// The ways to end a connection, from the gentlest to the most abrupt.
extension Connection {
  /// Ends our side when everything that was sent is written; messages of the peer are still received.
  package func closeOutput() {
    loop.preconditionIsCurrent()
    takeOutputBack()
    outputIsEnding = true
    flushSoon()
  }

  /// Stops reading and closes as soon as everything that was sent, and every notification, is written.
  package func closeWhenDrained() {
    loop.preconditionIsCurrent()
    takeOutputBack()
    guard state == .open else { return }
    state = .draining
    watchForStall()
    flushSoon()
  }

  /// Closes immediately, dropping unsent data.
  package func close(reason: CloseReason = .asked) {
    loop.preconditionIsCurrent()
    // The first reason is the real one: closing makes pending writes fail, which would give another.
    guard !isClosing, state != .closed else { return }
    takeOutputBack()
    isClosing = true
    self.reason = reason
    channel.close(promise: nil)
  }

  func closeIfDrained() {
    guard !isFlushing, bytesInChannel == 0, outbox.isEmpty || framing == nil else { return }
    switch state {
    case .draining: close(reason: reason ?? .asked)
    case .refusing where inputHasEnded: close(reason: reason ?? .asked)
    case .refusing: linger()
    case .open where outputIsEnding && !outputHasEnded:
      outputHasEnded = true
      channel.close(mode: .output, promise: nil)
    case .open, .lingering, .closed: break
    }
  }

  /// Ends only our side, and discards the peer's bytes for a moment: if the socket were closed at once, a peer that is
  /// still sending would see its own write fail, and might never read our error.
  private func linger() {
    state = .lingering
    channel.close(mode: .output, promise: nil)
    requestRead()
    loop.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(settings.linger)) { [self] in
      close(reason: reason ?? .asked)
    }
  }

  /// Closes because reading or writing failed.
  func close(becauseOf error: any Error) {
    switch reason {
    case .badFrame, .halfFrame, .insideFrame: close(reason: reason!)
    default: close(reason: CloseReason(error))
    }
  }
}
