import Glibc
import Wire

/// Copies bytes between a front end's pipes and the daemon's socket without parsing them, except for the first bytes,
/// which determine the framing: the bridge may send a message of its own before them.
///
/// The end of the input is passed on as `SHUT_WR`, so that outstanding replies still arrive; the bridge ends when the
/// socket ends. A stalled side stalls the other: at most one piece is buffered in each direction. One thread, `poll`,
/// no NIO: the descriptors may be files or terminals, and must keep the flags set by a shell.
package struct Bridge {
  package enum Ending: Equatable, Sendable {
    /// The daemon closed the connection; everything that it sent before was passed on.
    case socketEnded
    /// The front end closed its input.
    case outputClosed
    case failed(call: String, errno: Int32)
  }

  /// The socket's flags are unchanged too, so each call is made non-blocking.
  private static let now = Int32(MSG_DONTWAIT)

  private let input: Int32
  private let output: Int32
  private let socket: Int32
  private var greeting: [UInt8]?
  private var toSocket = Piece()
  private var toOutput = Piece()
  private var inputEnded = false
  private var socketEnded = false

  /// The descriptors are not closed here.
  ///
  /// - Parameter greeting: A notification, without its frame, that is sent to the daemon before the front end's first
  ///   message.
  package init(input: Int32, output: Int32, socket: Int32, greeting: [UInt8]? = nil) {
    self.greeting = greeting
    self.input = input
    self.output = output
    self.socket = socket
  }

  /// Runs until one side ends; blocks its thread.
  package mutating func run() -> Ending {
    // A write to a pipe without readers must be an error, not the end of the process.
    signal(SIGPIPE, SIG_IGN)
    while true {
      if socketEnded, toOutput.isEmpty { return .socketEnded }
      var events = interests()
      guard poll(&events, nfds_t(events.count), -1) >= 0 else {
        if errno == EINTR { continue }
        return .failed(call: "poll", errno: errno)
      }
      if let ending = step(socket: events[0].revents, input: events[1].revents, output: events[2].revents) {
        return ending
      }
    }
  }

  /// `poll` ignores negative descriptors.
  private func interests() -> [pollfd] {
    var socketEvents: Int32 = 0
    if toOutput.isEmpty, !socketEnded { socketEvents |= POLLIN }
    if !toSocket.isEmpty { socketEvents |= POLLOUT }
    return [
      pollfd(fd: socketEvents == 0 ? -1 : socket, events: Int16(socketEvents), revents: 0),
      pollfd(fd: toSocket.isEmpty && !inputEnded && !socketEnded ? input : -1, events: Int16(POLLIN), revents: 0),
      // Without requested events `poll` still reports that the reader has closed the pipe.
      pollfd(fd: output, events: Int16(toOutput.isEmpty ? 0 : POLLOUT), revents: 0),
    ]
  }

  private mutating func step(socket events: Int16, input: Int16, output: Int16) -> Ending? {
    if output & Int16(POLLERR | POLLNVAL) != 0 { return .outputClosed }
    if output & Int16(POLLOUT) != 0, !toOutput.isEmpty {
      guard toOutput.write({ write(self.output, $0, $1) }) else { return .outputClosed }
    }
    if events & Int16(POLLOUT | POLLERR | POLLHUP) != 0, !toSocket.isEmpty {
      let taken = toSocket.write { send(self.socket, $0, $1, Self.now | Int32(MSG_NOSIGNAL)) }
      // Data that the daemon sent before it closed may still have to be read.
      if !taken { endInput() }
    }
    if events & Int16(POLLIN | POLLERR | POLLHUP) != 0, toOutput.isEmpty, !socketEnded {
      socketEnded = !toOutput.read { recv(self.socket, $0, $1, Self.now) }
    }
    if input != 0, toSocket.isEmpty, !inputEnded {
      if toSocket.read({ read(self.input, $0, $1) }) { greet() } else { endInput() }
    }
    return nil
  }

  private mutating func greet() {
    guard let message = greeting, let framing = toSocket.framing else { return }
    toSocket.prepend(framing.frame(message))
    greeting = nil
  }

  private mutating func endInput() {
    inputEnded = true
    toSocket = Piece()
    shutdown(socket, Int32(SHUT_WR))
  }
}

/// The bytes waiting in one direction.
struct Piece {
  /// The most bytes that a pipe which `poll` reports as writable accepts without blocking (`PIPE_BUF`), whatever its
  /// flags.
  private static let writeSize = 4096

  private var bytes: [UInt8] = []
  private var offset = 0

  var isEmpty: Bool { offset == bytes.count }

  /// The framing of the first message, if this is the first piece.
  var framing: Framing? { Framing(of: bytes) }

  mutating func prepend(_ others: [UInt8]) { bytes = others + bytes }

  /// Returns false at the end of the input.
  mutating func read(_ call: (UnsafeMutableRawPointer, Int) -> Int) -> Bool {
    var count = 0
    var failure: Int32 = 0
    bytes = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, initialized in
      count = call(buffer.baseAddress!, buffer.count)
      failure = errno
      initialized = max(0, count)
    }
    offset = 0
    return count > 0 || (count < 0 && (failure == EAGAIN || failure == EINTR))
  }

  /// Returns false if the other side no longer accepts bytes.
  mutating func write(_ call: (UnsafeRawPointer, Int) -> Int) -> Bool {
    let count = bytes.withUnsafeBytes { call($0.baseAddress! + offset, min(Self.writeSize, $0.count - offset)) }
    if count < 0 { return errno == EAGAIN || errno == EINTR }
    offset += count
    return true
  }
}
