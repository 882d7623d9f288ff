import Glibc
import Synchronization

/// Standard output: one message a line. A client that does not read makes the senders wait, of which there are few.
final class Output: Sendable {
  private let isOpen = Mutex(true)
  private let descriptor: Int32

  init(_ descriptor: Int32 = STDOUT_FILENO) {
    self.descriptor = descriptor
  }

  func send(_ message: [UInt8]) {
    let line = message + [UInt8(ascii: "\n")]
    isOpen.withLock { isOpen in
      var rest = line[...]
      while isOpen, !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        // The client has gone. Its input ends too.
        guard count > 0 else {
          isOpen = false
          return
        }
        rest = rest.dropFirst(count)
      }
    }
  }
}
