import Foundation
import Synchronization

/// The two ends of a pipe, as plain descriptors, which are the test's to close or to give away.
package struct PipeEnds: Sendable {
  package let reading: Int32
  package let writing: Int32

  package init() {
    var ends: [Int32] = [0, 0]
    precondition(Self.make(&ends))
    reading = ends[0]
    writing = ends[1]
  }

  private static let making = Mutex(())

  /// Makes a pipe that no program inherits.
  static func make(_ ends: inout [Int32]) -> Bool {
    making.withLock { _ in
      guard pipe(&ends) == 0 else { return false }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      return true
    }
  }

  /// Starts a program while no pipe is half made: it would keep an end of another test's pipe open, and whoever waits
  /// for the end of that pipe would wait for this program, too. (Glibc's `pipe2` cannot be called from Swift.)
  static func whileNoneIsMade<Result>(_ start: () -> Result) -> Result {
    making.withLock { _ in start() }
  }
}

/// A pair of connected sockets.
package struct SocketPair: Sendable {
  package let one: Int32
  package let other: Int32

  package init() {
    var ends: [Int32] = [0, 0]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    precondition(socketpair(AF_UNIX, type, 0, &ends) == 0)
    one = ends[0]
    other = ends[1]
  }
}

/// A blocking call on a thread of its own, so that the few threads that run the tests go on.
///
/// A test whose time is up does not wait for it: the thread is left to itself.
package func blocking<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async throws -> Result {
  let waiting = Mutex<CheckedContinuation<Result, any Error>?>(nil)
  // Whoever comes first takes the continuation.
  let take: @Sendable () -> CheckedContinuation<Result, any Error>? = {
    waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }
  }
  return try await withTaskCancellationHandler {
    try await withCheckedThrowingContinuation { continuation in
      waiting.withLock { $0 = continuation }
      Thread.detachNewThread {
        let result = body()
        take()?.resume(returning: result)
      }
      if Task.isCancelled { take()?.resume(throwing: CancellationError()) }
    }
  } onCancel: {
    take()?.resume(throwing: CancellationError())
  }
}

/// Everything that comes until the end; blocks.
package func readToEnd(_ descriptor: Int32) -> [UInt8] {
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 64 << 10)
  while true {
    let count = read(descriptor, &buffer, buffer.count)
    if count <= 0 { return bytes }
    bytes += buffer[..<count]
  }
}

/// Writes everything, or as much as somebody reads; blocks.
package func writeAll(_ bytes: [UInt8], to descriptor: Int32) {
  var offset = 0
  while offset < bytes.count {
    let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + offset, bytes.count - offset) }
    if count <= 0 { return }
    offset += count
  }
}
