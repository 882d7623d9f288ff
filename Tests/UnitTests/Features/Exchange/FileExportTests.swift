import Foundation
import Store
import TestSupport
import Testing

@testable import Features

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
}
