import Client
import Foundation
import System
import TestSupport
import Testing
import Wire

/// Promises 4 and 11 against a process that is killed or has no room.
@Suite(.serialized) struct CrashTests {
  @Test("daemons that are killed at 200 moments leave every acknowledged write, every file and nothing half")
  func killed() async throws {
    let seed = SeededGenerator.seed
    print("200 daemons are killed: seed \(seed)")
    // Four libraries beside each other: most of the time is spent waiting for processes.
    let acknowledged = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in UInt64(0)..<4 {
        group.addTask {
          var library = KilledLibrary(seed: seed &+ number)
          return try await library.kill(times: 50)
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(acknowledged > 500)
  }

  @Test("D9 a diary's draft that was acknowledged is there after the daemon was killed")
  func killedWithDraft() async throws {
    let folder = TemporaryFolder()
    let daemon = try await DaemonProcess(in: folder)
    let editor = try await daemon.client(name: "editor")
    for number in 1...20 {
      _ = try await editor.call("diary/draft", ["id": "mine", "text": .string("typed so far: \(number)")])
    }
    await daemon.kill()
    let next = try await DaemonProcess(in: folder)
    let client = try await next.client(name: "after")
    let drafts = try await client.call("diary/drafts")["items"]?.arrayValue ?? []
    #expect(drafts.map { $0["text"] } == ["typed so far: 20"] && drafts.first?["client"] == "editor")
    await client.close()
    await next.stop()
  }

  @Test("a daemon that is killed in the middle of an import leaves nothing of it, and takes it again")
  func killedInImport() async throws {
    let full = try await DaemonProcess(in: TemporaryFolder())
    let source = try await full.client()
    _ = try await source.call("toys/addMany", ["count": 21_000])
    let archive = JSONValue.string(full.folder.file("library.tar"))
    _ = try await source.call("library/export", ["path": archive])
    let folder = TemporaryFolder()
    let daemon = try await DaemonProcess(in: folder)
    let victim = try await daemon.client()
    let reply = victim.send("library/import", ["path": archive])
    // Killed when the first slice is there; where nobody waits, one is ten thousand items.
    while victim.commits.isEmpty { _ = try await victim.call("session/ping") }
    await daemon.kill()
    await #expect(throws: (any Error).self) { try await reply.value() }
    let next = try await DaemonProcess(in: folder)
    let client = try await next.client(name: "after")
    #expect(try await client.call("toys/countQuickly").count == 0)
    #expect(try await client.call("session/sync").clock >= 2)
    #expect(try await client.call("library/check")["findings"] == [])
    #expect(try await client.call("library/import", ["path": archive])["items"] == 21_000)
    await client.close()
    await next.stop()
    await full.stop()
  }

  @Test("on a full disk a write says so and leaves nothing, the daemon lives, and writes again when there is room")
  func fullDisk() async throws {
    let daemon = try await DaemonProcess(in: TemporaryFolder())
    let client = try await daemon.client()
    let id = try #require(try await client.call("toys/add", ["title": "before"])["id"])
    // No file may grow beyond a megabyte, as if there were no room for more.
    try await limitFiles(of: daemon.pid, to: 1 << 20)
    let text = JSONValue.string(String(repeating: "독서", count: 20_000))
    var error: RemoteError?
    var written = 1
    while error == nil, written < 100 {
      error = try await client.failure("toys/add", ["title": "filling", "body": text])
      if error == nil { written += 1 }
    }
    #expect(error?.kind == "diskFull")
    #expect(error?.data?["advice"]?.text.isEmpty == false)
    #expect(try await client.call("toys/countQuickly").count == written)
    #expect(try await client.call("toys/get", ["id": id])["title"] == "before")
    #expect(try await client.failure("toys/add", ["title": "still", "body": text])?.kind == "diskFull")
    #expect(
      try await client.failure("toys/attach", ["id": id, "text": .string(String(repeating: "x", count: 2 << 20))])?.kind
        == "diskFull")
    try await limitFiles(of: daemon.pid, to: nil)
    #expect(try await client.call("toys/add", ["title": "after", "body": text]).clock == Int64(written + 1))
    #expect(try await client.call("library/check")["findings"] == [])
    await client.close()
    await daemon.stop()
  }

  /// The soft limit only, so that it can be lifted again.
  private func limitFiles(of pid: pid_t, to bytes: Int?) async throws {
    let process = try ChildProcess(
      "/usr/bin/prlimit", ["--pid", String(pid), "--fsize=" + (bytes.map(String.init) ?? "unlimited") + ":"],
      environment: [:], folder: "/")
    #expect(await process.end().status == 0)
  }

  @Test("a daemon that is killed inside a rebuild of the index leaves a library without findings, found as before")
  func killedInRebuild() async throws {
    let folder = TemporaryFolder()
    let filled = try await DaemonProcess(in: folder)
    let client = try await filled.client()
    _ = try await client.call("toys/addMany", ["count": 3_000])
    _ = try await client.call("diary/add", ["text": "a zebra by the river"])
    await client.close()
    await filled.stop()
    // On a busy machine the rebuild may be over before the kill: then once more.
    var isOver = true
    while isOver {
      let daemon = try await DaemonProcess(in: folder)
      let victim = try await daemon.client()
      let (begun, begins) = AsyncStream.makeStream(of: Void.self)
      let reply = victim.send("library/check", ["rebuildIndex": true]) { progress in
        if progress["kind"] == "report" { begins.yield() }
      }
      _ = await begun.first { _ in true }
      await daemon.kill()
      isOver = (try? await reply.value()) != nil
    }
    let next = try await DaemonProcess(in: folder)
    let heir = try await next.client(name: "after")
    let report = try await heir.call("library/check")
    #expect(report["ok"] == true && report["findings"] == [], "\(report)")
    #expect(try await heir.call("search/query", ["text": "zebra"])["items"]?.arrayValue?.count == 1)
    await heir.close()
    await next.stop()
  }
}
