import Foundation
import TestSupport
import Testing

@testable import Store

/// The folders of a library and of what is remembered of it.
@Suite struct FolderTests {
  @Test("a library whose lock cannot be opened names the file that it is, and what is wrong with it")
  func lock() throws {
    let folder = TemporaryFolder()
    let library = LibraryFolder(folder.file("library"))
    try library.prepare()
    try FileManager.default.createDirectory(atPath: library.lock, withIntermediateDirectories: false)
    let refusal = StoreError.cannotUseFile(path: library.lock, reason: "Is a directory")
    #expect(throws: refusal) { _ = try Ownership.take(library) }
    #expect(refusal.rpcError.text.key == "error.cannotUseFile")
  }

  @Test("what is remembered of libraries is the user's alone, also where an earlier version let others read it")
  func remembered() throws {
    let folder = TemporaryFolder()
    let device = folder.file("state/device")
    func mode() throws -> Int? {
      (try FileManager.default.attributesOfItem(atPath: device)[.posixPermissions] as? NSNumber)?.intValue
    }
    let first = try Remembered(folder: folder.file("state")) { "one" }
    #expect(try mode() == 0o600)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: device)
    let second = try Remembered(folder: folder.file("state")) { "two" }
    #expect(first.device == "one" && second.device == "one")
    #expect(try mode() == 0o600)
  }
}
