import Foundation

/// One accepted connection of a scripted server; used by its thread alone.
final class ServerConnection {
  private let descriptor: Int32
  private var unread: [UInt8] = []

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    // A head and its body are two sends; without this the second waits for the first one's acknowledgement.
    var yes: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    // A test that failed must not leave threads that wait for ever.
    var limit = timeval(tv_sec: 300, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  /// The lines of the next request's head; nil when the peer has closed.
  func readHead() -> [String]? {
    let end = Array("\r\n\r\n".utf8)
    while true {
      if let range = unread.firstRange(of: end) {
        let text = String(decoding: unread[..<range.lowerBound], as: UTF8.self)
        unread.removeSubrange(..<range.upperBound)
        return text.components(separatedBy: "\r\n")
      }
      guard receive() else { return nil }
    }
  }

  /// The bytes after a head; nil when the peer has closed before.
  func readBody(_ count: Int) -> Data? {
    while unread.count < count {
      guard receive() else { return nil }
    }
    defer { unread.removeFirst(count) }
    return Data(unread.prefix(count))
  }

  /// Runs a step; returns whether the connection lives on.
  func run(_ step: ServerReply.Step) -> Bool {
    switch step {
    case .send(let data):
      return send(data)
    case .sendForever(let data):
      // It would never hear that the peer has closed, and keep a processor busy until the process ends.
      precondition(!data.isEmpty)
      while send(data) {}
      return false
    case .open(let gate):
      gate.open()
      return true
    case .wait(let gate):
      gate.wait()
      return true
    case .waitForPeerToClose(let gate):
      while receive() {}
      // Not when only our own patience ended: a test that waits for the gate must not pass by it.
      if errno != EAGAIN { gate.open() }
      return false
    case .close:
      return false
    case .reset:
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
      return false
    }
  }

  private func receive() -> Bool {
    errno = 0
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else { return false }
    unread += buffer[..<count]
    return true
  }

  private func send(_ data: Data) -> Bool {
    data.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let count = Glibc.send(descriptor, bytes.baseAddress! + done, bytes.count - done, Int32(MSG_NOSIGNAL))
        guard count > 0 else { return false }
        done += count
      }
      return true
    }
  }
}
