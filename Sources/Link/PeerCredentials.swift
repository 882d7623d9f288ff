import Glibc

/// The process and user at the other end of a Unix socket, from the kernel.
package struct PeerCredentials: Sendable, Equatable {
  package var pid: Int32
  package var uid: UInt32
}

extension PeerCredentials {
  /// The layout of `struct ucred`, which Glibc declares only under `_GNU_SOURCE`.
  private struct UCred {
    var pid: Int32 = 0
    var uid: UInt32 = 0
    var gid: UInt32 = 0
  }

  /// Nil if there are no credentials, as on a pipe.
  init?(of descriptor: Int32) {
    var credentials = UCred()
    var size = socklen_t(MemoryLayout<UCred>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else { return nil }
    self.init(pid: credentials.pid, uid: credentials.uid)
  }
}
