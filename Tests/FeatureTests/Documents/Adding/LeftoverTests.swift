import Client
import Contract
import Foundation
import TestSupport
import Testing
import Wire

/// What a daemon that was killed left on the disk and in memory, and how its successor clears it.
@Suite("Documents: leftovers", .timeLimit(.minutes(1))) struct LeftoverTests {
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
    for path in [left, living] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      try Data("a picture".utf8).write(to: URL(filePath: path + "/a.png"))
    }
    defer { try? FileManager.default.removeItem(atPath: living) }
    let bench = try await DocumentBench()
    bench.daemon.daemon.startBackgroundWork()
    try await until { !FileManager.default.fileExists(atPath: left) }
    #expect(FileManager.default.fileExists(atPath: living + "/a.png"))
    await bench.stop()
  }
}
