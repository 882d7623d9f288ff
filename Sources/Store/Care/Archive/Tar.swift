import Crypto
import Glibc
import Wire

/// Writes the members of a POSIX ustar archive sequentially.
struct TarWriter: ~Copyable {
  private let descriptor: Int32
  private let path: String
  private(set) var size: Int64 = 0
  /// The member that is being streamed. Its header is written when its length is known.
  private var member: (name: String, header: Int64)?
  private var buffer: [UInt8] = []

  init(path: String) throws {
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    self.path = path
    guard descriptor >= 0 else { throw FileFailure(path: path, errno) }
  }

  deinit { close(descriptor) }

  mutating func add(_ name: String, _ bytes: [UInt8]) throws {
    try write(TarHeader(name: name, size: Int64(bytes.count)).bytes)
    try write(bytes)
    try pad(Int64(bytes.count))
  }

  /// Begins a member whose length is not known yet; `append` adds its bytes.
  mutating func begin(_ name: String) throws {
    member = (name, size)
    try write([UInt8](repeating: 0, count: 512))
  }

  mutating func append(_ bytes: [UInt8]) throws {
    buffer += bytes
    if buffer.count >= Lines.partSize { try writeBuffer() }
  }

  mutating func end() throws {
    try writeBuffer()
    guard let (name, header) = member.take() else { preconditionFailure("no member was begun") }
    let length = size - header - 512
    let bytes = TarHeader(name: name, size: length).bytes
    let count = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(header)) }
    guard count == bytes.count else { throw FileFailure(path: path, count < 0 ? errno : EIO) }
    try pad(length)
  }

  private mutating func writeBuffer() throws {
    try write(buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  /// Adds a blob under its hash.
  ///
  /// - Throws: `ArchiveError.damagedBlob` if the bytes do not have the hash, or if the file is a link: somebody else
  ///   may have made the library, and an archive must contain only files of the library; `FileFailure`.
  mutating func add(blob hash: String, fileAt source: String) throws {
    let input = open(source, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard input >= 0 else {
      throw errno == ELOOP ? ArchiveError.damagedBlob(hash: hash) : FileFailure(path: source, errno)
    }
    defer { close(input) }
    var information = stat()
    guard fstat(input, &information) == 0 else { throw FileFailure(path: source, errno) }
    guard information.st_mode & S_IFMT == S_IFREG else { throw ArchiveError.damagedBlob(hash: hash) }
    let length = Int64(information.st_size)
    try write(TarHeader(name: "blobs/" + hash, size: length).bytes)
    var hasher = SHA256()
    var written: Int64 = 0
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while written < length {
      let count = buffer.withUnsafeMutableBytes { read(input, $0.baseAddress, min($0.count, Int(length - written))) }
      guard count > 0 else { throw FileFailure(path: source, count < 0 ? errno : EIO) }
      buffer.withUnsafeBytes { hasher.add(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      try write(Array(buffer[..<count]))
      written += Int64(count)
    }
    guard sameBytes(hasher.hexadecimal(), hash) else { throw ArchiveError.damagedBlob(hash: hash) }
    try pad(length)
  }

  /// Ends the archive with two empty blocks and syncs it to disk.
  mutating func finish() throws {
    try write([UInt8](repeating: 0, count: 1_024))
    guard fsync(descriptor) == 0 else { throw FileFailure(path: path, errno) }
  }

  private mutating func pad(_ length: Int64) throws {
    let rest = Int(length % 512)
    if rest > 0 { try write([UInt8](repeating: 0, count: 512 - rest)) }
  }

  private mutating func write(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try DescriptorWrite.all($0, to: descriptor, path: path) }
    size += Int64(bytes.count)
  }
}

/// Reads the members of an archive sequentially. Its contents are untrusted: names, sizes and checksums are checked,
/// and names are only compared, never used as paths.
struct TarReader: ~Copyable {
  private let descriptor: Int32
  private let path: String
  let size: Int64
  private var offset: Int64 = 0

  init(path: String) throws {
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    self.path = path
    var information = stat()
    guard descriptor >= 0 else {
      size = 0
      throw FileFailure(path: path, errno)
    }
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
      size = 0
      throw ArchiveError.damaged(path: path, reason: "notRegular")
    }
    size = Int64(information.st_size)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The next member's name and size; nil at the end.
  ///
  /// - Throws: `ArchiveError.damaged` with the header's offset, or `FileFailure`.
  mutating func next() throws -> (name: String, size: Int64)? {
    let block = try bytes(count: 512)
    if block.allSatisfy({ $0 == 0 }) { return nil }
    guard let header = TarHeader(block), header.size <= size - offset else {
      throw ArchiveError.damaged(path: path, reason: "tar@\(offset - 512)")
    }
    return (header.name, header.size)
  }

  mutating func contents(_ length: Int64) throws -> [UInt8] {
    let contents = try bytes(count: Int(length))
    offset += (512 - length % 512) % 512
    return contents
  }

  /// Calls `body` with each line of a member.
  mutating func forEachLine(_ length: Int64, _ body: ([UInt8]) throws -> Void) throws {
    var lines = Lines(0..<length)
    while let line = try lines.next({ try bytes(count: $0) }) { try body(line) }
    offset += (512 - length % 512) % 512
  }

  mutating func copy(_ length: Int64, to target: String) throws {
    let output = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard output >= 0 else { throw FileFailure(path: target, errno) }
    defer { close(output) }
    var left = length
    while left > 0 {
      let part = try bytes(count: Int(min(left, 1 << 18)))
      try part.withUnsafeBytes { try DescriptorWrite.all($0, to: output, path: target) }
      left -= Int64(part.count)
    }
    offset += (512 - length % 512) % 512
  }

  private mutating func bytes(count: Int) throws -> [UInt8] {
    guard offset + Int64(count) <= size else { throw ArchiveError.damaged(path: path, reason: "fileShort") }
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let got = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress! + done, count - done, off_t(offset)) }
      guard got > 0 else { throw FileFailure(path: path, got < 0 ? errno : EIO) }
      done += got
      offset += Int64(got)
    }
    return bytes
  }
}

/// One header block: IEEE 1003.1, "ustar Interchange Format".
struct TarHeader {
  var name: String
  var size: Int64

  init(name: String, size: Int64) {
    self.name = name
    self.size = size
  }

  /// The largest size that fits in eleven octal digits. Larger sizes are in base 256, as GNU tar and libarchive write
  /// and read them: the first bit is set, and the number fills the field.
  private static let mostOctal: Int64 = (1 << 33) - 1

  var bytes: [UInt8] {
    // Names are `library.json`, the name of a table, or a hash.
    var block = [UInt8](repeating: 0, count: 512)
    func put(_ text: String, at place: Int) {
      for (index, byte) in text.utf8.enumerated() { block[place + index] = byte }
    }
    put(String(decoding: name.utf8.prefix(99), as: UTF8.self), at: 0)
    put("0000600", at: 100)
    put("0000000", at: 108)
    put("0000000", at: 116)
    if size <= Self.mostOctal {
      put(Self.octal(size, digits: 11), at: 124)
    } else {
      block[124] = 0x80
      for index in 0..<8 { block[128 + index] = UInt8(truncatingIfNeeded: size >> Int64(8 * (7 - index))) }
    }
    put("00000000000", at: 136)
    put("        ", at: 148)
    put("0", at: 156)
    put("ustar", at: 257)
    put("00", at: 263)
    put(Self.octal(Int64(Self.sum(block)), digits: 6) + "\0 ", at: 148)
    return block
  }

  init?(_ block: [UInt8]) {
    func field(_ range: Range<Int>) -> String {
      String(decoding: block[range].prefix { $0 != 0 }, as: UTF8.self)
    }
    func number(_ range: Range<Int>) -> Int64? {
      Int64(field(range).trimmingWhitespace(), radix: 8)
    }
    var unsigned = block
    for index in 148..<156 { unsigned[index] = UInt8(ascii: " ") }
    guard block.count == 512, let sum = number(148..<156), sum == Self.sum(unsigned),
      let size = block[124] == 0x80 ? Self.base256(block[125..<136]) : number(124..<136), size >= 0,
      block[156] == UInt8(ascii: "0") || block[156] == 0
    else { return nil }
    self.size = size
    let prefix = field(345..<500)
    name = prefix.isEmpty ? field(0..<100) : prefix + "/" + field(0..<100)
  }

  private static func sum(_ block: [UInt8]) -> Int { block.reduce(0) { $0 + Int($1) } }

  /// Nil for a number that no file size can reach.
  private static func base256(_ digits: ArraySlice<UInt8>) -> Int64? {
    digits.reduce(0 as Int64?) { value, digit in
      guard let value, value < 1 << 54 else { return nil }
      return value << 8 | Int64(digit)
    }
  }

  private static func octal(_ value: Int64, digits: Int) -> String {
    let text = String(value, radix: 8)
    return String(repeating: "0", count: digits - text.utf8.count) + text
  }
}
