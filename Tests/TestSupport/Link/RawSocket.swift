import Foundation
import Link

/// A peer without manners: a plain descriptor that is read and written only when a test says so.
package final class RawSocket: Sendable {
  package let descriptor: Int32

  package init(connectingTo path: String) throws {
    descriptor = try UnixSocket.connect(path)
  }

  /// Connects to a port of 127.0.0.1.
  package init(port: Int) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw UnixSocket.Failure.system(call: "connect", errno: errno) }
  }

  deinit {
    close(descriptor)
  }

  package func write(_ text: String) {
    write(Array(text.utf8))
  }

  package func write(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        send(descriptor, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return }
      sent += count
    }
  }

  /// Waits until `count` bytes or the end have come, on a thread of its own: the few that run the tests must not block.
  package func read(_ count: Int) async throws -> [UInt8] {
    try await blocking { self.readBlocking(count) }
  }

  /// What has come as soon as anything has; nothing at the end.
  package func readSome() async throws -> [UInt8] {
    try await blocking {
      var buffer = [UInt8](repeating: 0, count: 1 << 20)
      let count = recv(self.descriptor, &buffer, buffer.count, 0)
      return Array(buffer.prefix(max(0, count)))
    }
  }

  private func readBlocking(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while bytes.count < count {
      let got = recv(descriptor, &buffer, min(buffer.count, count - bytes.count), 0)
      if got <= 0 { break }
      bytes += buffer[..<got]
    }
    return bytes
  }

  package func readToEnd() async throws -> String {
    String(decoding: try await read(.max), as: UTF8.self)
  }

  package func endInput() {
    shutdown(descriptor, Int32(SHUT_WR))
  }
}
