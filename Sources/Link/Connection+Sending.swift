import Wire

/// Sending messages; `flush` writes them.
extension Connection {
  /// Sends the bytes of a reply, without a frame, after every notification that the delegate has by then.
  ///
  /// It is written at the end of the loop's turn, together with everything else that is sent in it. On a closed
  /// connection the call has no effect.
  package func send(reply: [UInt8]) {
    loop.preconditionIsCurrent()
    guard state == .open || state == .draining else { return }
    enqueue(reply)
  }

  /// Sends bytes that are already framed, or deliberately not: for clients that test a server.
  package func send(raw bytes: [UInt8]) {
    loop.preconditionIsCurrent()
    guard state == .open else { return }
    enqueue(bytes, isFramed: true)
  }

  /// Sends the bytes of a progress notification, before waiting replies.
  ///
  /// Only the latest report of a token is retained, and a peer beyond its limit of unsent replies gets none, since
  /// progress is only for display. A token's end is always sent if its beginning was, and otherwise never.
  package func send(progress: [UInt8], step: ProgressStep, token: RequestID) {
    loop.preconditionIsCurrent()
    guard state == .open || state == .draining else { return }
    outbox.add(progress: progress, step: step, token: token, hasRoom: unsentBytes < Self.unsentLimit)
    flushSoon()
  }
}
