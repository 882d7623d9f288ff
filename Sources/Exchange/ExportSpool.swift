import Glibc
import Kit
import Store
import Wire

/// The exported items of one snapshot, in an unnamed file beside the library. The file is deleted when it is closed,
/// also if the daemon is killed.
///
/// So the snapshot is open only as long as the local disk needs, however slow the destination is, and only a few items
/// are in memory.
package final class ExportSpool: Sendable {
  package struct Part: Sendable {
    /// Its name at the destination.
    var name: String
    /// In bytes.
    var size: Int
  }

  package let parts: [Part]
  private let file: GivenFile

  /// Adds one item to the spool.
  package typealias Adding = (_ name: String, _ bytes: [UInt8]) throws -> Void

  /// - Throws: `FileFailure`, or the error of `fill`.
  package convenience init(services: Services, _ fill: (_ add: Adding) throws -> Void) throws {
    try self.init(at: services.folder.parts + "/" + services.newID() + ".tmp", fill)
  }

  /// The file has this path only while it is filled.
  init(at path: String, _ fill: (_ add: Adding) throws -> Void) throws {
    let written = try NewFile(at: path)
    defer { unlink(path) }
    file = try GivenFile(opening: path, limit: .max)
    var parts: [Part] = []
    var waiting: [UInt8] = []
    try fill { name, bytes in
      parts.append(Part(name: name, size: bytes.count))
      waiting += bytes
      guard waiting.count >= Self.bufferSize else { return }
      try written.write(waiting)
      waiting.removeAll(keepingCapacity: true)
    }
    try written.write(waiting)
    self.parts = parts
  }

  private static let bufferSize = 256 << 10

  /// The same, with progress reports.
  ///
  /// - Throws: `FileFailure` with EIO if the file is incomplete; whatever `checkCancelled` and `body` throw.
  package func each(
    _ progress: Progress, checkCancelled: () throws -> Void, _ body: (_ name: String, _ bytes: [UInt8]) throws -> Void
  ) throws {
    var reported = -1
    try each { index, name, bytes in
      try checkCancelled()
      let percentage = index * 100 / parts.count
      if percentage > reported { progress.report(percentage: percentage) }
      reported = percentage
      try body(name, bytes)
    }
  }

  /// Passes all items to `body` in order, once.
  ///
  /// - Throws: `FileFailure` with EIO if the file is incomplete, or the error of `body`.
  func each(_ body: (_ index: Int, _ name: String, _ bytes: [UInt8]) throws -> Void) throws {
    var rest: [UInt8] = []
    var index = 0
    try file.forEachPart { bytes in
      rest += bytes
      var start = 0
      while index < parts.count, rest.count - start >= parts[index].size {
        let end = start + parts[index].size
        try body(index, parts[index].name, Array(rest[start..<end]))
        start = end
        index += 1
      }
      rest.removeFirst(start)
    }
    guard index == parts.count, rest.isEmpty else { throw FileFailure(path: file.path, EIO) }
  }
}
