import CArchive

/// Writes a zip, one file after the other, to wherever `write` writes. Beyond 4 GiB, or 65,535 files, it is a Zip64.
///
///     zip.begin("Journal.json", write)            compressed while its parts come
///     zip.append(bytes, write)
///     zip.end(write)
///     zip.add("photos/0f.jpeg", sum, write)       as it is: its bytes, of this size and checksum, are written next
///     zip.finish(write)
package struct ZipWriter {
  package typealias Writing = (UnsafeRawBufferPointer) throws -> Void

  /// What the directory states about a file beside its name.
  package struct Sum {
    /// In bytes.
    package private(set) var size = 0
    private(set) var checksum: UInt32 = 0

    package init() { Deflate.load() }

    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
      size += bytes.count
      checksum = carchive_crc32(checksum, bytes.baseAddress, bytes.count)
    }
  }

  private struct OpenFile {
    var name: [UInt8]
    var start: Int
    var sum = Sum()
    var packedSize = 0
    /// The bytes that are not compressed yet.
    var waiting: [UInt8] = []
  }

  private static let partSize = 256 << 10
  private static let largest = 0xFFFF_FFFF
  private static let mostFiles = 0xFFFF
  /// The version that a reader needs: of folders and deflate, and of Zip64.
  private static let (version, version64) = (20, 45)
  private static let (stored, deflated) = (0, 8)
  /// The names are UTF-8, and the sizes of a compressed file are after it.
  private static let (isUTF8, hasSizesAfter) = (0x800, 0x8)
  /// The first day of the calendar of zips, so that the same files are the same zip.
  private static let date = 0x21

  private var open: OpenFile?
  private var offset = 0
  private var directory: [UInt8] = []
  private var count = 0

  package init() {}

  /// Begins a file that is compressed.
  ///
  /// - Throws: what `write` throws; so do the others.
  package mutating func begin(_ name: String, _ write: Writing) throws {
    let file = OpenFile(name: Array(name.utf8), start: offset)
    open = file
    try put(
      Self.long(0x0403_4B50)
        + Self.description(
          flags: Self.isUTF8 | Self.hasSizesAfter, method: Self.deflated, checksum: 0, packed: 0, size: 0,
          name: file.name, extra: 0) + file.name, write)
  }

  package mutating func append(_ bytes: [UInt8], _ write: Writing) throws {
    open?.waiting += bytes
    guard let waiting = open?.waiting, waiting.count >= Self.partSize else { return }
    open?.waiting = []
    try put(waiting, asPart: true, write)
  }

  package mutating func end(_ write: Writing) throws {
    guard let last = open?.waiting else { return }
    try put(last, asPart: false, write)
    guard let file = open else { return }
    open = nil
    // A text of 4 GiB is no file that anybody reads.
    guard max(file.sum.size, file.packedSize) < Self.largest else {
      throw ZipFailure.tooManyBytes(limit: Self.largest)
    }
    try put(
      Self.long(0x0807_4B50) + Self.long(Int(file.sum.checksum)) + Self.long(file.packedSize)
        + Self.long(file.sum.size), write)
    list(
      file.name, flags: Self.isUTF8 | Self.hasSizesAfter, method: Self.deflated, file.sum, packed: file.packedSize,
      start: file.start)
  }

  /// Begins a file that is stored as it is. The caller writes its bytes next, exactly those of the sum.
  ///
  /// - Parameter sum: of fewer than 4 GiB.
  package mutating func add(_ name: String, _ sum: Sum, _ write: Writing) throws {
    let (start, name) = (offset, Array(name.utf8))
    try put(
      Self.long(0x0403_4B50)
        + Self.description(
          flags: Self.isUTF8, method: Self.stored, checksum: sum.checksum, packed: sum.size, size: sum.size,
          name: name, extra: 0) + name, write)
    offset += sum.size
    list(name, flags: Self.isUTF8, method: Self.stored, sum, packed: sum.size, start: start)
  }

  /// Ends the zip.
  package mutating func finish(_ write: Writing) throws {
    let (start, size) = (offset, directory.count)
    try put(directory, write)
    if count >= Self.mostFiles || start + size >= Self.largest {
      let end = offset
      try put(
        Self.long(0x0606_4B50) + Self.bytes(44, 8) + Self.word(Self.version64) + Self.word(Self.version64)
          + Self.long(0) + Self.long(0) + Self.bytes(count, 8) + Self.bytes(count, 8) + Self.bytes(size, 8)
          + Self.bytes(start, 8), write)
      try put(Self.long(0x0706_4B50) + Self.long(0) + Self.bytes(end, 8) + Self.long(1), write)
    }
    let files = Self.word(min(count, Self.mostFiles))
    try put(
      Self.long(0x0605_4B50) + Self.word(0) + Self.word(0) + files + files + Self.long(min(size, Self.largest))
        + Self.long(min(start, Self.largest)) + Self.word(0), write)
  }

  // MARK: - Bytes

  private mutating func put(_ bytes: [UInt8], asPart isPart: Bool, _ write: Writing) throws {
    let packed = isPart ? Deflate.part(bytes) : Deflate.compressed(bytes)
    bytes.withUnsafeBytes { open?.sum.add($0) }
    open?.packedSize += packed.count
    try put(packed, write)
  }

  private mutating func put(_ bytes: [UInt8], _ write: Writing) throws {
    try bytes.withUnsafeBytes { try write($0) }
    offset += bytes.count
  }

  private mutating func list(_ name: [UInt8], flags: Int, method: Int, _ sum: Sum, packed: Int, start: Int) {
    // A place beyond 4 GiB is in the extra field of Zip64.
    let extra = start < Self.largest ? [] : Self.word(1) + Self.word(8) + Self.bytes(start, 8)
    directory +=
      Self.long(0x0201_4B50) + Self.word(0x300 | (extra.isEmpty ? Self.version : Self.version64))
      + Self.description(
        flags: flags, method: method, checksum: sum.checksum, packed: packed, size: sum.size, name: name,
        extra: extra.count, isLarge: !extra.isEmpty)
      + Self.word(0) + Self.word(0) + Self.word(0) + Self.long(0o100644 << 16)
      + Self.long(min(start, Self.largest)) + name + extra
    count += 1
  }

  /// The common part of a file's header and of its row in the directory.
  private static func description(
    flags: Int, method: Int, checksum: UInt32, packed: Int, size: Int, name: [UInt8], extra: Int,
    isLarge: Bool = false
  ) -> [UInt8] {
    word(isLarge ? version64 : version) + word(flags) + word(method) + word(0) + word(date) + long(Int(checksum))
      + long(packed) + long(size) + word(name.count) + word(extra)
  }

  private static func word(_ number: Int) -> [UInt8] { bytes(number, 2) }
  private static func long(_ number: Int) -> [UInt8] { bytes(number, 4) }

  /// The lowest byte first.
  private static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}
