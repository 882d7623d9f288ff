import Glibc
import NIOCore

/// The user at the other end of a connection to 127.0.0.1, from the kernel's table of TCP sockets.
///
/// A cookie alone would not keep other users of the machine away: the browser sends it to every port of 127.0.0.1, so
/// also to a server of theirs that the reader visits.
enum PeerUser {
  private static let table = "/proc/net/tcp"

  /// The user of the socket that is connected from `remote` to `local`; nil if there is none any more.
  static func id(from remote: SocketAddress, to local: SocketAddress) -> UInt32? {
    guard let from = key(remote), let to = key(local) else { return nil }
    // The table may skip a row while others are removed from it.
    return row(from, to) ?? row(from, to)
  }

  private static func row(_ from: String, _ to: String) -> UInt32? {
    guard let file = fopen(table, "re") else { return nil }
    defer { fclose(file) }
    let pair = "\(from) \(to) "
    var line = [CChar](repeating: 0, count: 512)
    while fgets(&line, Int32(line.count), file) != nil {
      // Every connection of the machine is a row, and only one row is ours.
      guard let text = line.withUnsafeBufferPointer({ strstr($0.baseAddress!, pair).map { String(cString: $0) } })
      else { continue }
      // local_address rem_address st tx_queue:rx_queue tr:tm->when retrnsmt uid timeout inode …
      let fields = text.split(whereSeparator: \.isWhitespace)
      // A socket that no process has any more, as in TIME_WAIT, has no inode, and shows the user 0.
      guard fields.count > 8, let inode = UInt64(fields[8]), inode != 0 else { continue }
      return UInt32(fields[6])
    }
    return nil
  }

  /// As in the table: `0100007F:1E25` is 127.0.0.1 port 7717.
  private static func key(_ address: SocketAddress) -> String? {
    guard case .v4(let v4) = address else { return nil }
    func hex(_ number: UInt32, digits: Int) -> String {
      let text = String(number, radix: 16, uppercase: true)
      return String(repeating: "0", count: digits - text.count) + text
    }
    let port = UInt32(UInt16(bigEndian: v4.address.sin_port))
    return hex(v4.address.sin_addr.s_addr, digits: 8) + ":" + hex(port, digits: 4)
  }
}
