import Client
import Contract
import Foundation
import TestSupport
import Testing
import Wire

/// What becomes of a mirror whose folder somebody touched while no daemon ran. `startBackgroundWork` is what the program
/// calls when it has begun to serve; nobody asks for the mirror.
@Suite("Diary: the mirror after a restart") struct MirrorRestartTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.file("mirror") }

  /// A mirror of the entry `a`, whose daemon has ended; meanwhile another one, that has not begun to follow, wrote `b`.
  private func leaveMirror() async throws {
    let bench = try await DiaryBench(in: folder)
    try await bench.add("text of a", id: "a")
    _ = try await bench.client.call("diary/mirror", ["path": .string(path)])
    await bench.stop()
    let silent = try await DiaryBench(in: folder)
    try await silent.add("text of b", id: "b")
    await silent.stop()
    #expect(try names() == ["2026-11-21-a.md"])
  }

  private func restarted() async throws -> DiaryBench {
    let bench = try await DiaryBench(in: folder)
    bench.daemon.daemon.startBackgroundWork()
    return bench
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).filter { !$0.hasPrefix(".") }.sorted()
  }

  private func content(of name: String) throws -> String {
    try String(contentsOfFile: path + "/" + name, encoding: .utf8)
  }

  /// Until the folder is as wanted. Each look waits for a reply of the daemon, which meanwhile goes on; one that never
  /// gets there fails.
  private func wait(_ bench: DiaryBench, until isReached: () throws -> Bool) async throws {
    for _ in 0..<50_000 {
      if try isReached() { return }
      _ = try await bench.client.call("session/sync")
    }
    Issue.record("the mirror did not follow: \(try names())")
  }

  @Test("it is taken up without being asked: what was written meanwhile comes, and what follows too")
  func takenUp() async throws {
    try await leaveMirror()
    let bench = try await restarted()
    try await wait(bench) { try names() == ["2026-11-21-a.md", "2026-11-21-b.md"] }
    try await bench.add("text of c", id: "c")
    try await wait(bench) { try names().count == 3 }
    #expect(try content(of: "2026-11-21-c.md").hasSuffix("text of c\n"))
    // What is changed, moved to another day and removed behind the first pass, between commits of others.
    _ = try await bench.client.call("diary/update", ["id": "a", "text": "changed"])
    _ = try await bench.client.call("projects/add", ["title": "a card"])
    _ = try await bench.client.call("diary/update", ["id": "b", "day": "2026-11-20"])
    _ = try await bench.client.call("diary/remove", ["id": "c"])
    try await wait(bench) {
      try names() == ["2026-11-20-b.md", "2026-11-21-a.md"]
        && content(of: "2026-11-21-a.md").hasSuffix("changed\n")
    }
    await bench.stop()
  }

  @Test("a file that was edited is kept, one that was deleted is not missed by the library, and no entry is changed")
  func edited() async throws {
    try await leaveMirror()
    let edited = try "\(content(of: "2026-11-21-a.md").dropLast()), edited\n"
    try Data(edited.utf8).write(to: URL(filePath: path + "/2026-11-21-a.md"))
    let bench = try await restarted()
    try await wait(bench) { try names().contains("2026-11-21-b.md") }
    #expect(try content(of: "2026-11-21-a.md") == edited)
    #expect(try await bench.get("a")["text"] == "text of a")
    // The entry moves on: its file is replaced, and what was written into it is put aside.
    _ = try await bench.client.call("diary/update", ["id": "a", "text": "a, changed here"])
    // Between the file that is put aside and the new one there is none.
    try await wait(bench) { (try? content(of: "2026-11-21-a.md"))?.hasSuffix("a, changed here\n") == true }
    let aside = try #require(try names().first { $0.contains("edited") })
    #expect(try content(of: aside) == edited)
    try FileManager.default.removeItem(atPath: path + "/2026-11-21-b.md")
    await bench.stop()
    let next = try await restarted()
    try await wait(next) { try names().contains("2026-11-21-b.md") }
    #expect(try await next.titles().sorted() == ["a, changed here", "text of b"])
    await next.stop()
  }

  @Test(
    "after a backup was restored, files that were edited meanwhile are neither overwritten nor lost: both versions stand"
  )
  func restored() async throws {
    let bench = try await DiaryBench(in: folder)
    for id in ["a", "b", "c"] { try await bench.add("text of \(id)", id: id) }
    _ = try await bench.client.call("diary/mirror", ["path": .string(path)])
    _ = try await bench.client.call("library/backup", ["path": .string(folder.file("backup"))])
    // What the backup has not: another text, and an entry.
    _ = try await bench.client.call("diary/update", ["id": "b", "text": "b, later"])
    try await bench.add("text of d", id: "d")
    _ = try await bench.client.call("diary/mirror")
    await bench.stop()
    let edited = try "\(content(of: "2026-11-21-a.md").dropLast()), edited\n"
    try Data(edited.utf8).write(to: URL(filePath: path + "/2026-11-21-a.md"))
    let before = try Dictionary(uniqueKeysWithValues: names().map { ($0, try content(of: $0)) })
    try FileManager.default.removeItem(atPath: folder.file("library"))
    try FileManager.default.moveItem(atPath: folder.file("backup"), toPath: folder.file("library"))

    let restored = try await restarted()
    try await restored.add("text of e", id: "e")
    // The folder is another history's, and is left alone.
    #expect(try await restored.client.call("diary/mirror")["state"] == "paused")
    for (name, text) in before { #expect(try content(of: name) == text) }
    #expect(try names().count == before.count)
    // What was written since the backup comes back out of it, or stands beside what is there.
    let params: JSONValue = ["path": .string(path), "format": "markdown"]
    let report = try await restored.client.call("diary/import", params)
    #expect(report["added"] == 1 && report["known"] == 3 && report["updated"] == 0, "\(report)")
    #expect(report["notes"].list.map { $0["reason"] } == ["conflict", "conflict"])
    let wanted = ["text of a", "text of b", "text of c", "text of d", "text of e"]
    #expect(try await restored.titles().sorted() == wanted)
    let conflicts = try await restored.client.call("changes/conflicts").items
    #expect(conflicts.compactMap { $0["theirs"]?["text"]?.stringValue }.sorted() == ["b, later", "text of a, edited"])
    #expect(try await restored.client.call("diary/import", params)["changed"] == false)
    // A new folder goes on.
    let next = try await restored.client.call("diary/mirror", ["path": .string(folder.file("next"))])
    #expect(next["state"] == "current" && next["files"] == 5)
    await restored.stop()
  }

  @Test(
    "a folder that was deleted, unmounted or lost its marker is not written to, and goes on when it is back",
    arguments: ["deleted", "unmounted", "unmarked"])
  func gone(how: String) async throws {
    try await leaveMirror()
    let files = FileManager.default
    try files.moveItem(atPath: path, toPath: path + "-away")
    if how != "deleted" { try files.createDirectory(atPath: path, withIntermediateDirectories: false) }
    if how == "unmarked" {
      try files.copyItem(atPath: path + "-away/2026-11-21-a.md", toPath: path + "/2026-11-21-a.md")
    }
    let before = try how == "deleted" ? [] : files.contentsOfDirectory(atPath: path).sorted()
    let bench = try await restarted()
    try await bench.add("text of c", id: "c")
    let state = try await bench.client.call("diary/mirror")
    #expect(state["state"] == "paused" && state["display"].text.contains(path))
    #expect(files.fileExists(atPath: path) == (how != "deleted"))
    if how != "deleted" { #expect(try files.contentsOfDirectory(atPath: path).sorted() == before) }
    #expect(try await bench.titles().count == 3)
    // It is back: the next commit finds it, without anybody asking.
    if how != "deleted" { try files.removeItem(atPath: path) }
    try files.moveItem(atPath: path + "-away", toPath: path)
    try await bench.add("text of d", id: "d")
    try await wait(bench) { try names().count == 4 }
    await bench.stop()
  }
}
