import Glibc

/// Unix sockets by system calls, since NIO does not give enough control over permissions and the socket's file.
package enum UnixSocket {
  package enum Failure: Error, Equatable {
    /// The path does not fit into a socket address; the limit is in bytes.
    case pathTooLong(limit: Int)
    /// Another process listens there.
    case inUse
    /// There is another file at the path.
    case notOurs
    /// Another user listens there. Nothing was sent.
    case foreign
    case system(call: String, errno: Int32)
  }

  /// Connects, and returns the descriptor, which belongs to the caller.
  ///
  /// - Throws: `Failure.pathTooLong`; `.foreign` if another user listens there; `.system` if nobody does.
  package static func connect(_ path: String) throws(Failure) -> Int32 {
    let descriptor = try make()
    do throws(Failure) {
      try withAddress(of: path) { address, length throws(Failure) in
        var result = Glibc.connect(descriptor, address, length)
        while result != 0, errno == EINTR { result = Glibc.connect(descriptor, address, length) }
        guard result == 0 else { throw .system(call: "connect", errno: errno) }
      }
      // A process that listens in a folder writable by others would get everything that is sent: passwords, and the
      // diary.
      guard let listener = PeerCredentials(of: descriptor), [geteuid(), 0].contains(listener.uid) else {
        throw .foreign
      }
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Binds a socket to which only its owner can connect, from the beginning, and returns the descriptor.
  ///
  /// A socket left by a killed process is replaced; the caller owns the library, so no other process can be about to
  /// listen here.
  static func bind(_ path: String) throws(Failure) -> Int32 {
    let descriptor = try make()
    do throws(Failure) {
      // The file gets its mode from the descriptor when it is created, so it is never open to all.
      guard fchmod(descriptor, 0o600) == 0 else { throw .system(call: "fchmod", errno: errno) }
      do throws(Failure) {
        try bind(descriptor, path)
      } catch .system(_, EADDRINUSE) {
        try removeStale(path)
        try bind(descriptor, path)
      }
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Distinguishes a file from another one that is later created at the same path.
  struct Identity: Equatable, Sendable {
    var device: UInt
    var inode: UInt

    init?(of path: String) {
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
      device = status.st_dev
      inode = status.st_ino
    }
  }

  /// A new unbound socket, which belongs to the caller.
  ///
  /// - Throws: `Failure.system`, such as without free descriptors.
  package static func make() throws(Failure) -> Int32 {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_UNIX, type, 0)
    guard descriptor >= 0 else { throw .system(call: "socket", errno: errno) }
    return descriptor
  }

  private static func bind(_ descriptor: Int32, _ path: String) throws(Failure) {
    try withAddress(of: path) { address, length throws(Failure) in
      guard Glibc.bind(descriptor, address, length) == 0 else { throw .system(call: "bind", errno: errno) }
    }
  }

  private static func removeStale(_ path: String) throws(Failure) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == geteuid() else { throw .notOurs }
    do throws(Failure) {
      close(try connect(path))
    } catch .system(_, ECONNREFUSED) {
      unlink(path)
      return
    }
    throw .inUse
  }

  private static func withAddress(
    of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) throws(Failure) -> Void
  ) throws(Failure) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    let bytes = Array(path.utf8)
    guard bytes.count < capacity else { throw .pathTooLong(limit: capacity - 1) }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    var failure: Failure?
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        do throws(Failure) {
          try body(address, socklen_t(MemoryLayout<sockaddr_un>.size))
        } catch {
          failure = error
        }
      }
    }
    if let failure { throw failure }
  }
}
