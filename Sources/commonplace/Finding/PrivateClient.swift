import Glibc
import Link
import Synchronization
import Threads

/// The one client of a private daemon: the process at the other ends of our input and output.
///
/// The daemon waits for descriptors with poll and does not read descriptors that do not support that, such as files
/// (`serve … < requests`). For those a bridge of our own carries the bytes.
final class PrivateClient: Sendable {
  let input: Int32
  let output: Int32
  private let carrying: Task<Void, Never>?

  /// Claims input and output, so that no other code prints to them. Called once.
  static func take() throws(UnixSocket.Failure) -> PrivateClient {
    let (input, output) = try Stdio.take()
    if canBeWaitedFor(input), canBeWaitedFor(output) {
      return PrivateClient(input: input, output: output, carrying: nil)
    }
    let (ours, theirs) = try SocketPair.make()
    let copy = try SocketPair.copy(ours)
    let carrying = Task {
      await withCheckedContinuation { continuation in
        startThread {
          var bridge = Bridge(input: input, output: output, socket: theirs)
          _ = bridge.run()
          continuation.resume()
        }
      }
    }
    return PrivateClient(input: ours, output: copy, carrying: carrying)
  }

  /// Returns when the daemon has closed its side and everything it sent has been written.
  func received() async {
    await carrying?.value
  }

  private init(input: Int32, output: Int32, carrying: Task<Void, Never>?) {
    self.input = input
    self.output = output
    self.carrying = carrying
  }

  private static func canBeWaitedFor(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    switch status.st_mode & S_IFMT {
    case S_IFIFO, S_IFSOCK: return true
    default: return isatty(descriptor) == 1
    }
  }
}
