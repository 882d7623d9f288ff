import Glibc
import NIOCore

/// Who is at the other end of a Unix socket, as the kernel says.
package struct PeerCredentials: Sendable, Equatable {
  package var pid: Int32
  package var uid: UInt32
}

extension PeerCredentials {
  /// The shape of `struct ucred`, which Glibc shows to C only under `_GNU_SOURCE`.
  private struct UCred {
    var pid: Int32 = 0
    var uid: UInt32 = 0
    var gid: UInt32 = 0
  }

  /// Nil where there is no peer to ask for, as on a pipe. Called on the channel's loop.
  init?(of channel: any Channel) {
    guard let provider = channel as? any SocketOptionProvider else { return nil }
    var credentials: PeerCredentials?
    // On the channel's own loop the future is complete when it is returned.
    let future: EventLoopFuture<UCred> = provider.unsafeGetSocketOption(
      level: .socket, name: .init(rawValue: SO_PEERCRED))
    future.assumeIsolated().whenSuccess { credentials = PeerCredentials(pid: $0.pid, uid: $0.uid) }
    guard let credentials else { return nil }
    self = credentials
  }
}
