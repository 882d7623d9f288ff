import Glibc

/// A socket bound to 127.0.0.1.
struct ListeningPort {
  /// The port that is tried first, so that a browser remembers the page's preferences: they belong to a port.
  private static let usual = 7717

  let descriptor: Int32
  let port: Int

  /// Binds `port`; without one the usual port, or a free one if another program has that.
  ///
  /// - Throws: `BridgeFailure` if the port is taken.
  init(_ port: Int?) throws(BridgeFailure) {
    if port == nil, let usual = try? ListeningPort(binding: Self.usual) {
      self = usual
    } else {
      self = try ListeningPort(binding: port ?? 0)
    }
  }

  /// A new socket each time: one for which `listen` has failed stays bound.
  private init(binding port: Int) throws(BridgeFailure) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw .system("web.failed", errno) }
    // Connections of a bridge that has ended do not keep its port.
    var reuses: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuses, socklen_t(MemoryLayout<Int32>.size))
    guard let bound = Self.bind(descriptor, port) else {
      let number = errno
      close(descriptor)
      throw .system("web.portTaken", number, ["port": String(port)])
    }
    self.port = bound
  }

  /// The bound port, or nil.
  private static func bind(_ descriptor: Int32, _ port: Int) -> Int? {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        // Binding a port at which somebody listens fails only here.
        guard Glibc.bind(descriptor, generic, length) == 0, listen(descriptor, 128) == 0,
          getsockname(descriptor, generic, &length) == 0
        else { return nil }
        return Int(UInt16(bigEndian: pointer.pointee.sin_port))
      }
    }
  }
}
