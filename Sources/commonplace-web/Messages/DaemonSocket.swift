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
    while let byte = bytes.readInteger(as: UInt8.self) {
      headers.writeInteger(byte)
      guard byte == 0x0A, headers.readableBytesView.suffix(4).elementsEqual([0x0D, 0x0A, 0x0D, 0x0A]) else {
        if headers.readableBytes > Self.longestHeaders { return false }
        continue
      }
      let line = String(buffer: headers).split(separator: "\r\n").first { $0.hasPrefix("Content-Length:") }
      headers.clear()
      guard let length = line.flatMap({ Int($0.dropFirst("Content-Length:".count).drop { $0 == " " }) }), length > 0
      else { return false }
      rest = length
      return true
    }
    return true
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    page.flush()
    if page.isWritable { context.read() }
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
