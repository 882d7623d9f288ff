import Glibc
import Link

/// Two ends of a connection inside of this process.
enum SocketPair {
  static func make() throws(UnixSocket.Failure) -> (Int32, Int32) {
    var sockets: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &sockets) == 0 else { throw .system(call: "socketpair", errno: errno) }
    return (sockets[0], sockets[1])
  }

  /// A second descriptor of an end, for callers that need one to read and one to write.
  static func copy(_ descriptor: Int32) throws(UnixSocket.Failure) -> Int32 {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw .system(call: "dup", errno: errno) }
    return copy
  }
}
