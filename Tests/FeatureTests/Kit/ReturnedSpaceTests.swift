import Foundation
import TestSupport
import Testing
import Wire

/// What was removed and forgotten takes no room.
@Suite(.timeLimit(.minutes(10))) struct ReturnedSpaceTests {
  @Test("a library whose entries were removed and forgotten is less than half as large, beside a client that reads")
  func forgotten() async throws {
    let daemon = try await TestDaemon.started { settings in
      settings.logLimits.idleCheckpoint = .milliseconds(5)
      settings.logLimits.idleTruncate = .milliseconds(5)
    }
    let (client, reader) = try await (daemon.client(name: "writer"), daemon.client(name: "reader"))
    let words = String(repeating: "words of a long evening by the river ", count: 60)
    let lines = (0..<1_500).map { number in
      #"{"id": "d\#(number)", "text": "Entry \#(number) \#(words)", "day": "2026-11-01", "writtenAt": "2026-11-01T09:00:00.000Z"}"#
    }
    let file = daemon.folder.file("entries")
    try (lines.joined(separator: "\n") + "\n").write(toFile: file, atomically: true, encoding: .utf8)
    let report = try await client.call("diary/import", ["path": .string(file), "format": "jsonl"])
    #expect(report["added"] == 1_500)
    _ = try await client.call("projects/add", ["title": "what stays"])
    // As soon as the log is in it, the file has its size.
    while try size(daemon.library + "/library.sqlite-wal") > 0 { _ = try await reader.call("projects/list") }
    let full = try size(daemon.library + "/library.sqlite")
    #expect(full > 6 << 20)

    let confirm = try await client.call("diary/removeAll", ["dryRun": true])["confirm"] ?? .null
    _ = try await client.call("diary/removeAll", ["confirm": confirm])
    _ = try await client.call("changes/forget", ["before": "2100-01-01T00:00:00.000Z"])
    while try size(daemon.library + "/library.sqlite") >= full / 2 {
      #expect(try await reader.call("projects/list").items.count == 1)
    }
    let check = try await client.call("library/check")
    #expect(check["ok"] == true && check["findings"] == [], "\(check)")
    await daemon.stop()
  }

  private func size(_ path: String) throws -> Int {
    var information = stat()
    return stat(path, &information) == 0 ? Int(information.st_size) : 0
  }
}
