import Wire

/// Lending the output to whoever makes the one reply that the peer waits for.
extension Connection {
  /// The output, for one reply; nil when anything is still to be written, or the peer is on no socket.
  ///
  /// It is taken back when the loop writes or closes, and before the next frame is handed out. A delegate that is asked
  /// what is under way takes it back first.
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

  /// Ends a loan, if there is one; the delegate hears it if the reply has left.
  package func takeOutputBack() {
    guard let lent = lentOutput else { return }
    lentOutput = nil
    if lent.takeBack() { delegate?.connectionSentLentReply(self) }
  }
}
