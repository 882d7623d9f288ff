import Client
import Contract
import Foundation
import Store
import TestSupport
import Testing
import Wire

@testable import Documents
@testable import Exchange
@testable import Kit
@testable import System

/// What a daemon that was killed left on the disk and in memory, and how its successor clears it.
@Suite("Documents: leftovers", .timeLimit(.minutes(10))) struct LeftoverTests {
  /// Waits for the work behind the start, which nobody is told of.
  private func until(_ condition: () -> Bool) async throws {
    while !condition() {
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  @Test("downloads that nobody can go on with go behind the start, the others after a week")
  func parts() async throws {
    // Long ago, for what is younger than the daemon is not looked at, and that one is of today.
    let clock = TestClock(Instant(milliseconds: 1_578_614_400_000))
    let folder = TemporaryFolder()
    let parts = folder.file("library/parts/")
    try FileManager.default.createDirectory(atPath: parts, withIntermediateDirectories: true)
    func put(_ name: String, days: Double, record: Bool) throws {
      let path = parts + name
      try Data("%PDF-1.7".utf8).write(to: URL(filePath: path))
      if record {
        let text = #"{"url":"http://127.0.0.1/a","digest":"\#(String(repeating: "0", count: 64))","etag":"\"one\""}"#
        try Data(text.utf8).write(to: URL(filePath: path + ".json"))
      }
      let time = Date(timeIntervalSince1970: Double(clock.now.milliseconds) / 1_000 - days * 86_400)
      for file in [path, path + ".json"] where FileManager.default.fileExists(atPath: file) {
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: file)
      }
    }
    try put("lone.part", days: 0.5, record: false)
    try put("old.part", days: 7.5, record: true)
    try put("kept.part", days: 6.5, record: true)
    try put("orphan.part.json", days: 0.5, record: false)
    let bench = try await DocumentBench(in: folder, clock: clock)
    bench.daemon.daemon.startBackgroundWork()
    func names() -> [String] { ((try? FileManager.default.contentsOfDirectory(atPath: parts)) ?? []).sorted() }
    // The orphan goes last.
    try await until { !names().contains("orphan.part.json") }
    #expect(names() == ["kept.part", "kept.part.json"])
    await bench.stop()
  }

  @Test("pictures of protected pages that a killed daemon left in memory go behind the start, a living one's stay")
  func pictures() async throws {
    let dead = try ChildProcess("/bin/true", [], environment: [:], folder: "/")
    _ = await dead.ended()
    let id = UUID().uuidString.prefix(6)
    let left = "/dev/shm/commonplace-\(getuid())-\(dead.pid)-\(id)"
    let living = "/dev/shm/commonplace-\(getuid())-\(getpid())-\(id)"
    let theirs = "/dev/shm/commonplace-\(getuid())-\(dead.pid)-\(id)t"
    let picture = "/\(String(repeating: "0a", count: 16))-0123456789ab.png"
    for path in [left, living, theirs] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      try Data("a picture".utf8).write(to: URL(filePath: path + picture))
    }
    defer { for path in [living, theirs] { try? FileManager.default.removeItem(atPath: path) } }
    // Everybody may make a folder of such a name.
    let isRoot = geteuid() == 0
    if isRoot { try #require(chown(theirs, 65_534, 65_534) == 0) }
    MemoryFolder.removeLeftovers()
    #expect(!FileManager.default.fileExists(atPath: left))
    #expect(FileManager.default.fileExists(atPath: living + picture))
    #expect(FileManager.default.fileExists(atPath: theirs + picture) == isRoot)
    // The start of a daemon does the same.
    try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: false)
    let bench = try await DocumentBench()
    bench.daemon.daemon.startBackgroundWork()
    try await until { !FileManager.default.fileExists(atPath: left) }
    await bench.stop()
  }

  @Test("an export that a killed daemon was making goes by its note alone, and what others named so stays")
  func exports() throws {
    let folder = TemporaryFolder()
    let library = LibraryFolder(folder.file("library"))
    try library.prepare()
    let id = UUID().uuidString
    func put(_ path: String) throws { try Data("a film".utf8).write(to: URL(filePath: path)) }
    func note(_ name: String, to target: String) throws {
      try #require(symlink(target, library.parts + "/" + name + ".export") == 0)
    }
    let film = folder.file("film.mkv.part")
    try put(film)
    try note("film.mkv", to: film)
    let file = folder.file("one.\(id).part")
    try put(file)
    try note(id, to: file)
    // A folder of exported files may hold nothing deeper.
    let other = UUID().uuidString
    let nested = folder.file("two.\(other).part")
    try FileManager.default.createDirectory(atPath: nested + "/deeper", withIntermediateDirectories: true)
    try put(nested + "/deeper/film")
    try put(nested + "/entry.md")
    try note(other, to: nested)
    // The notes are older than the daemon.
    for name in try FileManager.default.contentsOfDirectory(atPath: library.parts) {
      let past = [timeval(tv_sec: 1, tv_usec: 0), timeval(tv_sec: 1, tv_usec: 0)]
      try #require(lutimes(library.parts + "/" + name, past) == 0)
    }
    try Data().write(to: URL(filePath: library.lock))
    Leftovers.removeExports(of: library)
    #expect(FileManager.default.fileExists(atPath: film))
    #expect(!FileManager.default.fileExists(atPath: file))
    #expect(FileManager.default.fileExists(atPath: nested + "/deeper/film"))
    #expect(!FileManager.default.fileExists(atPath: nested + "/entry.md"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: library.parts) == [])
  }
}
