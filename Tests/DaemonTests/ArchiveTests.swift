import Client
import Features
import Foundation
import System
import TestSupport
import Testing
import Wire

/// `library/export` and `library/import`.
@Suite struct ArchiveTests {
  private let features = AllFeatures.features + [ToyFeature.feature]

  @Test("an archive carries ids, times, texts byte for byte and files into another library, and is one undoable commit")
  func roundTrip() async throws {
    let first = try await TestDaemon(features: features)
    let source = try await first.client()
    let title = "cafe\u{301} \u{1103}\u{1169}\u{11A8} \"quoted\"\n"
    let id = try #require(try await source.call("toys/add", ["title": .string(title), "body": "b"])["id"])
    _ = try await source.call("toys/addPart", ["id": id, "name": "handle"])
    _ = try await source.call("toys/attach", ["id": id, "text": "bytes of a file"])
    _ = try await source.call("toys/turn", ["id": id, "angle": 90])
    first.clock.advance(milliseconds: 5_000)
    _ = try await source.call("toys/addMany", ["count": 30])
    let archive = JSONValue.string(first.folder.file("library.tar"))
    let report = try await source.call("library/export", ["path": archive])
    #expect(report["items"] == 32)
    #expect(report["blobs"] == 1)
    let original = try await source.call("toys/list")

    let second = try await TestDaemon(features: features)
    let target = try await second.client()
    let imported = try await target.call("library/import", ["path": archive])
    #expect(imported["items"] == 32)
    #expect(imported.clock == 1)
    let copy = try await target.call("toys/list")
    for (before, after) in zip(original["items"]?.arrayValue ?? [], copy["items"]?.arrayValue ?? []) {
      for field in ["id", "createdAt", "updatedAt", "title", "body", "file"] {
        #expect(Array((before[field] ?? .null).description.utf8) == Array((after[field] ?? .null).description.utf8))
      }
    }
    #expect(copy["total"] == original["total"])
    #expect(try await target.call("library/check")["ok"] == true)
    // Exported again it is the same, but for what belongs to a library: its clock and the revisions.
    let again = first.folder.file("again.tar")
    _ = try await target.call("library/export", ["path": .string(again)])
    #expect(try await lines(of: again) == lines(of: first.folder.file("library.tar")))
    _ = try await target.call("changes/undo")
    #expect(try await target.call("toys/countQuickly").count == 0)
    await first.stop()
    await second.stop()
  }

  @Test("an archive is taken by an empty library only, and a damaged one by none; neither leaves anything")
  func refusals() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let path = daemon.folder.file("library.tar")
    let id = try #require(try await client.call("toys/add", ["title": "one"])["id"])
    _ = try await client.call("toys/attach", ["id": id, "text": "bytes of a file"])
    _ = try await client.call("library/export", ["path": .string(path)])
    #expect(try await client.failure("library/export", ["path": .string(path)])?.kind == "exists")
    #expect(try await client.failure("library/import", ["path": .string(path)])?.kind == "exists")
    #expect(try await client.failure("library/import", ["path": "/tmp/none/such.tar"])?.kind == "notFound")
    #expect(try await client.call("session/sync").clock == 2)
    await daemon.stop()

    let empty = try await TestDaemon(features: features)
    let target = try await empty.client()
    let whole = try #require(FileManager.default.contents(atPath: path))
    // Cut anywhere, or with one byte changed in a header, a line or a file.
    var broken: [Data] = [300, 700, 1_500, 2_600].map { whole.prefix($0) }
    for text in [#""title":"one""#, "bytes of a file", "items/toys.jsonl"] {
      var changed = whole
      let place = try #require(whole.range(of: Data(text.utf8)))
      changed[place.lowerBound] ^= 0x20
      if text.hasPrefix("\"") { changed[place.lowerBound] = UInt8(ascii: "}") }
      broken.append(changed)
    }
    for (number, data) in broken.enumerated() {
      let file = empty.folder.file("broken-\(number).tar")
      try data.write(to: URL(fileURLWithPath: file))
      #expect(try await target.failure("library/import", ["path": .string(file)])?.kind == "corrupt", "\(number)")
    }
    #expect(try await target.call("session/sync").clock == 0)
    await empty.stop()
  }

  @Test("an archive of thousands of items comes in slices, and is undone and redone in one step")
  func large() async throws {
    let first = try await TestDaemon(features: features)
    let source = try await first.client()
    let id = try #require(try await source.call("toys/add", ["title": "one"])["id"])
    _ = try await source.call("toys/addPart", ["id": id, "name": "handle"])
    _ = try await source.call("toys/addMany", ["count": 12_000])
    let archive = JSONValue.string(first.folder.file("library.tar"))
    #expect(try await source.call("library/export", ["path": archive])["items"] == 12_002)
    await first.stop()

    let second = try await TestDaemon(features: features, in: TemporaryFolder())
    let target = try await second.client()
    let imported = target.send("library/import", ["path": archive])
    #expect(try await imported.value()["items"] == 12_002)
    let clock = try await target.call("session/sync").clock
    #expect(clock > 1)
    // A read that was sent after the undo sees all of it undone.
    let undo = target.send("changes/undo")
    #expect(try await target.call("toys/countQuickly").count == 0)
    #expect(try await undo.value()["label"] == "library/import")
    #expect(try await target.failure("changes/undo")?.kind == "nothingToUndo")
    // A write that was sent after the redo gets not in between its slices.
    let redo = target.send("changes/redo")
    let added = try await target.call("toys/add", ["title": "new"]).clock
    #expect(try await redo.value().clock < added)
    #expect(try await target.call("toys/countQuickly").count == 12_002)
    #expect(try await target.call("library/check")["findings"] == [])
    await second.stop()
  }

  @Test("an archive with the same item twice is refused, however much of it was written, and nothing stays")
  func twice() async throws {
    let daemon = try await TestDaemon(features: features)
    let source = try await daemon.client()
    _ = try await source.call("toys/addMany", ["count": 2_000])
    let path = daemon.folder.file("library.tar")
    _ = try await source.call("library/export", ["path": .string(path)])
    await daemon.stop()
    var bytes = try #require(FileManager.default.contents(atPath: path))
    // The last item gets the id of the first.
    let ids = try await run(["tar", "-xOf", path, "items/toys.jsonl"]).split(separator: "\n").map {
      try #require(try JSONParser.parse(String($0))["id"]?.stringValue)
    }
    let place = try #require(bytes.range(of: Data(ids[1_999].utf8)))
    bytes.replaceSubrange(place, with: Data(ids[0].utf8))
    let twice = daemon.folder.file("twice.tar")
    try bytes.write(to: URL(fileURLWithPath: twice))

    let empty = try await TestDaemon(features: features)
    let target = try await empty.client()
    #expect(try await target.failure("library/import", ["path": .string(twice)])?.kind == "corrupt")
    #expect(try await target.call("toys/countQuickly").count == 0)
    #expect(try await target.failure("changes/undo")?.kind == "nothingToUndo")
    // Still empty: the whole one is taken.
    #expect(try await target.call("library/import", ["path": .string(path)])["items"] == 2_000)
    #expect(try await target.call("library/check")["findings"] == [])
    await empty.stop()
  }

  @Test("tar, which everybody has, lists and reads an archive")
  func readByTar() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    _ = try await client.call("toys/add", ["title": "a top"])
    let path = daemon.folder.file("library.tar")
    _ = try await client.call("library/export", ["path": .string(path)])
    let names = try await run(["tar", "-tf", path]).split(separator: "\n")
    #expect(names.first == "library.json")
    #expect(Set(names).isSuperset(of: ["items/toys.jsonl", "items/toyParts.jsonl"]))
    #expect(try await run(["tar", "-xOf", path, "items/toys.jsonl"]).contains("\"title\":\"a top\""))
    await daemon.stop()
  }

  /// The lines of all items without their revisions.
  private func lines(of archive: String) async throws -> [String] {
    let texts = try await run(["tar", "-xOf", archive, "items/toys.jsonl", "items/toyParts.jsonl"])
    return texts.split(separator: "\n").map { String($0.replacing(/"revision":\d+/, with: "")) }
  }

  private func run(_ arguments: [String]) async throws -> String {
    let process = try ChildProcess(
      "/usr/bin/env", arguments, environment: ProcessInfo.processInfo.environment, folder: "/")
    return await process.end().output
  }
}
