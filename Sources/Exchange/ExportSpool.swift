import Glibc
import Kit
import Store
import Wire

/// What one state of the library has for an export, in a file beside the library that has no name: it is gone with
/// whoever holds it, also when the daemon is killed.
///
/// So a state is held only for as long as our own disk needs, however slow the place is that the export goes to, and of
/// its items no more than a few are in memory.
package final class ExportSpool: Sendable {
  package struct Part: Sendable {
    /// What it is called where it goes to.
    var name: String
    /// In bytes.
    var size: Int
  }

  package let parts: [Part]
  private let file: GivenFile

  /// What takes in one item after the other.
  package typealias Adding = (_ name: String, _ bytes: [UInt8]) throws -> Void

  package convenience init(services: Services, _ fill: (_ add: Adding) throws -> Void) throws {
    try self.init(at: services.folder.parts + "/" + services.newID() + ".tmp", fill)
  }

  /// The file has this path for as long as it is filled.
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

  /// The same, telling how far it is.
  package func each(
    _ progress: Progress, checkCancelled: () throws -> Void, _ body: (_ name: String, _ bytes: [UInt8]) throws -> Void
  ) throws {
    var told = -1
    try each { index, name, bytes in
      try checkCancelled()
      let percentage = index * 100 / parts.count
      if percentage > told { progress.report(percentage: percentage) }
      told = percentage
      try body(name, bytes)
    }
  }

  /// Gives out what was taken in, in its order, once. Less than that is never given out for all of it.
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
