import Foundation
import Store
import TestSupport
import Testing

@testable import Exchange
@testable import Kit

@Suite("Exports: a file gets its name") struct FileExportTests {
  /// What a file system without links answers.
  private static func refuses(_: String, _: String) -> Int32 {
    errno = EPERM
    return -1
  }

  @Test("where the file system has no links a file gets its name all the same, and takes the place of nothing")
  func withoutLinks() throws {
    let folder = TemporaryFolder()
    let (part, path) = (folder.file("a.part"), folder.file("a"))
    for link in [Self.refuses, { Glibc.link($0, $1) }] as [(String, String) -> Int32] {
      try Data("new".utf8).write(to: URL(filePath: part))
      try FileExport.place(part, at: path, link: link)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
      #expect(!FileManager.default.fileExists(atPath: part))
      try Data("newer".utf8).write(to: URL(filePath: part))
      let failure = #expect(throws: FileFailure.self) { try FileExport.place(part, at: path, link: link) }
      #expect(failure?.errno == EEXIST)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
      try FileManager.default.removeItem(atPath: path)
      // What cannot be moved leaves no empty file in the place.
      try FileManager.default.removeItem(atPath: part)
      #expect(throws: FileFailure.self) { try FileExport.place(part, at: path, link: link) }
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test(
    "a folder or a file that is given up leaves nothing, also in the last moment before it gets its name, and what was there stays",
    arguments: [1, 2, 3])
  func givenUp(at last: Int) throws {
    let folder = TemporaryFolder()
    let parts = folder.file("parts")
    try FileManager.default.createDirectory(atPath: parts, withIntermediateDirectories: false)
    try Data("old".utf8).write(to: URL(filePath: folder.file("old")))
    var step = 0
    func check() throws {
      step += 1
      if step == last { throw CancellationError() }
    }
    let export = FileExport(to: folder.file("new"), id: "one", parts: parts)
    #expect(throws: CancellationError.self) {
      try export.writeFolder(checkCancelled: check) { path in
        try NewFile(at: path + "/a.md").write([0x61])
        try check()
      }
    }
    step = 0
    let over = FileExport(to: folder.file("old"), overwrite: true, id: "two", parts: parts)
    #expect(throws: CancellationError.self) {
      try over.writeFile(checkCancelled: check) { file in
        try file.write([0x61])
        try check()
      }
    }
    #expect(step == last)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["old", "parts"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: parts).isEmpty)
    #expect(try String(contentsOfFile: folder.file("old"), encoding: .utf8) == "old")
  }

  @Test("a folder gets its name with all that was written into it, and takes the place of nothing")
  func folder() throws {
    let folder = TemporaryFolder()
    let parts = folder.file("parts")
    try FileManager.default.createDirectory(atPath: parts, withIntermediateDirectories: false)
    let export = FileExport(to: folder.file("new"), id: "one", parts: parts)
    try export.writeFolder { try NewFile(at: $0 + "/a.md").write([0x61]) }
    #expect(try String(contentsOfFile: folder.file("new/a.md"), encoding: .utf8) == "a")
    let again = FileExport(to: folder.file("new"), id: "two", parts: parts)
    let failure = #expect(throws: FileFailure.self) { try again.writeFolder { _ in } }
    #expect(failure?.errno == EEXIST)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["new", "parts"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: parts).isEmpty)
  }
}
