import FoundationEssentials
import Synchronization

/// Collects a response in memory, decoded, up to a limit.
final class MemorySink: ResponseSink {
  private struct Answer: ~Copyable {
    var head = ResponseHead()
    var body = BodyBuffer()
    var inflater: Inflater?
    /// Received bytes, before decoding.
    var bytes = 0
  }

  private let limit: Int
  private let answer = Mutex(Answer())

  init(limit: Int) {
    self.limit = limit
  }

  /// The number of received body bytes, before decoding.
  var bytesReceived: Int { answer.withLock { $0.bytes } }

  func begin(_ head: ResponseHead) throws(HTTPFailure) -> Bool {
    if let length = head.contentLength, length > limit { throw .tooLarge(limit: limit) }
    try answer.withLock { answer throws(HTTPFailure) in
      answer.head = head
      // A 304 repeats the headers of a response whose body it does not contain.
      if head.isGzip, head.status != 304, head.status != 204 { answer.inflater = try Inflater() }
    }
    return true
  }

  func receive(_ bytes: UnsafeRawBufferPointer) throws(HTTPFailure) {
    var inflater = answer.withLock { answer in
      answer.bytes += bytes.count
      return answer.inflater.take()
    }
    guard inflater != nil else { return try append(bytes) }
    defer { answer.withLock { $0.inflater = inflater.take() } }
    try inflater?.take(bytes) { piece throws(HTTPFailure) in try append(piece) }
  }

  private func append(_ bytes: UnsafeRawBufferPointer) throws(HTTPFailure) {
    let fits = answer.withLock { answer in
      guard answer.body.count + bytes.count <= limit else { return false }
      answer.body.append(bytes)
      return true
    }
    if !fits { throw .tooLarge(limit: limit) }
  }

  /// Returns the response, once the exchange is complete.
  ///
  /// - Throws: `badResponse` for a truncated compressed body: its length may match although half of the text is
  ///   missing.
  func finish() throws(HTTPFailure) -> (head: ResponseHead, body: Data) {
    let (head, body, isWhole) = answer.withLock { answer in
      let isWhole = answer.bytes == 0 || answer.inflater?.isAtEnd ?? true
      return (answer.head, answer.body.take(), isWhole)
    }
    guard isWhole else { throw .badResponse(reason: "answerShort") }
    return (head, body)
  }
}
