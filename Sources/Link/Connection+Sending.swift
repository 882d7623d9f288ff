import Wire

/// What a delegate gives to be sent; it leaves by `flush`.
extension Connection {
  /// Sends the bytes of a reply, without a frame, after every notification that the delegate has by then.
  ///
  /// It leaves at the end of the loop's turn, together with what else is sent in it. Nothing is sent to a connection
  /// that was closed.
  package func send(reply: [UInt8]) {
    loop.preconditionIsCurrent()
    guard state == .open || state == .draining else { return }
    enqueue(reply)
  }

  /// Sends bytes that are in their frame already, or are meant to be in none: for clients that test a server.
  package func send(raw bytes: [UInt8]) {
    loop.preconditionIsCurrent()
    guard state == .open else { return }
    enqueue(bytes, isFramed: true)
  }

  /// Sends the bytes of a progress notification, before the replies that wait.
  ///
  /// Of reports only the latest of a token is kept, and a peer that is over its limit of unsent replies gets none, for
  /// progress is for somebody who watches. What it saw begin it sees end; what it did not, it hears nothing of.
  package func send(progress: [UInt8], step: ProgressStep, token: RequestID) {
    loop.preconditionIsCurrent()
    guard state == .open || state == .draining else { return }
    outbox.add(progress: progress, step: step, token: token, hasRoom: unsentBytes < Self.unsentLimit)
    flushSoon()
  }
}
