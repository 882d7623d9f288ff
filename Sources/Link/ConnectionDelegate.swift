import Wire

/// Who gives a connection its meaning. Every call comes on the connection's loop.
///
/// The connection holds its delegate until `connectionDidClose`, which is the last call.
package protocol ConnectionDelegate: AnyObject, SendableMetatype {
  /// One frame, as it was read; `byteCount` is its size on the wire without the frame's own bytes.
  /// After a `pauseReading()` no further frame is handed out until `resumeReading()`.
  func connection(_ connection: Connection, received frame: Frame, byteCount: Int)

  /// The peer sends nothing more (EOF, `SHUT_WR`) but still reads. What it waits for must go out, and then the
  /// delegate calls `closeWhenDrained()`. Comes after every frame, once at most.
  func connectionInputEnded(_ connection: Connection)

  /// The connection is gone. Exactly once, whatever the reason.
  func connectionDidClose(_ connection: Connection, reason: CloseReason)

  /// The reply for which the output was lent (`Connection.lendOutput()`) has left.
  func connectionSentLentReply(_ connection: Connection)

  /// The unsent replies fell below `Connection.unsentLimit` after they had reached it.
  func connectionHasRoom(_ connection: Connection)

  /// The bytes of the next notification for this peer, or nil when it has caught up.
  ///
  /// Asked before each reply is written, and only while the peer takes bytes: a slow peer costs the delegate a
  /// cursor and never a queue.
  func nextNotification(for connection: Connection) -> [UInt8]?
}

extension ConnectionDelegate {
  /// Most never lend it.
  package func connectionSentLentReply(_ connection: Connection) {}
}
