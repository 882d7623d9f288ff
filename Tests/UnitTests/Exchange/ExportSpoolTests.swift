import Foundation
import Store
import TestSupport
import Testing

@testable import Exchange
@testable import Kit

@Suite("What an export has from the library") struct ExportSpoolTests {
  private func spool(in folder: TemporaryFolder, _ items: [[UInt8]]) throws -> ExportSpool {
    try ExportSpool(at: folder.file("spool.tmp")) { add in
      for (index, item) in items.enumerated() { try add("\(index)", item) }
    }
  }

  @Test("items of any size are given out as they were taken in, in their order, and the file has no name by then")
  func order() throws {
    let folder = TemporaryFolder()
    let sizes = [0, 1, 300_000, 262_144, 0, 1_000_000, 7]
    let items = sizes.enumerated().map { [UInt8](repeating: UInt8($0.offset), count: $0.element) }
    let spool = try spool(in: folder, items)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    var found: [[UInt8]] = []
    try spool.each { index, name, bytes in
      #expect(index == found.count && name == "\(index)")
      found.append(bytes)
    }
    #expect(found == items)
  }

  @Test("a file that lost its end is an error, and no shorter export")
  func cutOff() throws {
    let folder = TemporaryFolder()
    let spool = try spool(in: folder, [[1], [2, 3]])
    for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
      let descriptor = "/proc/self/fd/" + name
      let target = (try? FileManager.default.destinationOfSymbolicLink(atPath: descriptor)) ?? ""
      if target.hasPrefix(folder.file("spool.tmp")) { #expect(truncate(descriptor, 2) == 0) }
    }
    var count = 0
    #expect(throws: FileFailure.self) { try spool.each { _, _, _ in count += 1 } }
    #expect(count == 1)
  }

  @Test("what fails while it is filled leaves no file")
  func failed() throws {
    let folder = TemporaryFolder()
    #expect(throws: CancellationError.self) {
      _ = try ExportSpool(at: folder.file("spool.tmp")) { add in
        try add("", [UInt8](repeating: 0, count: 300_000))
        throw CancellationError()
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }
}
