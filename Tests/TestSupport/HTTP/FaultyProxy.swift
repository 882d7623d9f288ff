import Foundation
import Synchronization

/// Passes bytes between a client and a server on 127.0.0.1, and cuts their connections where a test says so.
package final class FaultyProxy: Sendable {
  package enum Direction: Sendable {
    case request
    case answer
  }

  private struct State {
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

  /// The cuts that were ordered and have not been made; there are none any more.
  @discardableResult package func mend() -> Int {
    state.withLock { state in
      defer { state.cuts = 0 }
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
    while true {
      let count = recv(from, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      let allowed = allowed(count, direction)
      var sent = 0
      while sent < allowed {
        let now = buffer.withUnsafeBytes { send(to, $0.baseAddress! + sent, allowed - sent, Int32(MSG_NOSIGNAL)) }
        guard now > 0 else { return end() }
        sent += now
      }
      if allowed < count { break }
    }
    end()
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
