import NIOCore

/// The ways in which a connection ends, from the gentle to the sudden.
extension Connection {
  /// Ends our side when everything that was sent is written; what the peer sends is still heard.
  package func closeOutput() {
    loop.preconditionIsCurrent()
    takeOutputBack()
    outputIsEnding = true
    flushSoon()
  }

  /// Reads nothing more and closes as soon as everything that was sent, and every notification, is written.
  package func closeWhenDrained() {
    loop.preconditionIsCurrent()
    takeOutputBack()
    guard state == .open else { return }
    state = .draining
    watchForStall()
    flushSoon()
  }

  /// Closes now, whatever is unsent.
  package func close(reason: CloseReason = .asked) {
    loop.preconditionIsCurrent()
    // The first reason is the true one: closing fails the writes under way, which would give another.
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

  /// A peer that is still sending would see its own write fail, and perhaps never look at our answer, if the socket
  /// went at once. So only our side ends, and its bytes are thrown away for a moment.
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
