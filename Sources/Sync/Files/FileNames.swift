import Crypto

/// A log file's writer and number, which name its content for good.
package struct FileID: Hashable, Comparable, Sendable {
  package var writer: WriterID
  /// From 1, without gaps.
  package var number: Int64

  package init(_ writer: WriterID, _ number: Int64) { (self.writer, self.number) = (writer, number) }

  package static func < (one: Self, other: Self) -> Bool {
    (one.writer, one.number) < (other.writer, other.number)
  }
}

/// The name of a log file: writer, number, and the first 8 bytes of the SHA-256 of all its bytes.
///
///     00000000000a41ff-00000029-5f2c1a7d90b3e846
///
/// The name alone shows conflict copies, partial uploads and temporary files of other programs: they match no name, or
/// their bytes do not match theirs.
package struct FileName: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let file: FileID
  package let checksum: UInt64

  package static let maximumNumber: Int64 = 0xFFFF_FFFF

  package init(_ file: FileID, of bytes: [UInt8]) {
    (self.file, checksum) = (file, Self.checksum(of: bytes))
  }

  /// - Returns: nil for the name of any other file.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let writer = WriterID(parts[0]), let number = UInt64(digits: parts[1], count: 8),
      number > 0, let checksum = UInt64(digits: parts[2], count: 16)
    else { return nil }
    (file, self.checksum) = (FileID(writer, Int64(number)), checksum)
  }

  package func matches(_ bytes: [UInt8]) -> Bool { Self.checksum(of: bytes) == checksum }

  package var description: String {
    "\(file.writer)-\(UInt64(file.number).digits(8))-\(checksum.digits(16))"
  }

  package static func < (one: Self, other: Self) -> Bool {
    (one.file, one.checksum) < (other.file, other.checksum)
  }

  private static func checksum(of bytes: [UInt8]) -> UInt64 {
    UInt64(digits: SHA256.hexadecimal(of: bytes).prefix(16), count: 16) ?? 0
  }
}

/// A set of log files that grows by runs of numbers: all up to a number of each writer, and single ones beyond a gap.
///
/// It covers files that were removed long ago without naming them.
package struct FileSet: Hashable, Sendable {
  package private(set) var upTo: [WriterID: Int64] = [:]
  package private(set) var also: Set<FileID> = []

  package init() {}

  /// - Parameter files: of a format whose numbers are positive.
  package init(upTo: [WriterID: Int64], also: some Sequence<FileID>) {
    self.upTo = upTo.filter { $0.value > 0 }
    for file in also { insert(file) }
  }

  package var isEmpty: Bool { upTo.isEmpty && also.isEmpty }

  package func contains(_ file: FileID) -> Bool { file.number <= upTo[file.writer] ?? 0 || also.contains(file) }

  package mutating func insert(_ file: FileID) {
    if contains(file) { return }
    also.insert(file)
    close(file.writer)
  }

  package mutating func formUnion(_ other: FileSet) {
    for (writer, number) in other.upTo where number > upTo[writer] ?? 0 {
      upTo[writer] = number
      also = also.filter { $0.writer != writer || $0.number > number }
      close(writer)
    }
    for file in other.also { insert(file) }
  }

  /// How many of its files the other set does not contain.
  func count(beyond other: FileSet) -> Int {
    let single = also.count { !other.contains($0) }
    return upTo.reduce(single) { count, run in
      let start = other.upTo[run.key] ?? 0
      let known = other.also.count { $0.writer == run.key && $0.number > start && $0.number <= run.value }
      return count + max(0, Int(run.value - start) - known)
    }
  }

  /// Those of its files that these writers wrote.
  func filtered(_ isIncluded: (WriterID) -> Bool) -> FileSet {
    FileSet(upTo: upTo.filter { isIncluded($0.key) }, also: also.filter { isIncluded($0.writer) })
  }

  /// Equal for equal sets, as far as nobody looks for two that have the same.
  var digest: String {
    let files = upTo.map { FileID($0.key, $0.value) }.sorted().map { "\($0.writer)-\($0.number)" }
    let single = also.sorted().map { "\($0.writer)+\($0.number)" }
    return String(SHA256.hexadecimal(of: Array((files + single).joined(separator: " ").utf8)).prefix(16))
  }

  /// Moves numbers without a gap from `also` to `upTo`.
  private mutating func close(_ writer: WriterID) {
    while also.remove(FileID(writer, (upTo[writer] ?? 0) + 1)) != nil { upTo[writer, default: 0] += 1 }
  }
}
