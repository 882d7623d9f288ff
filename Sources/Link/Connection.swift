import Glibc
import NIOCore
import NIOPosix
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
  /// The bytes of unsent replies beyond which a delegate starts no further request of this peer.
  package static let unsentLimit = 4 << 20
  /// A frame of more bytes takes milliseconds to read, for which the loop's other peers would wait; it is read elsewhere.
  package static let largeFrame = 256 << 10
  /// The most that is handed to the channel at once: a stalled peer holds no more of it than this and its own buffer.
  static let pieceSize = 64 << 10
  /// So many frames of one peer are handed out in one turn of the loop.
  package static let framesPerTurn = 128

  package let loop: Loop
  /// Nil on pipes.
  package let peer: PeerCredentials?
  /// Nil until the peer's first byte has come, unless the settings fix it.
  package var framing: Framing? { settings.framing ?? parser.framing }
  /// The bytes of replies that were sent to this connection and not yet taken by the peer's side of the channel.
  package private(set) var unsentBytes = 0

  enum State: Equatable {
    case open
    /// Nothing more is read; closes when everything is written.
    case draining
    /// A bad frame: what comes is thrown away; once the answer is written our side of the channel ends.
    case refusing
    /// Our side has ended, and the peer has a moment to notice.
    case lingering
    case closed
  }

  let channel: any Channel
  /// The socket under the channel, as long as the channel is active; nil on pipes.
  let descriptor: Int32?
  let settings: Settings
  let outbox = Outbox()
  private(set) var delegate: (any ConnectionDelegate)?
  private(set) var parser: FrameParser
  /// How many frames were cut out of what the peer sent.
  private(set) var wholeFrames = 0
  var halfFrame: HalfFrame?
  var state = State.open
  var reason: CloseReason?
  var isClosing = false

  private var isPaused = false
  /// A large frame is read elsewhere, and what the peer sent after it waits, so that the order stays.
  private var isReadingLarge = false
  /// The peer has had its share of this turn of the loop; the frames that are left come in the next.
  private var isYielding = false
  /// The channel has gone while frames of it waited.
  private var closeIsDue = false
  var isHeld: Bool { isPaused || isReadingLarge || isYielding }
  private var isDelivering = false
  private(set) var inputHasEnded = false
  private var inputEndWasTold = false

  var outputIsEnding = false
  var outputHasEnded = false

  /// Made when the output is first lent.
  var sharedSocket: SharedSocket?
  var lentOutput: LentOutput?

  /// What is being written; kept for its memory.
  private var piece = ByteBuffer()
  private(set) var isFlushing = false
  private var flushIsDue = false
  /// Whether a read is being handled, after which comes a flush anyway.
  private var isReading = false
  /// The last read filled its buffer, so that another one followed it, which may have met the end.
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

  /// Writes what there is while the peer takes it. Needed only when the delegate has new notifications; whatever is
  /// sent flushes by itself.
  package func flush() {
    loop.preconditionIsCurrent()
    guard !isFlushing, state != .closed, state != .lingering else { return }
    isFlushing = true
    var isDrained = false
    while !isDrained, let framing, bytesInChannel == 0 || channel.isWritable, state != .closed {
      // Its memory is used again as soon as the channel has written it.
      piece.clear()
      let replyBytes = outbox.fill(&piece, limit: Self.pieceSize, framing: framing) { [self] in
        state == .refusing ? nil : delegate?.nextNotification(for: self)
      }
      guard piece.readableBytes > 0 else { break }
      let wasAll = piece.readableBytes < Self.pieceSize
      write(replyBytes: replyBytes)
      // Room that the write has made may have let the delegate send more.
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
    guard size > 0 else { return taken(replyBytes) }
    bytesInChannel += size
    stallWatch?.hand(size)
    channel.writeAndFlush(piece).assumeIsolated().whenComplete { [self] result in
      written(size, replyBytes: replyBytes, result)
    }
    // Few clients ask for much, and there may be hundreds of them.
    if piece.storageCapacity > 8 << 10 { piece = ByteBuffer() }
  }

  /// Gives the kernel what it takes now. The channel would do the same with a promise, a future and a walk through its
  /// pipeline, which for a short reply is a quarter of all the work; so it gets only what has to wait, and the errors.
  private func writeAtOnce() {
    takeOutputBack()
    guard let descriptor, bytesInChannel == 0, !isClosing, !outputHasEnded, channel.isActive else { return }
    let count = piece.readableBytes
    let sent = piece.withUnsafeReadableBytes { Glibc.send(descriptor, $0.baseAddress, count, sendFlags) }
    guard sent > 0 else { return }
    piece.moveReaderIndex(forwardBy: sent)
    stallWatch?.hand(sent)
  }

  /// The peer's side has these bytes of replies.
  private func taken(_ replyBytes: Int) {
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
    taken(replyBytes)
    // Notifications may have come while the last bytes were under way; a flush asks for them before it closes.
    if state != .open || outputIsEnding, bytesInChannel == 0 { flush() }
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
    // Its time begins again: we were the ones who did not read.
    halfFrame = nil
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
      while state == .open, !isHeld, let bytes = try parser.next() {
        wholeFrames += 1
        receive(bytes)
        count += 1
        if count == Self.framesPerTurn { yield() }
      }
      guard state == .open, !isHeld, inputHasEnded, !inputEndWasTold else { return }
      if let last = parser.finish() {
        receive(last)
        if isReadingLarge { return }
      }
      inputEndWasTold = true
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
    let given = Parcel(bytes)
    NIOThreadPool.singleton.submit { _ in
      let frame = Parcel(read(given.take()))
      connection.execute { $0.received(large: frame, byteCount: count) }
    }
  }

  private func received(large frame: Parcel<Frame>, byteCount: Int) {
    isReadingLarge = false
    if state == .open { delegate?.connection(self, received: frame.take(), byteCount: byteCount) }
    readOn()
  }

  /// Others of this loop may have something to be done.
  private func yield() {
    isYielding = true
    let connection = Confined(self, to: loop)
    loop.executeAfterOthers {
      connection.value.isYielding = false
      connection.value.readOn()
    }
  }

  /// Answers a frame that cannot be read and ends our side: what follows it cannot be told apart any more.
  private func refuse(_ error: FrameError) {
    refuse(.badFrame(error), with: error.reply)
  }

  func refuse(_ reason: CloseReason, with error: RPCError) {
    self.reason = reason
    state = .refusing
    let words = settings.render(error)
    enqueue(MessageBytes.error(id: nil, code: error.code, message: words.message, data: words.data))
  }

  // MARK: The 30 second rules, see also `HalfFrame`

  func watchForStall() {
    guard unsentBytes > 0 || state == .draining else { return }
    stallWatch?.begin { [self] in
      state != .closed && (unsentBytes > 0 || state == .draining)
    } stalled: { [self] limit in
      close(reason: .stalled(limit))
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
    mayHaveEnded = bytes.writableBytes == 0
    bytes.withUnsafeReadableBytes { parser.append($0) }
    frameWatch?.hand(bytes.readableBytes)
    deliver()
    watchForRest()
  }

  /// Replies leave here, unless the input's end was read behind the last bytes, which NIO tells after this event: it
  /// does not expect then that the channel has gone, be it closed by us or by a write that failed. A read that left room
  /// in its buffer was the last, and what it read was no end.
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
    // What was read before the peer left is handed out first, as always.
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
