import CCurl

/// Decompresses a gzip body as it arrives, within limits.
///
/// Unchecked: zlib's state is not bound to a thread, and the inflater has a single owner.
struct Inflater: ~Copyable, @unchecked Sendable {
  /// Output size from which the ratio is checked. Small repetitive bodies are common.
  static let ratioFrom = 1 << 20
  /// The most output bytes per input byte; regular text does not reach a tenth of it.
  static let ratioLimit = 100

  private let handle: OpaquePointer
  private var bytesIn = 0
  private var bytesOut = 0

  init() throws(HTTPFailure) {
    guard let handle = ccurl_inflater_open() else { throw .unavailable(reason: "noMemory") }
    self.handle = handle
  }

  deinit { ccurl_inflater_close(handle) }

  /// Whether the body is complete, by its own end marker and checksum.
  var isAtEnd: Bool { ccurl_inflater_is_at_end(handle) }

  /// Decompresses the next bytes and passes the output to `give`.
  ///
  /// - Throws: `badResponse` for invalid gzip and for an excessive ratio, and whatever `give` throws.
  mutating func take(
    _ bytes: UnsafeRawBufferPointer, give: (UnsafeRawBufferPointer) throws(HTTPFailure) -> Void
  ) throws(HTTPFailure) {
    guard bytes.count > 0 else { return }
    bytesIn += bytes.count
    ccurl_inflate_feed(handle, bytes.baseAddress, bytes.count)
    var piece: UnsafeRawPointer?
    var count = 0
    while true {
      switch ccurl_inflate(handle, &piece, &count) {
      case CCURL_INFLATE_PIECE:
        bytesOut += count
        if bytesOut > Self.ratioFrom, bytesOut > bytesIn * Self.ratioLimit { throw .badResponse(reason: "answerBomb") }
        try give(UnsafeRawBufferPointer(start: piece, count: count))
      case CCURL_INFLATE_HUNGRY: return
      default: throw .badResponse(reason: "answerBroken")
      }
    }
  }
}
