import FoundationEssentials
import Glibc

/// The socket that systemd has bound and passes to the daemon that it starts for the first client
/// (`sd_listen_fds(3)`).
struct ActivatedSocket {
  /// The descriptor, which is the listener's from then on.
  let descriptor: Int32
  let path: String

  /// The first descriptor that systemd passes.
  private static let first: Int32 = 3

  /// Nil for a process that was started otherwise, and for a socket without a path.
  init?(_ environment: [String: String]) {
    guard environment["LISTEN_PID"] == String(getpid()), environment["LISTEN_FDS"].flatMap(Int.init) == 1,
      let path = Self.path(of: Self.first)
    else { return nil }
    (descriptor, self.path) = (Self.first, path)
    // Neither the workers nor their child processes may use it.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
  }

  private static func path(of descriptor: Int32) -> String? {
    var address = sockaddr_un()
    var length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    guard result == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
    let bytes = withUnsafeBytes(of: address.sun_path) { Array($0.prefix { $0 != 0 }) }
    return bytes.first == UInt8(ascii: "/") ? String(decoding: bytes, as: UTF8.self) : nil
  }

  /// Whether the process that listens at the other end of a connection is systemd, which has no library of its own.
  /// The daemon that it starts listens itself from then on.
  static func isHeldBySystemd(_ descriptor: Int32) -> Bool {
    guard let peer = Reach.peer(of: descriptor) else { return false }
    let name = try? String(contentsOfFile: "/proc/\(peer)/comm", encoding: .utf8)
    return name == "systemd\n" || name == "systemd-socket-\n"
  }
}
