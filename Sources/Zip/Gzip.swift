/// Files of gzip (RFC 1952) with one member, in memory.
package enum Gzip {
  /// - Parameter limit: the most bytes that may come out.
  /// - Returns: nil unless the bytes are one whole member, and nothing else, of at most that size. Its checksum is not
  ///   compared, its length is.
  package static func expanded(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    guard bytes.count >= 18, bytes.starts(with: [0x1F, 0x8B, 8]), let start = contentStart(bytes) else { return nil }
    let end = bytes.count - 8
    guard start <= end else { return nil }
    let size = bytes[(end + 4)...].reversed().reduce(0) { $0 << 8 | Int($1) }
    guard size <= limit, let content = Deflate.expanded(Array(bytes[start..<end]), limit: size),
      content.count == size
    else { return nil }
    return content
  }

  /// The number of bytes before the compressed ones; nil for a header that is cut off.
  private static func contentStart(_ bytes: [UInt8]) -> Int? {
    let flags = bytes[3]
    var place = 10
    if flags & 4 != 0 {
      guard place + 2 <= bytes.count else { return nil }
      place += 2 + Int(bytes[place]) + Int(bytes[place + 1]) << 8
    }
    // A file name and a comment, each ended by a zero.
    for flag: UInt8 in [8, 16] where flags & flag != 0 {
      guard place < bytes.count, let end = bytes[place...].firstIndex(of: 0) else { return nil }
      place = end + 1
    }
    if flags & 2 != 0 { place += 2 }
    return place
  }
}
