import Glibc
import NIOCore
import NIOPosix
import Wire

/// One peer: receives frames, sends replies and notifications, over any channel.
///
/// It knows no methods. It is confined to one loop, and every call from another thread traps.
///
/// ```
///            bytes ──► FrameParser ──► delegate.received ──► … ──► send(reply:)
///                                                                      │
///   channel ◄── one write of ≤ 64 KiB while it takes bytes ◄── flush ◄─┴─ Outbox ◄── delegate.nextNotification
/// ```
package final class Connection {
  /// The bytes of unsent replies beyond which a delegate starts no further requests of this peer.
  package static let unsentLimit = 4 << 20
  /// A frame of more bytes takes milliseconds to parse, which would delay the loop's other peers; it is parsed on
  /// another thread.
  package static let largeFrame = 256 << 10
  /// The most bytes passed to the channel at once: a stalled peer occupies no more than this and its own buffer.
  static let pieceSize = 64 << 10
  /// The most frames of one peer that are delivered in one turn of the loop, and the time after which a turn ends.
  package static let framesPerTurn = 128
  private static let longestTurn: Duration = .milliseconds(1)

  package let loop: Loop
  /// Nil on pipes.
  package let peer: PeerCredentials?
  /// Nil until the peer's first byte has arrived, unless the settings fix it.
  package var framing: Framing? { settings.framing ?? parser.framing }
  /// The bytes of replies that were sent to this connection and not yet accepted by the peer's side of the channel.
  package private(set) var unsentBytes = 0

  enum State: Equatable {
    case open
    /// Reading has stopped; closes when everything is written.
    case draining
    /// After a bad frame: input is discarded; once the error is written our side of the channel ends.
    case refusing
    /// Our side has ended, and the peer has a moment to notice.
    case lingering
    case closed
  }

  let channel: any Channel
  /// The socket of the channel, as long as the channel is active; nil on pipes.
  let descriptor: Int32?
  let settings: Settings
  let outbox = Outbox()
  private(set) var delegate: (any ConnectionDelegate)?
  private(set) var parser: FrameParser
  /// The number of frames parsed from the peer's bytes.
  private(set) var wholeFrames = 0
  var partialFrame: PartialFrame?
  var state = State.open
  var reason: CloseReason?
  var isClosing = false

  private var isPaused = false
  /// A large frame is parsed on another thread, and later frames of the peer wait, to preserve the order.
  private var isReadingLarge = false
  /// The peer has had its share of this turn of the loop; the remaining frames are delivered in the next.
  private var isYielding = false
  /// The channel was closed while frames of it waited.
  private var closeIsDue = false
  var isHeld: Bool { isPaused || isReadingLarge || isYielding }
  private var isDelivering = false
  private(set) var inputHasEnded = false
  private var inputEndWasReported = false

  var outputIsEnding = false
  var outputHasEnded = false

  /// Created when the output is first lent.
  var sharedSocket: SharedSocket?
  var lentOutput: LentOutput?

  /// The bytes being written; retained to reuse its memory.
  private var piece = ByteBuffer()
  private(set) var isFlushing = false
  private var flushIsDue = false
  /// Whether a read is being handled, after which a flush follows anyway.
  private var isReading = false
  /// Whether the last read filled its buffer, so that another one followed it, which may have reached the end.
  private var mayHaveEnded = false
  private(set) var bytesInChannel = 0
  private var isOverLimit = false
  private lazy var stallWatch = settings.stallLimit.map { limit in
    StallWatch(limit: limit, now: settings.now, loop: loop) { [unowned self] in bufferedBytes() }
  }

  lazy var frameWatch = settings.frameLimit.map { limit in
    StallWatch(limit: limit, now: settings.now, loop: loop) { 0 }
  }

  /// Called on the channel's loop, before the channel is active.
  init(channel: any Channel, descriptor: Int32? = nil, settings: Settings) {
    self.channel = channel
    self.descriptor = descriptor
    self.settings = settings
    self.loop = Loop(eventLoop: channel.eventLoop)
    self.peer = descriptor.flatMap { PeerCredentials(of: $0) }
    self.parser = FrameParser(limits: settings.limits)
  }

  func attach(_ delegate: any ConnectionDelegate) {
    self.delegate = delegate
  }

  // MARK: Sending

  /// Writes pending messages while the peer accepts bytes. Only needed when the delegate has new notifications; all
  /// send calls flush themselves.
  package func flush() {
    loop.preconditionIsCurrent()
    guard !isFlushing, state != .closed, state != .lingering else { return }
    isFlushing = true
    var isDrained = false
    while !isDrained, let framing, bytesInChannel == 0 || channel.isWritable, state != .closed {
      // Its memory is reused as soon as the channel has written it.
      piece.clear()
      let replyBytes = outbox.fill(&piece, limit: Self.pieceSize, framing: framing) { [self] in
        state == .refusing ? nil : delegate?.nextNotification(for: self)
      }
      guard piece.readableBytes > 0 else { break }
      let wasAll = piece.readableBytes < Self.pieceSize
      write(replyBytes: replyBytes)
      // The write may have made room, so that the delegate can send more.
      isDrained = wasAll && outbox.isEmpty
    }
    isFlushing = false
    closeIfDrained()
  }

  func enqueue(_ reply: [UInt8], isFramed: Bool = false) {
    guard !outputIsEnding else { return }
    outbox.append(reply: reply, isFramed: isFramed)
    unsentBytes += reply.count
    if unsentBytes >= Self.unsentLimit { isOverLimit = true }
    watchForStall()
    flushSoon()
  }

  func flushSoon() {
    guard !flushIsDue, !isReading, !isFlushing else { return }
    flushIsDue = true
    loop.eventLoop.assumeIsolated().execute { [self] in
      flushIsDue = false
      flush()
    }
  }

  private func write(replyBytes: Int) {
    writeAtOnce()
    let size = piece.readableBytes
    guard size > 0 else { return accepted(replyBytes) }
    bytesInChannel += size
    stallWatch?.hand(size)
    channel.writeAndFlush(piece).assumeIsolated().whenComplete { [self] result in
      written(size, replyBytes: replyBytes, result)
    }
    // Few clients need large buffers, and there may be hundreds of clients.
    if piece.storageCapacity > 8 << 10 { piece = ByteBuffer() }
  }

  /// Writes as much as the kernel accepts now. The channel would do the same with a promise, a future and a pass
  /// through its pipeline, which for a short reply is a quarter of all the work; so it only gets the rest, and the
  /// errors.
  private func writeAtOnce() {
    takeOutputBack()
    guard let descriptor, bytesInChannel == 0, !isClosing, !outputHasEnded, channel.isActive else { return }
    let count = piece.readableBytes
    let sent = piece.withUnsafeReadableBytes { Glibc.send(descriptor, $0.baseAddress, count, sendFlags) }
    guard sent > 0 else { return }
    piece.moveReaderIndex(forwardBy: sent)
    stallWatch?.hand(sent)
  }

  /// Called when the peer's side has accepted these bytes of replies.
  private func accepted(_ replyBytes: Int) {
    unsentBytes -= replyBytes
    if isOverLimit, unsentBytes < Self.unsentLimit {
      isOverLimit = false
      delegate?.connectionHasRoom(self)
    }
  }

  private func written(_ size: Int, replyBytes: Int, _ result: Result<Void, any Error>) {
    bytesInChannel -= size
    if case .failure(let error) = result {
      unsentBytes -= replyBytes
      return close(becauseOf: error)
    }
    accepted(replyBytes)
    // Notifications may have arrived while the last bytes were being written; a flush requests them before it closes.
    if state != .open || outputIsEnding, bytesInChannel == 0 { flush() }
  }

  // MARK: Reading

  /// Stops delivering frames and reading from the channel.
  package func pauseReading() {
    loop.preconditionIsCurrent()
    isPaused = true
  }

  /// Continues, in the loop's next turn, with the frames that were already read and then with the channel.
  package func resumeReading() {
    loop.preconditionIsCurrent()
    guard isPaused else { return }
    isPaused = false
    guard !isDelivering else { return }
    loop.eventLoop.assumeIsolated().execute { [self] in readOn() }
  }

  private func readOn() {
    isReading = true
    // The time limit restarts: the delay was ours.
    partialFrame = nil
    deliver()
    isReading = false
    watchForRest()
    if closeIsDue { return channelClosed() }
    flushSoon()
    requestRead()
  }

  func requestRead() {
    guard !inputHasEnded else { return }
    switch state {
    case .open: if !isHeld { channel.read() }
    case .refusing, .lingering: channel.read()
    case .draining, .closed: break
    }
  }

  private func deliver() {
    guard !isDelivering else { return }
    isDelivering = true
    defer { isDelivering = false }
    do {
      var count = 0
      let begun = settings.now()
      var last = begun
      while state == .open, !isHeld, let bytes = try parser.next() {
        wholeFrames += 1
        receive(bytes)
        count += 1
        last = restIfDue(after: last)
        if !isYielding, count == Self.framesPerTurn || last - begun >= Self.longestTurn { yield() }
      }
      guard state == .open, !isHeld, inputHasEnded, !inputEndWasReported else { return }
      if let last = parser.finish() {
        receive(last)
        if isReadingLarge { return }
      }
      inputEndWasReported = true
      reason = parser.isInsideFrame ? .insideFrame : .inputEnded
      delegate?.connectionInputEnded(self)
    } catch {
      refuse(error)
    }
  }

  private func receive(_ bytes: [UInt8]) {
    takeOutputBack()
    guard bytes.count <= Self.largeFrame else { return readElsewhere(bytes) }
    delegate?.connection(self, received: Frame(reading: bytes), byteCount: bytes.count)
  }

  private func readElsewhere(_ bytes: [UInt8]) {
    isReadingLarge = true
    let connection = Confined(self, to: loop)
    let read = settings.readLarge
    let count = bytes.count
    let given = OneShotBox(bytes)
    NIOThreadPool.singleton.submit { _ in
      let frame = OneShotBox(read(given.take()))
      connection.execute { $0.received(large: frame, byteCount: count) }
    }
  }

  private func received(large frame: OneShotBox<Frame>, byteCount: Int) {
    isReadingLarge = false
    if state == .open {
      let begun = settings.now()
      delegate?.connection(self, received: frame.take(), byteCount: byteCount)
      _ = restIfDue(after: begun)
    }
    readOn()
  }

  /// Lets other connections of this loop run first.
  private func yield() {
    isYielding = true
    loop.executeAfterOthers(goingOn())
  }

  /// Asks the delegate whether the peer rests after a frame, whose handling began at an instant.
  ///
  /// - Returns: the present instant.
  private func restIfDue(after begun: ContinuousClock.Instant) -> ContinuousClock.Instant {
    let now = settings.now()
    if state == .open, !isReadingLarge, let rest = delegate?.connection(self, restsAfter: begun, until: now) {
      isYielding = true
      loop.schedule(after: rest, goingOn())
    }
    return now
  }

  private func goingOn() -> @Sendable () -> Void {
    let connection = Confined(self, to: loop)
    return {
      connection.value.isYielding = false
      connection.value.readOn()
    }
  }

  /// Sends an error for a frame that cannot be parsed and ends our side: the beginning of the next frame is unknown.
  private func refuse(_ error: FrameError) {
    refuse(.badFrame(error), with: error.reply)
  }

  func refuse(_ reason: CloseReason, with error: RPCError) {
    self.reason = reason
    state = .refusing
    let words = settings.render(error)
    enqueue(MessageBytes.error(id: nil, code: error.code, message: words.message, data: words.data))
  }

  // MARK: The 30 second rules, see also `PartialFrame`

  func watchForStall() {
    guard unsentBytes > 0 || state == .draining else { return }
    stallWatch?.begin { [self] in
      state != .closed && (unsentBytes > 0 || state == .draining)
    } stalled: { [self] limit in
      close(reason: .stalled(limit))
    }
  }

  /// The bytes in the channel that the kernel has not accepted; decreases during one long write too.
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
    mayHaveEnded = bytes.writableBytes == 0
    bytes.withUnsafeReadableBytes { parser.append($0) }
    frameWatch?.hand(bytes.readableBytes)
    deliver()
    watchForRest()
  }

  /// Flushes replies, unless the input may have ended after the last bytes, which NIO reports after this event: it does
  /// not expect that the channel is closed then, be it by us or by a failed write. A read that left room in its buffer
  /// was the last, and did not reach the end.
  func channelReadCompleted() {
    let hasRead = isReading
    isReading = false
    if hasRead, !mayHaveEnded { flush() } else { flushSoon() }
    requestRead()
  }

  func channelInputEnded() {
    takeOutputBack()
    inputHasEnded = true
    if state == .lingering { return close(reason: reason ?? .asked) }
    readOn()
  }

  func channelFailed(_ error: any Error) {
    close(becauseOf: error)
  }

  func channelClosed() {
    guard state != .closed else { return }
    takeOutputBack()
    // Frames that were read before the peer disconnected are delivered first, as always.
    closeIsDue = (isReadingLarge || isYielding) && !isClosing
    if closeIsDue { return }
    state = .closed
    stallWatch?.end()
    frameWatch?.end()
    sharedSocket = nil
    outbox.removeAll()
    if reason == .inputEnded, unsentBytes > 0 { reason = .vanished }
    let delegate = delegate
    self.delegate = nil
    delegate?.connectionDidClose(self, reason: reason ?? .vanished)
  }
}
