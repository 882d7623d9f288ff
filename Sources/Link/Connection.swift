import Glibc
import NIOCore
import Wire

/// One peer: frames in, replies and notifications out, over whatever channel there is.
///
/// It knows nothing of methods. All of it is confined to one loop, and every call from elsewhere traps.
///
/// ```
///            bytes ──► FrameParser ──► delegate.received ──► … ──► send(reply:)
///                                                                      │
///   channel ◄── one write of ≤ 64 KiB while it takes bytes ◄── flush ◄─┴─ Outbox ◄── delegate.nextNotification
/// ```
package final class Connection {
  package struct Settings: Sendable {
    package var limits = FrameParser.Limits()
    /// How long a peer with unsent replies may take no byte before it is closed; nil for ever.
    package var stallLimit: Duration? = .seconds(30)
    /// How long a peer that sent a bad frame may go on sending before it is cut off in its sentence.
    package var linger: Duration = .seconds(1)
    /// The framing of what we send; nil to answer in the one that the peer's first byte chose.
    package var framing: Framing?
    /// The words for a frame that cannot be read; the connection itself speaks no language.
    package var render: @Sendable (RPCError) -> (message: String, data: JSONObject)

    package init(render: @escaping @Sendable (RPCError) -> (message: String, data: JSONObject)) {
      self.render = render
    }
  }

  /// The bytes of unsent replies beyond which a delegate starts no further request of this peer.
  package static let unsentLimit = 4 << 20
  /// The most that is handed to the channel at once: a stalled peer holds no more of it than this and its own buffer.
  static let pieceSize = 64 << 10

  package let loop: Loop
  /// Nil on pipes.
  package let peer: PeerCredentials?
  /// Nil until the peer's first byte has come, unless the settings fix it.
  package var framing: Framing? { settings.framing ?? parser.framing }
  /// The bytes of replies that were sent to this connection and not yet taken by the peer's side of the channel.
  package private(set) var unsentBytes = 0

  private enum State: Equatable {
    case open
    /// Nothing more is read; closes when everything is written.
    case draining
    /// A bad frame: what comes is thrown away; once the answer is written our side of the channel ends.
    case refusing
    /// Our side has ended, and the peer has a moment to notice.
    case lingering
    case closed
  }

  private let channel: any Channel
  private let settings: Settings
  private let outbox = Outbox()
  private var delegate: (any ConnectionDelegate)?
  private var parser: FrameParser
  private var state = State.open
  private var reason: CloseReason?
  private var isClosing = false

  private var isPaused = false
  private var isDelivering = false
  private var inputHasEnded = false
  private var inputEndWasTold = false

  private var outputIsEnding = false
  private var outputHasEnded = false

  private var isFlushing = false
  private var flushIsDue = false
  /// Whether a read is being handled, after which comes a flush anyway.
  private var isReading = false
  private var bytesInChannel = 0
  private var isOverLimit = false
  private var stallWatch: StallWatch?

  /// Called on the channel's loop, before the channel is active.
  init(channel: any Channel, settings: Settings) {
    self.channel = channel
    self.settings = settings
    self.loop = Loop(eventLoop: channel.eventLoop)
    self.peer = PeerCredentials(of: channel)
    self.parser = FrameParser(limits: settings.limits)
  }

  func attach(_ delegate: any ConnectionDelegate) {
    self.delegate = delegate
  }

  // MARK: Sending

  /// Sends the bytes of a reply, without a frame, after every notification that the delegate has by then.
  ///
  /// It leaves at the end of the loop's turn, together with what else is sent in it. Nothing is sent to a connection
  /// that was closed.
  package func send(reply: [UInt8]) {
    loop.preconditionIsCurrent()
    guard state == .open || state == .draining else { return }
    enqueue(reply)
  }

  /// Sends bytes that are in their frame already, or are meant to be in none: for clients that test a server.
  package func send(raw bytes: [UInt8]) {
    loop.preconditionIsCurrent()
    guard state == .open else { return }
    enqueue(bytes, isFramed: true)
  }

  /// Sends the bytes of a progress notification, before the replies that wait.
  ///
  /// Only the latest report of a token is kept. A peer that is over its limit of unsent replies gets none: reports are
  /// for somebody who watches. A beginning and its end always leave.
  package func send(progress: [UInt8], token: RequestID, isReport: Bool = true) {
    loop.preconditionIsCurrent()
    guard state == .open || state == .draining, !isReport || unsentBytes < Self.unsentLimit else { return }
    outbox.replace(progress: progress, token: token, isReport: isReport)
    flushSoon()
  }

  /// Writes what there is while the peer takes it. Needed only when the delegate has new notifications; whatever is
  /// sent flushes by itself.
  package func flush() {
    loop.preconditionIsCurrent()
    guard !isFlushing, state != .closed, state != .lingering else { return }
    isFlushing = true
    while let framing, channel.isWritable, state != .closed {
      var piece = channel.allocator.buffer(capacity: outbox.isEmpty ? 1024 : 4096)
      let replyBytes = outbox.fill(&piece, limit: Self.pieceSize, framing: framing) { [self] in
        state == .refusing ? nil : delegate?.nextNotification(for: self)
      }
      guard piece.readableBytes > 0 else { break }
      write(piece, replyBytes: replyBytes)
    }
    isFlushing = false
    closeIfDrained()
  }

  private func enqueue(_ reply: [UInt8], isFramed: Bool = false) {
    guard !outputIsEnding else { return }
    outbox.append(reply: reply, isFramed: isFramed)
    unsentBytes += reply.count
    if unsentBytes >= Self.unsentLimit { isOverLimit = true }
    watchForStall()
    flushSoon()
  }

  private func flushSoon() {
    guard !flushIsDue, !isReading, !isFlushing else { return }
    flushIsDue = true
    loop.eventLoop.assumeIsolated().execute { [self] in
      flushIsDue = false
      flush()
    }
  }

  private func write(_ piece: ByteBuffer, replyBytes: Int) {
    let size = piece.readableBytes
    bytesInChannel += size
    stallWatch?.handed += size
    channel.writeAndFlush(piece).assumeIsolated().whenComplete { [self] result in
      bytesInChannel -= size
      unsentBytes -= replyBytes
      if case .failure(let error) = result { return close(reason: reason(for: error)) }
      if isOverLimit, unsentBytes < Self.unsentLimit {
        isOverLimit = false
        delegate?.connectionHasRoom(self)
      }
      // Notifications may have come while the last bytes were under way; a flush asks for them before it closes.
      if state != .open || outputIsEnding, bytesInChannel == 0 { flush() }
    }
  }

  // MARK: Reading

  /// Stops handing out frames and reading from the channel.
  package func pauseReading() {
    loop.preconditionIsCurrent()
    isPaused = true
  }

  /// Goes on, in the loop's next turn, with the frames that were read already and then with the channel.
  package func resumeReading() {
    loop.preconditionIsCurrent()
    guard isPaused else { return }
    isPaused = false
    guard !isDelivering else { return }
    loop.eventLoop.assumeIsolated().execute { [self] in readOn() }
  }

  private func readOn() {
    isReading = true
    deliver()
    isReading = false
    flushSoon()
    requestRead()
  }

  private func requestRead() {
    guard !inputHasEnded else { return }
    switch state {
    case .open: if !isPaused { channel.read() }
    case .refusing, .lingering: channel.read()
    case .draining, .closed: break
    }
  }

  private func deliver() {
    guard !isDelivering else { return }
    isDelivering = true
    defer { isDelivering = false }
    do {
      while state == .open, !isPaused, let bytes = try parser.next() { receive(bytes) }
      guard state == .open, !isPaused, inputHasEnded, !inputEndWasTold else { return }
      inputEndWasTold = true
      if let last = parser.finish() { receive(last) }
      reason = parser.isInsideFrame ? .insideFrame : .inputEnded
      delegate?.connectionInputEnded(self)
    } catch {
      refuse(error)
    }
  }

  private func receive(_ bytes: [UInt8]) {
    delegate?.connection(self, received: Frame(reading: bytes), byteCount: bytes.count)
  }

  /// Answers a frame that cannot be read and ends our side: what follows it cannot be told apart any more.
  private func refuse(_ error: FrameError) {
    reason = .badFrame(error)
    state = .refusing
    let words = settings.render(error.reply)
    enqueue(MessageBytes.error(id: nil, code: error.reply.code, message: words.message, data: words.data))
  }

  // MARK: Closing

  /// Ends our side when everything that was sent is written; what the peer sends is still heard.
  package func closeOutput() {
    loop.preconditionIsCurrent()
    outputIsEnding = true
    flushSoon()
  }

  /// Reads nothing more and closes as soon as everything that was sent, and every notification, is written.
  package func closeWhenDrained() {
    loop.preconditionIsCurrent()
    guard state == .open else { return }
    state = .draining
    watchForStall()
    flushSoon()
  }

  /// Closes now, whatever is unsent.
  package func close(reason: CloseReason = .asked) {
    loop.preconditionIsCurrent()
    // The first reason is the true one: closing fails the writes under way, which would give another.
    guard !isClosing, state != .closed else { return }
    isClosing = true
    self.reason = reason
    channel.close(promise: nil)
  }

  private func closeIfDrained() {
    guard !isFlushing, bytesInChannel == 0, outbox.isEmpty || framing == nil else { return }
    switch state {
    case .draining: close(reason: reason ?? .asked)
    case .refusing where inputHasEnded: close(reason: reason ?? .asked)
    case .refusing: linger()
    case .open where outputIsEnding && !outputHasEnded:
      outputHasEnded = true
      channel.close(mode: .output, promise: nil)
    case .open, .lingering, .closed: break
    }
  }

  /// A peer that is still sending would see its own write fail, and perhaps never look at our answer, if the socket
  /// went at once. So only our side ends, and its bytes are thrown away for a moment.
  private func linger() {
    state = .lingering
    channel.close(mode: .output, promise: nil)
    requestRead()
    loop.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(settings.linger)) { [self] in
      close(reason: reason ?? .asked)
    }
  }

  private func reason(for error: any Error) -> CloseReason {
    switch reason {
    case .badFrame, .insideFrame: return reason!
    default: break
    }
    if let error = error as? IOError {
      return error.errnoCode == EPIPE || error.errnoCode == ECONNRESET ? .vanished : .failed(error.description)
    }
    return error is ChannelError ? .vanished : .failed(String(describing: error))
  }

  // MARK: The 30 second rule

  private func watchForStall() {
    guard stallWatch == nil, let limit = settings.stallLimit, unsentBytes > 0 || state == .draining else { return }
    stallWatch = StallWatch(limit: limit, handed: bytesInChannel, buffered: bufferedBytes())
    scheduleStallCheck()
  }

  private func scheduleStallCheck() {
    guard let stallWatch else { return }
    loop.eventLoop.assumeIsolated().scheduleTask(in: stallWatch.interval) { [self] in checkForStall() }
  }

  private func checkForStall() {
    guard state != .closed else { return }
    if unsentBytes == 0, state != .draining {
      stallWatch = nil
    } else if stallWatch?.isStalled(buffered: bufferedBytes()) == true, let limit = settings.stallLimit {
      close(reason: .stalled(limit))
    } else {
      scheduleStallCheck()
    }
  }

  /// What the channel was given and the kernel has not taken; it counts down within one long write too.
  private func bufferedBytes() -> Int {
    (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? bytesInChannel
  }

  // MARK: Events of the channel

  func channelBecameActive() {
    requestRead()
  }

  func channelRead(_ bytes: ByteBuffer) {
    guard state == .open else { return }
    isReading = true
    parser.append(bytes.readableBytesView)
    deliver()
  }

  /// Nothing is written or closed in here: NIO gives this event once more before it ends the channel's input, and does
  /// not expect that the channel is gone afterwards, be it closed by us or by a write that failed.
  func channelReadCompleted() {
    isReading = false
    flushSoon()
    requestRead()
  }

  func channelInputEnded() {
    inputHasEnded = true
    if state == .lingering { return close(reason: reason ?? .asked) }
    readOn()
  }

  func channelFailed(_ error: any Error) {
    close(reason: reason(for: error))
  }

  func channelClosed() {
    guard state != .closed else { return }
    state = .closed
    outbox.removeAll()
    if reason == .inputEnded, unsentBytes > 0 { reason = .vanished }
    let delegate = delegate
    self.delegate = nil
    delegate?.connectionDidClose(self, reason: reason ?? .vanished)
  }
}
