import Glibc
import Synchronization

/// Signals as events, instead of the end of the process. One instance at a time: a newer one replaces it.
///
/// Created before any work that a signal should end cleanly; signals that arrived meanwhile are delivered then. A
/// handler and a pipe, since a dispatch source begins to listen some time after it was resumed, and earlier signals
/// are lost.
package final class Signals: Sendable {
  package let arrivals: AsyncStream<Int32>

  package init(_ numbers: [Int32]) {
    let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
    arrivals = stream
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    bell.store(ends[1], ordering: .sequentiallyConsistent)
    let reading = ends[0]
    startThread {
      var number: UInt8 = 0
      while true {
        let count = read(reading, &number, 1)
        if count == 1 { continuation.yield(Int32(number)) }
        if count == 0 || (count < 0 && errno != EINTR) { return }
      }
    }
    for number in numbers { signal(number, ring) }
  }
}

/// The end of the pipe that a handler may write to.
private let bell = Atomic<Int32>(-1)

/// Interrupts arbitrary code, so it calls only functions that POSIX allows there.
private func ring(_ number: Int32) {
  let before = errno
  var byte = UInt8(truncatingIfNeeded: number)
  _ = write(bell.load(ordering: .sequentiallyConsistent), &byte, 1)
  errno = before
}
