import Wire

/// Lending the output to the thread that makes the only outstanding reply.
extension Connection {
  /// Lends the output for one reply; nil if anything is still to be written, or the peer is not connected by a socket.
  ///
  /// It is taken back when the loop writes or closes, and before the next frame is delivered. A delegate must take it
  /// back before it inspects the requests in flight.
  package func lendOutput() -> LentOutput? {
    loop.preconditionIsCurrent()
    takeOutputBack()
    guard let descriptor, let framing, state == .open, !isClosing, !outputIsEnding, channel.isActive,
      outbox.isEmpty, bytesInChannel == 0
    else { return nil }
    if sharedSocket == nil { sharedSocket = SharedSocket(duplicating: descriptor) }
    lentOutput = sharedSocket.map { LentOutput($0, framing: framing) }
    return lentOutput
  }

  /// Ends a loan, if there is one; the delegate is notified if the reply was written.
  package func takeOutputBack() {
    guard let lent = lentOutput else { return }
    lentOutput = nil
    if lent.takeBack() { delegate?.connectionSentLentReply(self) }
  }
}
