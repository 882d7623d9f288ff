import CArchive

/// Raw deflate (RFC 1951) of bytes in memory.
package enum Deflate {
  package static func compressed(_ bytes: [UInt8]) -> [UInt8] { compressed(bytes, by: carchive_deflate) }

  /// A part of a stream, which the next part or `compressed` of its end follows.
  static func part(_ bytes: [UInt8]) -> [UInt8] { compressed(bytes, by: carchive_deflate_part) }

  private static func compressed(
    _ bytes: [UInt8], by compress: (UnsafeRawPointer?, Int, UnsafeMutableRawPointer?, Int) -> Int
  ) -> [UInt8] {
    load()
    let room = carchive_deflate_bound(bytes.count)
    return [UInt8](unsafeUninitializedCapacity: room) { result, count in
      count = bytes.withUnsafeBytes { compress($0.baseAddress, bytes.count, result.baseAddress, room) }
      precondition(count >= 0, "zlib has refused to compress")
    }
  }

  /// - Parameter limit: the most bytes that may come out, which the memory is reserved for.
  /// - Returns: nil unless the bytes are one whole stream, and nothing else, of at most that size.
  package static func expanded(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    load()
    var isWhole = false
    // zlib ends a stream of nothing only where it could write.
    let room = max(1, limit)
    let result = [UInt8](unsafeUninitializedCapacity: room) { result, count in
      let written = carchive_inflate(bytes, bytes.count, result.baseAddress, room)
      (isWhole, count) = (written >= 0 && written <= limit, max(0, written))
    }
    return isWhole ? result : nil
  }

  static func load() {
    // A part of every installation: SQLite's and libcurl's packages bring it.
    if let failure = carchive_load_deflate() { fatalError(String(cString: failure)) }
  }
}
