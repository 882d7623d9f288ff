import Glibc

/// The lines of the input, without their ends.
struct InputLines {
  let longest: Int
  private var buffer: [UInt8] = []
  private var start = 0
  private var isAtEnd = false

  init(longest: Int) {
    self.longest = longest
  }

  /// Whether the next line, or the end, can be read without waiting for the writer.
  var isReady: Bool {
    if isAtEnd || buffer[start...].contains(0x0A) { return true }
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&input, 1, 0) != 0
  }

  /// Nil at the end. Of a line that is too long, its first bytes, one more than the limit.
  mutating func next() -> [UInt8]? {
    var scanned = start
    while true {
      if let end = buffer[scanned...].firstIndex(of: 0x0A) {
        defer { start = end + 1 }
        return Array(buffer[start..<end].prefix(longest + 1))
      }
      if isAtEnd {
        guard start < buffer.count else { return nil }
        defer { start = buffer.count }
        return Array(buffer[start...].prefix(longest + 1))
      }
      // The rest of a longer line is thrown away.
      if buffer.count - start > longest + 1 { buffer.removeSubrange(start + longest + 1..<buffer.count) }
      buffer.removeSubrange(..<start)
      start = 0
      scanned = buffer.count
      fill()
    }
  }

  private mutating func fill() {
    var part = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(STDIN_FILENO, &part, part.count)
      if count < 0, errno == EINTR { continue }
      if count > 0 { buffer += part[..<count] } else { isAtEnd = true }
      return
    }
  }
}
