import Foundation
import TestSupport
import Testing

@testable import Store

/// The folders of a library and of what is remembered of it.
@Suite struct FolderTests {
  @Test("a library whose lock cannot be opened is named by its own folder, and by what is wrong with it")
  func lock() throws {
    let library = LibraryFolder(TemporaryFolder().file("library"))
    for code in [EROFS, EACCES, EPERM] {
      #expect(Ownership.refusal(of: library, code) == .readOnly(path: library.path))
    }
    #expect(Ownership.refusal(of: library, ENOSPC) == .diskFull(path: library.path))
    let folder = TemporaryFolder()
    let odd = LibraryFolder(folder.file("odd"))
    try odd.prepare()
    try FileManager.default.createDirectory(atPath: odd.lock, withIntermediateDirectories: false)
    #expect(throws: StoreError.cannotUseFolder(path: odd.path, reason: "lock: Is a directory")) {
      _ = try Ownership.take(odd)
    }
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
