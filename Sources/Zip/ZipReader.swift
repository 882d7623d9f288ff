import CArchive

/// Reads the entries of a zip one after the other, as bytes: nothing is ever unpacked onto the disk.
package struct ZipReader {
  package struct Limits: Sendable {
    /// Entries, folders included.
    package var entries: Int
    /// Bytes that come out of all entries that are read.
    package var bytes: Int
    /// How many times the zip's size may come out of it; the first megabyte is free, since little files pack well.
    package var ratio: Int

    package init(entries: Int = 200_000, bytes: Int = 512 << 20, ratio: Int = 200) {
      self.entries = entries
      self.bytes = bytes
      self.ratio = ratio
    }
  }

  private let limits: Limits
  private let checkCancelled: () throws -> Void

  /// `checkCancelled` is called now and then, and throws when nobody wants the rest.
  package init(limits: Limits = Limits(), checkCancelled: @escaping () throws -> Void = {}) {
    self.limits = limits
    self.checkCancelled = checkCancelled
  }

  /// Goes through an open file of so many bytes; an entry is of use only while its turn lasts.
  ///
  /// - Throws: `ZipFailure` for an archive that is damaged, encrypted or beyond the limits; whatever `checkCancelled`
  ///   and `body` throw.
  package func forEachEntry(ofDescriptor descriptor: Int32, size: Int, _ body: (ZipEntry) throws -> Void) throws {
    try read(size: size, open: { carchive_open_descriptor($0, descriptor) }, body)
  }

  /// - Throws: as for an open file.
  package func forEachEntry(of bytes: [UInt8], _ body: (ZipEntry) throws -> Void) throws {
    try bytes.withUnsafeBytes { buffer in
      try read(size: buffer.count, open: { carchive_open_memory($0, buffer.baseAddress, buffer.count) }, body)
    }
  }

  private func read(size: Int, open: (OpaquePointer) -> Int32, _ body: (ZipEntry) throws -> Void) throws {
    if let failure = carchive_load() { throw ZipFailure.unavailable(String(cString: failure)) }
    guard let archive = carchive_new() else { throw ZipFailure.unavailable("noMemory") }
    defer { carchive_free(archive) }
    guard open(archive) >= 0 else { throw ZipFailure.damaged(String(cString: carchive_failure(archive))) }
    let budget = ZipBudget(limits: limits, size: size, checkCancelled: checkCancelled)
    var count = 0
    while true {
      try checkCancelled()
      var entry: OpaquePointer?
      let step = carchive_next(archive, &entry)
      if step == 0 { return }
      guard step > 0, let entry else { throw ZipFailure.damaged(String(cString: carchive_failure(archive))) }
      count += 1
      guard count <= limits.entries else { throw ZipFailure.tooManyEntries(limit: limits.entries) }
      let name = carchive_name(entry).map { String(cString: $0) } ?? "#\(count)"
      guard Self.isSafe(name) else { throw ZipFailure.unsafeName(entry: name) }
      if carchive_is_folder(entry) { continue }
      guard carchive_is_file(entry) else { throw ZipFailure.noFile(entry: name) }
      guard !carchive_is_encrypted(entry) else { throw ZipFailure.encrypted(entry: name) }
      try body(ZipEntry(name: name, archive: archive, budget: budget))
    }
  }

  /// Relative, and without a way up: also as Windows writes paths.
  private static func isSafe(_ name: String) -> Bool {
    let parts = name.utf8.split(omittingEmptySubsequences: false) {
      $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\")
    }
    guard let first = parts.first, !first.isEmpty, first.last != UInt8(ascii: ":") else { return false }
    return parts.allSatisfy { !$0.elementsEqual("..".utf8) }
  }
}

/// A file in a zip, while its turn lasts.
package struct ZipEntry {
  /// With `/` between the folders.
  package let name: String
  private let archive: OpaquePointer
  private let budget: ZipBudget

  fileprivate init(name: String, archive: OpaquePointer, budget: ZipBudget) {
    self.name = name
    self.archive = archive
    self.budget = budget
  }

  /// Its content; can be read once.
  ///
  /// - Throws: `ZipFailure` for a damaged entry or one beyond the limits; whatever `checkCancelled` throws.
  package func bytes() throws -> [UInt8] {
    var bytes: [UInt8] = []
    try forEachPart { bytes += $0 }
    return bytes
  }

  /// Its content part by part; can be read once.
  ///
  /// - Throws: `ZipFailure` for a damaged entry or one beyond the limits; whatever `checkCancelled` and `body` throw.
  package func forEachPart(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = buffer.withUnsafeMutableBytes { carchive_read(archive, $0.baseAddress, $0.count) }
      guard count >= 0 else { throw ZipFailure.damaged("\(name): \(String(cString: carchive_failure(archive)))") }
      if count == 0 { return }
      try budget.spend(count)
      try buffer.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
  }
}

/// The bytes that a zip may still expand to.
private final class ZipBudget {
  private let limits: ZipReader.Limits
  private let size: Int
  private let checkCancelled: () throws -> Void
  private var spent = 0

  private static let free = 1 << 20

  init(limits: ZipReader.Limits, size: Int, checkCancelled: @escaping () throws -> Void) {
    self.limits = limits
    self.size = size
    self.checkCancelled = checkCancelled
  }

  func spend(_ count: Int) throws {
    spent += count
    guard spent <= limits.bytes else { throw ZipFailure.tooManyBytes(limit: limits.bytes) }
    guard spent <= Self.free || spent / max(size, 1) < limits.ratio else {
      throw ZipFailure.tooDense(limit: limits.ratio)
    }
    try checkCancelled()
  }
}
