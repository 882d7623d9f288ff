import Glibc
import PDF

/// Features of a file that are visible in its bytes without parsing. The names are never compressed or encrypted
/// themselves unless there are object streams, whose own name is visible.
struct FileFeatures {
  /// Takes some 0.2 s. Small files can expand to many bytes.
  private static let mostUnpacked = 64 * 1_024 * 1_024

  private(set) var isEncrypted = false
  /// Whether any page may be rotated. Determining the rotation of each takes long; see ``Rotations``.
  private(set) var mayRotate = false
  /// Whether any page may have annotations or form fields that show text; see ``Document/text(of:)``.
  private(set) var mayShowText = false

  /// - Parameter bytes: the same file, if it is in memory: the contents of its object streams are scanned, too.
  init(in file: Descriptor, _ bytes: FileBytes?) {
    var hasObjectStreams = false
    var window = NameWindow()
    while let seen = window.next({ pread(file.number, $0, $1, $2) }) {
      mayRotate = mayRotate || Self.namesTurn(seen, isLast: window.isAtEnd)
      mayShowText = mayShowText || Self.namesShownText(seen)
      hasObjectStreams = hasObjectStreams || position(of: "/ObjStm", in: seen) != nil
      isEncrypted = isEncrypted || Self.namesEncryption(seen)
    }
    guard hasObjectStreams, !mayRotate || !mayShowText else { return }
    guard let bytes, !isEncrypted else {
      mayRotate = true
      mayShowText = true
      return
    }
    var streams = ObjectStreams(in: bytes.all)
    var room = Self.mostUnpacked
    while !mayRotate || !mayShowText, let stream = streams.next() {
      var window = NameWindow()
      while !mayRotate || !mayShowText, let seen = window.next({ buffer, count, _ in stream.read(buffer, count) }) {
        room -= seen.count
        mayRotate = mayRotate || Self.namesTurn(seen, isLast: window.isAtEnd) || room < 0
        mayShowText = mayShowText || Self.namesShownText(seen) || room < 0
      }
      mayRotate = mayRotate || stream.isDoubtful
      mayShowText = mayShowText || stream.isDoubtful
    }
  }

  /// The subtypes of annotations whose appearance contains text. Other annotations have no text of their own.
  private static func namesShownText(_ bytes: UnsafeRawBufferPointer) -> Bool {
    position(of: "/Widget", in: bytes) != nil || position(of: "/FreeText", in: bytes) != nil
      || position(of: "/Stamp", in: bytes) != nil
  }

  /// Whether it contains `/Rotate`, but not `/Rotate 0`, which many programs write at every page.
  private static func namesTurn(_ bytes: UnsafeRawBufferPointer, isLast: Bool) -> Bool {
    let name: StaticString = "/Rotate"
    var rest = bytes
    while let found = position(of: name, in: rest) {
      rest = UnsafeRawBufferPointer(rebasing: rest[(found + name.utf8CodeUnitCount)...])
      // The next window begins before this name.
      if !isLast, rest.count < NameWindow.overlap - name.utf8CodeUnitCount { return false }
      let number = rest.drop { isBlank($0) }
      let ends = number.dropFirst().first.map { isBlank($0) || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ">") }
      guard number.first == UInt8(ascii: "0"), ends == true else { return true }
    }
    return false
  }

  /// Whether it contains `/Encrypt`, but not `/EncryptMetadata`.
  private static func namesEncryption(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes
    while let found = position(of: "/Encrypt", in: rest) {
      let after = found + 8
      guard after < rest.count else { return false }
      if !(97...122).contains(rest[after] | 0x20) { return true }
      rest = UnsafeRawBufferPointer(rebasing: rest[after...])
    }
    return false
  }
}

/// Scans bytes piece by piece; each piece begins with the end of the previous one.
private struct NameWindow: ~Copyable {
  static let overlap = 16
  private static let block = 1 << 18
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: block + overlap, alignment: 16)
  private var filled = 0
  private var offset: off_t = 0
  private(set) var isAtEnd = false

  deinit {
    buffer.deallocate()
  }

  /// - Parameter read: stores at most `count` bytes from `offset` on, and returns their number; 0 at the end.
  mutating func next(
    _ read: (UnsafeMutableRawPointer, _ count: Int, _ offset: off_t) -> Int
  ) -> UnsafeRawBufferPointer? {
    guard !isAtEnd, let start = buffer.baseAddress else { return nil }
    let overlap = min(Self.overlap, filled)
    memmove(start, start + filled - overlap, overlap)
    let count = max(0, read(start + overlap, Self.block, offset))
    offset += off_t(count)
    filled = overlap + count
    isAtEnd = count == 0
    return UnsafeRawBufferPointer(rebasing: buffer[..<filled])
  }
}

/// Whether it is white space in PDF syntax, as far as people and programs use it.
func isBlank(_ byte: UInt8) -> Bool {
  byte == 0x20 || 0x09...0x0d ~= byte
}

/// The first position of `name`, by the C library's fast search for its first byte.
func position(of name: StaticString, in bytes: UnsafeRawBufferPointer) -> Int? {
  guard let start = bytes.baseAddress else { return nil }
  let length = name.utf8CodeUnitCount
  var offset = 0
  while offset + length <= bytes.count,
    let found = memchr(start + offset, Int32(name.utf8Start.pointee), bytes.count - offset - length + 1)
  {
    if memcmp(found, name.utf8Start, length) == 0 { return UnsafeRawPointer(found) - start }
    offset = UnsafeRawPointer(found) - start + 1
  }
  return nil
}
