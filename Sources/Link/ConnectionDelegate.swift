import Wire

/// The receiver of a connection's events. Every call runs on the connection's loop.
///
/// The connection retains its delegate until `connectionDidClose`, which is the last call.
package protocol ConnectionDelegate: AnyObject, SendableMetatype {
  /// One parsed frame; `byteCount` is its size on the wire without the framing bytes. After `pauseReading()` no further
  /// frame is delivered until `resumeReading()`.
  func connection(_ connection: Connection, received frame: Frame, byteCount: Int)

  /// The frame of the last call was handled from one instant until another. Returns how long no further frame is
  /// delivered; nil for no pause.
  func connection(
    _ connection: Connection, restsAfter begun: ContinuousClock.Instant, until ended: ContinuousClock.Instant
  ) -> Duration?

  /// The peer sends nothing more (EOF, `SHUT_WR`) but still reads. The delegate must send the outstanding replies and
  /// then call `closeWhenDrained()`. Called after every frame, at most once.
  func connectionInputEnded(_ connection: Connection)

  /// The connection is closed. Called exactly once, for any reason.
  func connectionDidClose(_ connection: Connection, reason: CloseReason)

  /// The reply for which the output was lent (`Connection.lendOutput()`) was written.
  func connectionSentLentReply(_ connection: Connection)

  /// The unsent replies fell below `Connection.unsentLimit` after they had reached it.
  func connectionHasRoom(_ connection: Connection)

  /// The bytes of the next notification for this peer, or nil if it is up to date.
  ///
  /// Called before each reply is written, and only while the peer accepts bytes: a slow peer costs the delegate a
  /// cursor and never a queue.
  func nextNotification(for connection: Connection) -> [UInt8]?
}

extension ConnectionDelegate {
  /// Most delegates never let a peer wait.
  package func connection(
    _ connection: Connection, restsAfter begun: ContinuousClock.Instant, until ended: ContinuousClock.Instant
  ) -> Duration? { nil }

  /// Most delegates never lend the output.
  package func connectionSentLentReply(_ connection: Connection) {}
}
