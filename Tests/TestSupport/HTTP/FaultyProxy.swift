import Foundation
import Synchronization

/// Passes bytes between a client and a server on 127.0.0.1, cuts their connections where a test says so, and delays,
/// repeats and shortens messages.
package final class FaultyProxy: Sendable {
  package enum Direction: Sendable {
    case request
    case answer
  }

  /// A fault of messages on connections that stay open.
  package enum Fault: CaseIterable, Sendable {
    case delay
    /// The server receives a request once more, after its answer and before the next request.
    case repetition
    /// The first half of a body arrives as the whole one: of a file at the server, or of an answer.
    case truncation
  }

  private struct State {
    var faults: Set<Fault> = []
    var random = SeededGenerator(seed: 0)
    var direction = Direction.request
    /// The bytes that still pass in this direction before the cut.
    var left = 0
    var after = 0
    /// The number of cuts to come.
    var cuts = 0
    var descriptors: Set<Int32> = []
    var isStopped = false
  }

  package let port: Int
  private let listener: Int32
  private let server: Int
  private let state = Mutex(State())

  /// - Parameter server: the port of the server.
  package init(to server: Int) throws {
    self.server = server
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    var address = Self.address(0)
    let listener = listener
    let failed = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) != 0 || listen(listener, 64) != 0 || getsockname(listener, $0, &length) != 0
      }
    }
    guard !failed else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread { [self] in accept() }.start()
  }

  /// `http://127.0.0.1:PORT`, without a slash.
  package var origin: String { "http://127.0.0.1:\(port)" }

  /// Cuts the connection after so many bytes in one direction, counted from now and then from each cut.
  package func cut(_ direction: Direction, after count: Int, times: Int) {
    state.withLock { ($0.direction, $0.left, $0.after, $0.cuts) = (direction, count, count, times) }
  }

  /// Lets each of these happen to every sixth message from now on, by chance.
  package func disturb(_ faults: Set<Fault>, seed: UInt64) {
    state.withLock { ($0.faults, $0.random) = (faults, SeededGenerator(seed: seed)) }
  }

  /// Whether a fault happens now.
  private func happens(_ fault: Fault) -> Bool {
    state.withLock { $0.faults.contains(fault) && Int.random(in: 0..<6, using: &$0.random) == 0 }
  }

  /// The cuts that were ordered and have not been made; there are no faults of any kind any more.
  @discardableResult package func mend() -> Int {
    state.withLock { state in
      defer { (state.cuts, state.faults) = (0, []) }
      return state.cuts
    }
  }

  package func stop() {
    state.withLock { state in
      state.isStopped = true
      shutdown(listener, Int32(SHUT_RDWR))
      for descriptor in state.descriptors { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }

  private func accept() {
    while true {
      let client = Glibc.accept(listener, nil, nil)
      guard client >= 0 else { break }
      let peer = connected()
      let isOpen = state.withLock { state in
        if state.isStopped || peer < 0 { return false }
        state.descriptors.formUnion([client, peer])
        return true
      }
      guard isOpen else {
        close(client)
        if peer >= 0 { close(peer) }
        continue
      }
      let ends = Mutex(2)
      let end: @Sendable () -> Void = { [self] in
        for descriptor in [client, peer] { shutdown(descriptor, Int32(SHUT_RDWR)) }
        let isLast = ends.withLock { left in
          left -= 1
          return left == 0
        }
        guard isLast else { return }
        state.withLock { $0.descriptors.subtract([client, peer]) }
        for descriptor in [client, peer] { close(descriptor) }
      }
      Thread { [self] in pass(.request, client, peer, end) }.start()
      Thread { [self] in pass(.answer, peer, client, end) }.start()
    }
    close(listener)
  }

  private func pass(_ direction: Direction, _ from: Int32, _ to: Int32, _ end: () -> Void) {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    var messages = HTTPMessages()
    while true {
      let count = recv(from, &buffer, buffer.count, 0)
      if direction == .request, count <= 0 || HTTPMessages.begin(with: Array(buffer.prefix(count))) {
        if happens(.repetition) { repeatRequest(messages.message) }
      }
      guard count > 0 else { break }
      var bytes = Array(buffer.prefix(count))
      if happens(.delay) { Self.delay(to) }
      messages.note(bytes)
      let isShortened = HTTPMessages.begin(with: bytes) && happens(.truncation)
      bytes = isShortened ? messages.shorten(bytes) : messages.rest(bytes)
      let allowed = allowed(bytes.count, direction)
      guard Self.sendAll(bytes.prefix(allowed), to: to) else { return end() }
      if allowed < bytes.count { break }
    }
    end()
  }

  /// For 20 ms, unless whom the bytes are for leaves earlier.
  private static func delay(_ descriptor: Int32) {
    var departure = pollfd(fd: descriptor, events: 0, revents: 0)
    poll(&departure, 1, 20)
  }

  private static func sendAll(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress!, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Sends the server a request on a connection of its own, and waits until it is answered.
  private func repeatRequest(_ request: [UInt8]) {
    guard !request.isEmpty else { return }
    let server = connected()
    guard server >= 0 else { return }
    defer { close(server) }
    guard Self.sendAll(request[...], to: server) else { return }
    shutdown(server, Int32(SHUT_WR))
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while recv(server, &buffer, buffer.count, 0) > 0 {}
  }

  /// How many of these bytes pass before a cut.
  private func allowed(_ count: Int, _ direction: Direction) -> Int {
    state.withLock { state in
      guard state.cuts > 0, state.direction == direction else { return count }
      guard count > state.left else {
        state.left -= count
        return count
      }
      defer { (state.left, state.cuts) = (state.after, state.cuts - 1) }
      return state.left
    }
  }

  private func connected() -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var yes: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = Self.address(server)
    let failed = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) != 0
      }
    }
    guard failed else { return descriptor }
    close(descriptor)
    return -1
  }

  private static func address(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    address.sin_port = UInt16(port).bigEndian
    return address
  }
}
