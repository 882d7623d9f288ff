import CCurl

/// Takes a gzip body apart as it arrives, within bounds.
///
/// Unchecked, because zlib's state has no thread of its own: whoever owns the inflater is the only one who uses it.
struct Inflater: ~Copyable, @unchecked Sendable {
  /// Beyond this much output the ratio counts. Small bodies of repetitions are nothing unusual.
  static let ratioFrom = 1 << 20
  /// The most that a byte may become; honest text does not reach a tenth of it.
  static let ratioLimit = 100

  private let handle: OpaquePointer
  private var bytesIn = 0
  private var bytesOut = 0

  init() throws(HTTPFailure) {
    guard let handle = ccurl_inflater_open() else { throw .unavailable(reason: "noMemory") }
    self.handle = handle
  }

  deinit { ccurl_inflater_close(handle) }

  /// Whether all of the body has come, as far as its own end and check sum say.
  var isAtEnd: Bool { ccurl_inflater_is_at_end(handle) }

  /// Decodes the next bytes and gives what they hold.
  ///
  /// - Throws: `badResponse` for what is no gzip or grows beyond all reason, and what `give` throws.
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
