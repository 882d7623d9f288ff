import NIOCore
import NIOPosix
import NIOWebSocket
import Wire

/// One page: its WebSocket, and a connection of its own to the daemon.
///
/// ```
///   browser ── text message ──► PageSocket ── Content-Length frame ──► daemon
///           ◄── text message ── DaemonSocket ◄── Content-Length frame ──
/// ```
///
/// Nothing is parsed as JSON. Each side is read only while the other accepts bytes.
final class PageSocket: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  /// The event that ends every page's WebSocket, as the bridge ends.
  struct BridgeEnds: Sendable {}

  enum CloseCode {
    /// The daemon has ended. The page connects again, which starts it.
    static let daemonEnded = WebSocketErrorCode(codeNumber: 4000)
    /// No daemon can be started; the reason is a sentence for people.
    static let noDaemon = WebSocketErrorCode(codeNumber: 4001)
  }

  private let channel: any Channel
  private let site: Site
  private var daemon: (any Channel)?
  /// The parts of a message that are there, and whether the last of them is missing.
  private var message = ByteBuffer()
  private var isInsideMessage = false
  /// Frames that arrived before the daemon was connected; all of them were read at once with the request.
  private var early: [WebSocketFrame] = []
  private var isReading = false
  private var isClosing = false
  private var pings: RepeatedTask?
  private var farewell: Scheduled<Void>?
  /// The pings since the browser last sent anything.
  private var unanswered = 0

  init(channel: any Channel, site: Site) {
    self.channel = channel
    self.site = site
  }

  func handlerAdded(context: ChannelHandlerContext) {
    channel.setOption(.autoRead, value: false).whenFailure { _ in }
    let page = NIOLoopBound(self, eventLoop: context.eventLoop)
    pings = context.eventLoop.scheduleRepeatedTask(initialDelay: Limits.ping, delay: Limits.ping) { _ in
      page.value.ping()
    }
    let loop = context.eventLoop
    Task { [site] in
      do throws(BridgeFailure) {
        let descriptor = try await site.library.connect()
        loop.execute { page.value.join(descriptor, page) }
      } catch {
        let reason = site.voice.sentence(error.words)
        loop.execute { page.value.close(CloseCode.noDaemon, reason) }
      }
    }
  }

  private func join(_ descriptor: Int32, _ page: NIOLoopBound<PageSocket>) {
    ClientBootstrap(group: channel.eventLoop)
      .channelOption(.autoRead, value: false)
      .channelInitializer { daemon in
        daemon.eventLoop.makeCompletedFuture {
          try daemon.pipeline.syncOperations.addHandler(DaemonSocket(page.value))
        }
      }
      .withConnectedSocket(descriptor)
      .assumeIsolated()
      .whenComplete { [self] result in
        guard case .success(let daemon) = result, channel.isActive, !isClosing else {
          if case .success(let daemon) = result { daemon.close(promise: nil) }
          return close(CloseCode.daemonEnded)
        }
        self.daemon = daemon
        let frames = early
        early = []
        for frame in frames { receive(frame) }
        daemon.read()
        read()
      }
  }

  // MARK: - From the browser

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    isReading = false
    unanswered = 0
    let frame = unwrapInboundIn(data)
    if daemon == nil { early.append(frame) } else { receive(frame) }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    isReading = false
    read()
    // Last: whom it wakes may need this thread's core.
    daemon?.flush()
  }

  private func receive(_ frame: WebSocketFrame) {
    guard !isClosing else { return }
    guard frame.maskKey != nil, frame.reservedBits.isEmpty else { return close(.protocolError) }
    switch frame.opcode {
    case .text where !isInsideMessage, .continuation where isInsideMessage:
      var part = frame.unmaskedData
      guard message.readableBytes + part.readableBytes <= Limits.message else { return close(.messageTooLarge) }
      isInsideMessage = !frame.fin
      if frame.fin, message.readableBytes == 0 { return send(part) }
      message.writeBuffer(&part)
      guard frame.fin else { return }
      send(message)
      message = ByteBuffer()
    case .binary: close(.unacceptableData)
    case .ping:
      // A peer that does not read gets none, so that its pings fill no memory.
      if channel.isWritable { write(WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)) }
    case .pong: break
    case .connectionClose: close(.normalClosure)
    default: close(.protocolError)
    }
  }

  private func send(_ message: ByteBuffer) {
    daemon?.write(ByteBuffer(string: "Content-Length: \(message.readableBytes)\r\n\r\n"), promise: nil)
    daemon?.write(message, promise: nil)
  }

  /// Reads on, unless the daemon does not accept what was read.
  func read() {
    guard let daemon, daemon.isWritable, !isReading, !isClosing else { return }
    isReading = true
    channel.read()
  }

  // MARK: - To the browser

  /// Sends a part of a message: a fragment, so that no message is ever whole in memory.
  func send(part: ByteBuffer, isFirst: Bool, isLast: Bool) {
    write(WebSocketFrame(fin: isLast, opcode: isFirst ? .text : .continuation, data: part), flushes: false)
  }

  var isWritable: Bool { channel.isWritable }

  func flush() { channel.flush() }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if channel.isWritable { daemon?.read() }
    context.fireChannelWritabilityChanged()
  }

  private func write(_ frame: WebSocketFrame, flushes: Bool = true) {
    channel.write(frame, promise: nil)
    if flushes { channel.flush() }
  }

  /// A browser that was not read from may have answered.
  private func ping() {
    guard isReading, !isClosing else { return }
    unanswered += 1
    guard unanswered <= 2 else { return channel.close(promise: nil) }
    write(WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer()))
  }

  // MARK: - Ending

  func daemonEnded() {
    daemon = nil
    close(CloseCode.daemonEnded)
  }

  private func close(_ code: WebSocketErrorCode, _ reason: String = "") {
    guard !isClosing else { return }
    beginClosing()
    var data = ByteBuffer()
    data.write(webSocketErrorCode: code)
    // A control frame has at most 125 bytes.
    var reason = reason
    while reason.utf8.count > 120 { reason.removeLast() }
    data.writeString(reason)
    channel.writeAndFlush(WebSocketFrame(fin: true, opcode: .connectionClose, data: data))
      .whenComplete { [channel] _ in channel.close(promise: nil) }
  }

  /// Passes nothing more on, and closes the connection in time, whether or not the peer takes the close frame.
  private func beginClosing() {
    isClosing = true
    stop()
    farewell = channel.eventLoop.scheduleTask(in: Limits.farewell) { [channel] in channel.close(promise: nil) }
  }

  private func stop() {
    pings?.cancel()
    pings = nil
    farewell?.cancel()
    daemon?.close(promise: nil)
    early = []
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is BridgeEnds { close(.goingAway) }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard error is NIOWebSocketError else { return context.close(promise: nil) }
    // The handler before this one has sent the close frame.
    if !isClosing { beginClosing() }
  }

  func channelInactive(context: ChannelHandlerContext) {
    isClosing = true
    stop()
    daemon = nil
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    stop()
  }
}
