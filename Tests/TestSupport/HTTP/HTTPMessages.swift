/// The HTTP/1.1 messages in one direction of a connection, as a proxy receives them. A message begins with the first byte
/// that is received at once: clients and servers wait for each other.
struct HTTPMessages {
  /// The bytes of the present message, if they are few.
  private(set) var message: [UInt8] = []
  /// The bytes of a shortened body that still pass, and those that follow them and do not; nil outside of such a body.
  private var shortened: (passing: Int, dropped: Int)?

  /// The most bytes of a message that are held.
  private static let most = 1 << 20
  private static let beginnings = ["GET ", "PUT ", "DELETE ", "PROPFIND ", "MKCOL ", "POST ", "HTTP/1.1 "].map {
    Array($0.utf8)
  }

  /// Whether a message begins with these bytes.
  static func begin(with bytes: [UInt8]) -> Bool { beginnings.contains(where: bytes.starts) }

  /// Holds what is received for `message`.
  mutating func note(_ bytes: [UInt8]) {
    if Self.begin(with: bytes) {
      message = bytes
    } else if !message.isEmpty {
      // Not all of it: then none.
      message = message.count + bytes.count > Self.most ? [] : message + bytes
    }
  }

  /// Leaves out the second half of the body of the message that begins with these bytes. The message states that it is
  /// whole. One that does not state a length stays as it is.
  ///
  /// - Returns: the bytes that take their place.
  mutating func shorten(_ bytes: [UInt8]) -> [UInt8] {
    let end = Array("\r\n\r\n".utf8)
    guard let header = bytes.firstRange(of: end) else { return bytes }
    var lines = String(decoding: bytes[..<header.lowerBound], as: UTF8.self).split(
      separator: "\r\n", omittingEmptySubsequences: false)
    guard let place = lines.firstIndex(where: { $0.lowercased().hasPrefix("content-length:") }),
      let length = Int(lines[place].split(separator: ":")[1].filter { $0 != " " }), length > 1
    else { return bytes }
    lines[place] = "Content-Length: \(length / 2)"
    shortened = (length / 2, length - length / 2)
    return Array(lines.joined(separator: "\r\n").utf8) + end + rest(Array(bytes[header.upperBound...]))
  }

  /// The bytes that take the place of these, which follow the beginning of a message.
  mutating func rest(_ bytes: [UInt8]) -> [UInt8] {
    guard var (passing, dropped) = shortened else { return bytes }
    let passed = bytes.prefix(passing)
    passing -= passed.count
    let skipped = bytes.dropFirst(passed.count).prefix(dropped)
    dropped -= skipped.count
    shortened = passing + dropped > 0 ? (passing, dropped) : nil
    return Array(passed + bytes.dropFirst(passed.count + skipped.count))
  }
}
