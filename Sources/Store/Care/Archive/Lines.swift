import Glibc

/// Splits a stream of bytes into lines. Holds at most one chunk and one line in memory.
struct Lines {
  /// Offset of the next line.
  private(set) var offset: Int64
  private var unread: Int64
  private var bytes: [UInt8] = []
  private var start = 0
  private var searched = 0

  static let partSize = 256 << 10
  /// Far more than any item of ours has; a line without an end must not fill the memory.
  static let longest = 64 << 20

  struct TooLong: Error {}

  init(_ range: Range<Int64>) {
    offset = range.lowerBound
    unread = Int64(range.count)
  }

  /// The next line that is not empty. `read` returns the given number of following bytes.
  mutating func next(_ read: (Int) throws -> [UInt8]) throws -> [UInt8]? {
    while true {
      if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        if let line = take(to: end, next: end + 1) { return line }
        continue
      }
      guard unread > 0 else { return take(to: bytes.count, next: bytes.count) }
      bytes.removeFirst(start)
      searched = bytes.count
      start = 0
      guard bytes.count <= Self.longest else { throw TooLong() }
      let part = try read(Int(min(unread, Int64(Self.partSize))))
      unread -= Int64(part.count)
      bytes += part
    }
  }

  private mutating func take(to end: Int, next: Int) -> [UInt8]? {
    let line = bytes[start..<end]
    offset += Int64(next - start)
    start = next
    searched = next
    return line.isEmpty ? nil : Array(line)
  }
}

/// Lines that were read and checked, in an unlinked file beside the library: it disappears with its descriptor, also
/// when the daemon is killed. So the following write need not rely on the archive staying unchanged, and needs no
/// memory for its lines.
final class Spool: Sendable {
  private let descriptor: Int32
  private let path: String

  init(path: String) throws {
    self.path = path
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw FileFailure(path: path, errno) }
    unlink(path)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  func read(_ count: Int, at offset: Int64) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let got = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, count, off_t(offset)) }
    guard got > 0 else { throw FileFailure(path: path, got < 0 ? errno : EIO) }
    bytes.removeLast(count - got)
    return bytes
  }

  /// The lines in a range of the file.
  func lines(in range: Range<Int64>) -> Reader {
    Reader(spool: self, range: range)
  }

  struct Reader {
    private let spool: Spool
    private var lines: Lines
    private var place: Int64

    fileprivate init(spool: Spool, range: Range<Int64>) {
      self.spool = spool
      lines = Lines(range)
      place = range.lowerBound
    }

    /// Offset of the next line.
    var offset: Int64 { lines.offset }

    mutating func next() throws -> [UInt8]? {
      try lines.next { count in
        let bytes = try spool.read(count, at: place)
        place += Int64(bytes.count)
        return bytes
      }
    }
  }

  /// Writes a spool from its beginning.
  struct Writer {
    let spool: Spool
    private var buffer: [UInt8] = []
    private var written: Int64 = 0

    init(_ spool: Spool) {
      self.spool = spool
    }

    /// Offset at which the next line will begin.
    var offset: Int64 { written + Int64(buffer.count) }

    mutating func add(_ line: [UInt8]) throws {
      buffer += line
      buffer.append(UInt8(ascii: "\n"))
      if buffer.count >= Lines.partSize { try finish() }
    }

    mutating func finish() throws {
      var done = 0
      while done < buffer.count {
        let count = buffer.withUnsafeBytes {
          pwrite(spool.descriptor, $0.baseAddress! + done, $0.count - done, off_t(written))
        }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw FileFailure(path: spool.path, errno) }
        done += count
        written += Int64(count)
      }
      buffer.removeAll(keepingCapacity: true)
    }
  }
}
