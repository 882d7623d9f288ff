import Foundation
import TestSupport
import Testing

@testable import PDF

@Suite("Files that workers are handed") struct DescriptorTests {
  @Test("a document is a plain file that is named without a link, and nothing waits for another to write")
  func documents() throws {
    let folder = TemporaryFolder()
    let path = folder.file("a.pdf")
    try Data("text".utf8).write(to: URL(filePath: path))
    let file = try Descriptor.document(at: path)
    #expect(file.size == 4 && file.bytes(100) == Array("text".utf8) && file.bytes(2) == Array("te".utf8))
    #expect(fcntl(file.number, F_GETFD) == FD_CLOEXEC && write(file.number, "x", 1) == -1)
    try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: path)
    mkfifo(folder.file("pipe"), 0o600)
    for (name, failure) in [("link", ELOOP), ("pipe", EINVAL), ("none", ENOENT), ("", EINVAL)] {
      #expect(throws: WorkerFailure.unreadable(errno: failure), "\(name)") {
        try Descriptor.document(at: folder.file(name))
      }
    }
  }

  @Test("a new file is the user's alone, and none that is there already is written")
  func newFiles() throws {
    let folder = TemporaryFolder()
    let path = folder.file("new")
    let file = try Descriptor.newFile(at: path)
    #expect(fcntl(file.number, F_GETFD) == FD_CLOEXEC)
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    #expect(write(file.number, "text", 4) == 4 && file.bytes(4) == Array("text".utf8))
    try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: folder.file("target"))
    for name in ["new", "link"] {
      #expect(throws: WorkerFailure.outputError(errno: EEXIST)) { try Descriptor.newFile(at: folder.file(name)) }
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file("target")))
    #expect(throws: WorkerFailure.outputError(errno: ENOENT)) { try Descriptor.newFile(at: folder.file("no/file")) }
  }

  @Test("a result is as long as it was announced, not shorter and not longer")
  func results() throws {
    let file = try Descriptor.memory(holding: [1, 2, 3])
    #expect(try file.result(3) == [1, 2, 3])
    for count in [0, 2, 4] {
      #expect(throws: WorkerFailure.badReply("another length than announced")) { try file.result(count) }
    }
    file.makeReady(1 << 16)
    #expect(file.size == 3)
    let large = [UInt8](repeating: 7, count: 1 << 20)
    #expect(try Descriptor.memory(holding: large).result(1 << 20) == large)
    #expect(try Descriptor.memory(holding: []).size == 0)
    #expect(Descriptor(-1).size == -1 && Descriptor(-1).bytes(3) == [])
  }

  @Test("a descriptor is closed with the last who holds it")
  func closed() async {
    // In a process of its own, where nobody else takes the number.
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      var file: Descriptor? = try .newFile(at: folder.file("a"))
      let other = file
      guard let number = file?.number else { exit(1) }
      file = nil
      guard fcntl(number, F_GETFD) >= 0, other?.number == number else { exit(2) }
      withExtendedLifetime(other) {}
      func use(_ path: String) throws -> Int32 { try Descriptor.newFile(at: path).number }
      let gone = try use(folder.file("b"))
      guard fcntl(gone, F_GETFD) == -1 else { exit(3) }
    }
  }
}
