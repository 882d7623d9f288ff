import NIOCore

/// Forwards a channel's events to its connection.
final class ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let connection: Connection

  init(_ connection: Connection) {
    self.connection = connection
  }

  func channelActive(context: ChannelHandlerContext) {
    connection.channelBecameActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    connection.channelRead(unwrapInboundIn(data))
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    connection.channelReadCompleted()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    connection.flush()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .some(.inputClosed) = event as? ChannelEvent { connection.channelInputEnded() }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    connection.channelFailed(error)
  }

  func channelInactive(context: ChannelHandlerContext) {
    connection.channelClosed()
  }
}
