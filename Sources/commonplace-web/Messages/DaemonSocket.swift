import NIOCore

/// The daemon's side of a page: cuts the frames of the daemon out of the bytes and passes their parts on as they come.
final class DaemonSocket: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private static let longestHeaders = 8 << 10

  private let page: PageSocket
  private var headers = ByteBuffer()
  /// The bytes of the current message that are still to come; nil between messages.
  private var rest: Int?
  private var isFirstPart = true

  init(_ page: PageSocket) {
    self.page = page
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    while bytes.readableBytes > 0 {
      if rest == nil {
        guard readHeaders(&bytes) else { return context.close(promise: nil) }
        continue
      }
      let part = bytes.readSlice(length: min(rest!, bytes.readableBytes))!
      rest! -= part.readableBytes
      page.send(part: part, isFirst: isFirstPart, isLast: rest == 0)
      isFirstPart = rest == 0
      if rest == 0 { rest = nil }
    }
  }

  /// Moves bytes up to the end of the headers, `Content-Length: N`, an empty line. Returns false if they are none.
  private func readHeaders(_ bytes: inout ByteBuffer) -> Bool {
    let known = headers.readableBytes
    // Mostly all of them come at once, and none of these bytes is copied.
    if known == 0 { headers = bytes } else { headers.writeImmutableBuffer(bytes) }
    guard let end = headers.withUnsafeReadableBytes({ Self.end(of: $0.prefix(Self.longestHeaders)) }) else {
      bytes.moveReaderIndex(to: bytes.writerIndex)
      return headers.readableBytes < Self.longestHeaders
    }
    rest = headers.withUnsafeReadableBytes { Self.length(in: $0.prefix(end)) }
    bytes.moveReaderIndex(forwardBy: end - known)
    headers = ByteBuffer()
    return rest != nil
  }

  /// The index after the empty line.
  private static func end(of headers: Slice<UnsafeRawBufferPointer>) -> Int? {
    guard headers.count > 3 else { return nil }
    return (4...headers.count).first { end in
      headers[end - 1] == 0x0A && headers[end - 2] == 0x0D && headers[end - 3] == 0x0A && headers[end - 4] == 0x0D
    }
  }

  /// The number of `Content-Length: N`; nil if there is none that is positive.
  private static func length(in headers: Slice<UnsafeRawBufferPointer>) -> Int? {
    let name = "Content-Length:".utf8
    guard let line = headers.split(separator: 0x0A).first(where: { $0.starts(with: name) }),
      let length = Int(String(decoding: line.dropFirst(name.count).filter { $0 > 0x20 }, as: UTF8.self)), length > 0
    else { return nil }
    return length
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if page.isWritable { context.read() }
    // Last, as in `PageSocket`. If that makes the page writable again, it reads on.
    page.flush()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable { page.read() }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    page.daemonEnded()
  }
}
