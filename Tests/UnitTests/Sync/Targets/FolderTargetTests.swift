import Foundation
import Kit
import Store
import TestSupport
import Testing

@testable import Sync

@Suite("A folder as a target", .timeLimit(.minutes(10)))
final class FolderTargetTests {
  private let path: String
  private let target: FolderTarget

  init() throws {
    path = NSTemporaryDirectory() + "commonplace-target-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    target = FolderTarget(path: path)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  private func names(_ folder: String = "") -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path + "/" + folder)) ?? []).sorted()
  }

  @Test("files are kept, listed, given and removed; the same again changes nothing")
  func files() async throws {
    #expect(try await target.list().isEmpty)
    #expect(try await target.space() == nil)
    #expect(try await target.get("a", limit: 10) == nil)
    try await target.remove("a")
    let space = Space(secret: .make())
    try await target.putSpace(space.fileName, space.bytes)
    #expect(try await target.space()?.bytes == space.bytes)
    for _ in 0..<2 { try await target.put("a", [1, 2, 3]) }
    try await target.put("empty", [])
    try await target.put([7], at: "pieces/0a/0a0b")
    #expect(names() == ["log", "pieces", "space"] && names("log") == ["a", "empty"] && names("pieces/0a") == ["0a0b"])
    let listed = try await target.list().sorted { $0.name < $1.name }
    #expect(listed.map(\.name) == ["a", "empty"] && listed.map(\.size) == [3, 0])
    #expect(try await target.get("a", limit: 3) == [1, 2, 3])
    #expect(try await target.get("empty", limit: 0) == [])
    #expect(try await target.file("pieces/0a/0a0b", limit: 1) == [7])
    try await target.remove("a")
    try await target.remove("a")
    #expect(names("log") == ["empty"])
  }

  @Test("a file beyond the limit, a link, a folder and a pipe are no files, and no link is followed")
  func others() async throws {
    try await target.put("a", [1, 2, 3])
    let secret = path + ".secret"
    try Data("secret".utf8).write(to: URL(filePath: secret))
    defer { try? FileManager.default.removeItem(atPath: secret) }
    #expect(symlink(secret, path + "/log/link") == 0 && mkdir(path + "/log/folder", 0o700) == 0)
    #expect(mkfifo(path + "/log/pipe", 0o600) == 0)
    #expect(try await target.list().map(\.name) == ["a"])
    #expect(try await target.get("a", limit: 2) == nil)
    for name in ["link", "folder", "pipe", "none"] { #expect(try await target.get(name, limit: 100) == nil, "\(name)") }
    // A folder that is a link leads nowhere either.
    #expect(symlink(NSTemporaryDirectory(), path + "/pieces") == 0)
    await #expect(throws: TargetError.self) { try await self.target.put([1], at: "pieces/a") }
    await #expect(throws: TargetError.self) { try await self.target.files(in: "pieces") }
  }

  @Test("what an earlier writer left half is written anew, and a link in its place is not written to")
  func leftovers() async throws {
    try await target.put("a", [1])
    let secret = path + ".secret"
    try Data("secret".utf8).write(to: URL(filePath: secret))
    defer { try? FileManager.default.removeItem(atPath: secret) }
    try Data("half".utf8).write(to: URL(filePath: path + "/log/.b.tmp"))
    #expect(symlink(secret, path + "/log/.c.tmp") == 0 && symlink(secret, path + "/log/d") == 0)
    for name in ["b", "c", "d"] { try await target.put(name, [1, 2]) }
    #expect(names("log") == ["a", "b", "c", "d"])
    for name in ["b", "c", "d"] { #expect(try await target.get(name, limit: 2) == [1, 2]) }
    #expect(FileManager.default.contents(atPath: secret) == Data("secret".utf8))
  }

  @Test("a folder that is not there is gone, and nothing is made in its place")
  func gone() async throws {
    try FileManager.default.removeItem(atPath: path)
    let target = target
    let works: [@Sendable () async throws -> Void] = [
      { _ = try await target.list() }, { _ = try await target.get("a", limit: 1) }, { try await target.put("a", [1]) },
      { try await target.remove("a") }, { _ = try await target.space() },
    ]
    for work in works {
      let error = await #expect(throws: TargetError.self) { try await work() }
      #expect(
        error?.kind == .gone && error?.text.key == "sync.target.noFolder" && error?.text.arguments["path"] == path)
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test(
    "a failure of the system says what can be done about it",
    arguments: [
      (ENOSPC, TargetError.Kind.full), (EDQUOT, .full), (EACCES, .refused), (EROFS, .refused), (ENOTDIR, .refused),
      (EIO, .unreachable), (ESTALE, .unreachable), (EMFILE, .unreachable),
    ])
  func failures(errno: Int32, kind: TargetError.Kind) {
    let error = FolderTarget.error(FileFailure(path: "/a", errno))
    #expect(error.kind == kind && !error.text.key.isEmpty)
  }

  @Test("two writers of one folder end equal, also where it has files of others")
  func twoWriters() async throws {
    let schema = SyncSchema(version: 1, ["cards": SyncedCollection(["title": .latest])])
    let secret = SpaceSecret.make()
    let sealing = Space(secret: secret).sealing(secret)
    var random = SeededGenerator(seed: 9)
    var libraries = (0..<2).map {
      SimulatedLibrary(
        schema, FileLedger(WriterIdentity(boot: "0", device: "d\($0)", epoch: "e"), using: &random))
    }
    for round in 0..<4 {
      for index in 0..<2 {
        if round < 3 {
          libraries[index].put(["title": .string("\(round)")], at: ItemKey("cards", ByteKey("c\(index) \(round)")))
          try await target.put("a (conflicted copy \(round))", [1])
        }
        libraries[index].absorb(at: Int64(round * 2 + index + 1))
        var store = target
        let run = SyncRun(policy: SyncPolicy(), sealing: sealing, device: ("d\(index)", "phone", 1))
        var library = libraries[index]
        let isWhole = await SyncRun.run(
          run, &library.ledger, &library.states, on: &store, now: { Int64(round) }, using: &random)
        library.show()
        libraries[index] = library
        #expect(isWhole)
      }
    }
    #expect(libraries[0].rows.count == 6 && libraries[0].states.bytes == libraries[1].states.bytes)
  }
}
