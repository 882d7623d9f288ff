import NIOCore
import Wire

/// The unsent replies and progress messages of one peer. Notifications are never stored here, but requested when there
/// is room to write them.
///
/// The guarantee "a reply that contains clock N is written after every notification up to N" depends on the order of
/// messages: notifications, then progress, then the oldest reply, and again from the start. It is a class because the
/// closure that returns notifications may itself send.
final class Outbox {
  private struct Current {
    var bytes: [UInt8]
    var offset = 0
    var isReply: Bool
    var isFramed = false
  }

  private var replies = CircularBuffer<(bytes: [UInt8], isFramed: Bool)>()
  private var progress = ProgressQueue()
  /// The partially written message: a long one is split, so that a peer never has more than a piece of it buffered.
  private var current: Current?

  var isEmpty: Bool { current == nil && replies.isEmpty && progress.isEmpty }

  func append(reply: [UInt8], isFramed: Bool = false) {
    replies.append((reply, isFramed))
  }

  /// Adds a progress step, or drops it; see `ProgressQueue`.
  func add(progress bytes: [UInt8], step: ProgressStep, token: RequestID, hasRoom: Bool) {
    progress.add(bytes, step: step, token: token, hasRoom: hasRoom)
  }

  func removeAll() {
    replies.removeAll()
    progress.removeAll()
    current = nil
  }

  /// Moves about `limit` framed bytes into `buffer` and returns how many of them are bytes of replies.
  func fill(_ buffer: inout ByteBuffer, limit: Int, framing: Framing, notification: () -> [UInt8]?) -> Int {
    var replyBytes = 0
    while buffer.readableBytes < limit {
      guard var message = current ?? next(notification) else { break }
      if message.offset == 0, framing == .headers, !message.isFramed {
        buffer.writeString("Content-Length: \(message.bytes.count)\r\n\r\n")
      }
      let end = min(message.bytes.count, message.offset + max(1, limit - buffer.readableBytes))
      buffer.writeBytes(message.bytes[message.offset..<end])
      if message.isReply { replyBytes += end - message.offset }
      message.offset = end
      if end == message.bytes.count {
        if framing == .lines, !message.isFramed { buffer.writeInteger(UInt8(ascii: "\n")) }
        current = nil
      } else {
        current = message
      }
    }
    return replyBytes
  }

  private func next(_ notification: () -> [UInt8]?) -> Current? {
    if let bytes = notification() { return Current(bytes: bytes, isReply: false) }
    if let bytes = progress.popFirst() { return Current(bytes: bytes, isReply: false) }
    if let reply = replies.popFirst() {
      return Current(bytes: reply.bytes, isReply: true, isFramed: reply.isFramed)
    }
    return nil
  }
}
