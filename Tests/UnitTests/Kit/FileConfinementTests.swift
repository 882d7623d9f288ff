import Exchange
import Foundation
import Kit
import Store
import TestSupport
import Testing

@Suite("Files of a client that is confined") struct FileConfinementTests {
  private let root = TemporaryFolder()
  private let inside: String
  private let outside: String

  init() throws {
    let root = try #require(realpath(root.path, nil).map { String(cString: $0) })
    (inside, outside) = (root + "/inside", root + "/outside")
    for folder in [inside + "/sub", inside + "/closed", outside + "/sub"] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    for file in [inside + "/sub/a", inside + "/closed/a", outside + "/sub/a"] {
      try Data(file.utf8).write(to: URL(filePath: file))
    }
    try FileManager.default.createSymbolicLink(atPath: inside + "/folder", withDestinationPath: outside)
    try FileManager.default.createSymbolicLink(atPath: inside + "/file", withDestinationPath: outside + "/sub/a")
  }

  private func confined<Result>(_ body: () throws -> Result) rethrows -> Result {
    let confinement = FileConfinement(folders: [inside], closed: [inside + "/closed"])
    return try FileConfinement.$current.withValue(confinement) { try body() }
  }

  private func errno(_ path: String) -> Int32 {
    confined {
      let descriptor = FileConfinement.open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return Glibc.errno }
      close(descriptor)
      return 0
    }
  }

  @Test("a file in the folders is opened; none outside of them, behind a link, or in a closed folder")
  func open() {
    #expect(errno(inside + "/sub/a") == 0 && errno(inside + "/sub") == 0 && errno(inside + "/sub//a") == 0)
    // A folder that contains a closed one may be written into and listed.
    #expect(errno(inside) == EACCES)
    for flags in [FileConfinement.pathOnly, O_RDONLY | O_DIRECTORY] {
      let place = confined { FileConfinement.open(inside, flags | O_CLOEXEC) }
      #expect(place >= 0)
      close(place)
      #expect(confined { FileConfinement.open(inside + "//closed/", flags | O_CLOEXEC) } == -1)
    }
    #expect(errno(inside + "/none") == ENOENT)
    for path in [
      outside + "/sub/a", inside + "/../outside/sub/a", inside + "x", "/", "inside/sub/a", "", inside + "/closed/a",
      inside + "/closed", inside + "//closed//a", "/" + inside + "/closed/a",
      // A letter that joins the slash behind it to one character.
      inside + "/x\u{600}/../closed/a",
    ] { #expect(errno(path) == EACCES, "\(path)") }
    #expect([ELOOP, ENOTDIR].contains(errno(inside + "/folder/sub/a")))
    #expect(errno(inside + "/file") == ELOOP)
    #expect(FileConfinement.open(inside + "/none", O_RDONLY) == -1)
    let all = FileConfinement(folders: ["/"], closed: [])
    FileConfinement.$current.withValue(all) {
      let descriptor = FileConfinement.open(outside + "/sub/a", O_RDONLY)
      #expect(descriptor >= 0)
      close(descriptor)
    }
  }

  @Test("a file is written into the folder that was checked, also if a link has taken the folder's path since")
  func replacedFolder() throws {
    let path = inside + "/sub/new"
    let export = confined { FileExport(to: path, id: "0192", parts: outside) }
    rename(inside + "/sub", inside + "/moved")
    symlink(outside + "/sub", inside + "/sub")
    try export.writeFile { try $0.write(Array("new".utf8)) }
    #expect(FileManager.default.fileExists(atPath: inside + "/moved/new"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside + "/sub") == ["a"])
    let late = confined { FileExport(to: path, id: "0193", parts: outside) }
    #expect {
      try late.writeFile { try $0.write(Array("new".utf8)) }
    } throws: {
      ($0 as? FileFailure)?.path.hasPrefix(path) == true
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside + "/sub") == ["a"])
  }

  @Test("closed paths are known however many slashes they have; nothing is closed to a client that is not confined")
  func closed() {
    #expect(
      confined {
        ["/closed", "//closed/a", "/closedness", "/sub", ""].map { FileConfinement.isClosed(inside + $0) }
      } == [true, true, false, false, false])
    #expect(!FileConfinement.isClosed(inside + "/closed"))
  }

  @Test("a stored confinement is read as it was, and a damaged one admits nothing")
  func json() {
    let plain = FileConfinement(folders: ["/a//b/"], closed: ["/a/b/c"])
    #expect(plain.json == #"{"folders":["/a/b"],"closed":["/a/b/c"]}"#)
    let confinement = FileConfinement(folders: ["/a", "/\"\u{e9}\n"], closed: [])
    #expect(FileConfinement(json: confinement.json) == confinement)
    for damaged in ["", "{}", "[]", #"{"folders":["/"]}"#, #"{"folders":["/"],"closed":1}"#] {
      #expect(FileConfinement(json: damaged) == FileConfinement(folders: [], closed: []), "\(damaged)")
    }
  }

  @Test("work on a thread of its own is confined as its task is")
  func thread() async throws {
    let confinement = FileConfinement(folders: [inside], closed: [])
    let current = try await FileConfinement.$current.withValue(confinement) {
      try await onThread { _ in FileConfinement.current }
    }
    #expect(current == confinement)
    #expect(try await onThread { _ in FileConfinement.current } == nil)
  }
}
