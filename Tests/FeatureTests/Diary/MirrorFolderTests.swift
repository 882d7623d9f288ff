import Foundation
import TestSupport
import Testing

@testable import Exchange

@Suite("Diary: files of the mirror folder") struct MirrorFolderTests {
  @Test("what somebody saves in the moment in which a file is written comes out beside it, and is not lost")
  func exchanged() throws {
    let folder = TemporaryFolder()
    let path = folder.file("mirror")
    try MirrorFolder.create(path, marker: "mine")
    let mirror = try MirrorFolder(opening: path, marker: "mine")
    #expect(try mirror.write(Array("one".utf8), as: "a.md") == nil)
    try Data("saved".utf8).write(to: URL(filePath: path + "/a.md"))
    let old = try #require(try mirror.write(Array("two".utf8), as: "a.md"))
    #expect(try mirror.read(old) == Array("saved".utf8))
    #expect(try mirror.read("a.md") == Array("two".utf8))
    try mirror.remove(old)
    #expect(try FileManager.default.contentsOfDirectory(atPath: path).sorted() == [".commonplace-mirror", "a.md"])
  }
}
