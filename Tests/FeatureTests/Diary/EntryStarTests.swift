import Client
import Contract
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Diary: stars") struct EntryStarTests {
  private func starred(_ bench: DiaryBench) async throws -> [String] {
    try await bench.client.call("diary/list", ["starred": true]).items.map { $0["title"].text }.sorted()
  }

  @Test("an entry is starred, by which it is listed and searched, and an undo takes the star back")
  func field() async throws {
    let bench = try await DiaryBench()
    let client = bench.client
    #expect(try await client.call("diary/add", ["id": "a", "text": "A walk", "starred": true])["starred"] == true)
    #expect(try await client.call("diary/add", ["id": "b", "text": "Home"])["starred"] == nil)
    #expect(try await starred(bench) == ["A walk"])
    #expect(try await client.call("diary/list", ["starred": false]).items.map(\.id) == ["b"])
    #expect(try await client.call("search/query", ["text": "is:starred"]).items.map(\.id) == ["a"])
    #expect(try await client.call("search/query", ["text": "NOT is:starred in:diary"]).items.map(\.id) == ["b"])
    _ = try await client.call("diary/update", ["id": "b", "starred": true])
    #expect(try await starred(bench) == ["A walk", "Home"])
    #expect(try await bench.get("b")["text"] == "Home")
    _ = try await client.call("changes/undo")
    #expect(try await starred(bench) == ["A walk"])
    await bench.stop()
  }

  @Test("stars come with the entries of Day One and jrnl, and with front matter")
  func imports() async throws {
    let bench = try await DiaryBench()
    let files = [
      (
        "dayone",
        #"{"entries": [{"uuid": "1", "creationDate": "2020-12-22T15:35:33Z", "text": "one", "starred": true}]}"#
      ),
      (
        "jrnl",
        #"{"entries": [{"title": "two", "body": "", "date": "2026-11-16", "time": "10:00", "starred": true}]}"#
      ),
      ("jrnl", "[2021-05-01 09:05] three *\nwith words\n\n[2021-05-02 09:05] four\n"),
      ("markdown", "---\ndate: 2026-11-16\nstarred: true\n---\nfive\n"),
    ]
    for (format, file) in files {
      #expect(try await bench.take(file, as: format)["notes"].list.isEmpty, "\(file)")
    }
    #expect(try await starred(bench) == ["five", "one", "three", "two"])
    await bench.stop()
  }

  @Test("a star that was set in the other program follows, and one that was set here stays")
  func importedAgain() async throws {
    let bench = try await DiaryBench()
    func file(_ stars: [Bool]) -> String {
      let entries = stars.enumerated().map { number, isStarred in
        #"{"uuid": "\#(number)", "creationDate": "2020-12-22T15:35:33Z", "text": "\#(number)", "starred": \#(isStarred)}"#
      }
      return #"{"entries": [\#(entries.joined(separator: ", "))]}"#
    }
    _ = try await bench.take(file([false, false, true]), as: "dayone")
    let items = try await bench.client.call("diary/list").items
    let one = try #require(items.first { $0["title"] == "1" })
    _ = try await bench.client.call("diary/update", ["id": one.id, "starred": true])
    #expect(try await bench.take(file([false, false, true]), as: "dayone")["known"] == 3)
    #expect(try await starred(bench) == ["1", "2"])
    _ = try await bench.take(file([true, false, false]), as: "dayone")
    #expect(try await starred(bench) == ["0", "1"])
    await bench.stop()
  }

  @Test("stars are exported, and come back in another library", arguments: ["markdown", "jsonl"])
  func roundTrip(format: String) async throws {
    let bench = try await DiaryBench()
    _ = try await bench.client.call("diary/add", ["text": "A walk", "starred": true, "tags": ["river"]])
    _ = try await bench.client.call("diary/add", ["text": "Home"])
    let path = bench.daemon.folder.file("diary")
    _ = try await bench.client.call("diary/export", ["path": .string(path), "format": .string(format)])
    let other = try await DiaryBench()
    let report = try await other.client.call("diary/import", ["path": .string(path), "format": .string(format)])
    #expect(report["added"] == 2 && report["notes"].list.isEmpty, "\(report)")
    #expect(try await starred(other) == ["A walk"])
    let again = try await other.client.call("diary/import", ["path": .string(path), "format": .string(format)])
    #expect(again["known"] == 2, "\(again)")
    await bench.stop()
    await other.stop()
  }

  @Test("the mirror's files have the star, and a file that was written before it is replaced, not set aside")
  func mirror() async throws {
    let bench = try await DiaryBench()
    let path = bench.daemon.folder.file("mirror")
    _ = try await bench.client.call("diary/add", ["id": "a", "text": "A walk"])
    _ = try await bench.client.call("diary/mirror", ["path": .string(path)])
    func lines() throws -> [Substring] {
      try String(contentsOfFile: path + "/2026-11-21-a.md", encoding: .utf8).split(separator: "\n")
    }
    #expect(try !lines().contains("starred: true"))
    for isStarred in [true, false] {
      _ = try await bench.client.call("diary/update", ["id": "a", "starred": .bool(isStarred)])
      // Ending waits for what was to be written.
      _ = try await bench.client.call("diary/mirror", ["path": .null])
      #expect(try lines().contains("starred: true") == isStarred)
      #expect(try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".md") }.count == 1)
      _ = try await bench.client.call("diary/mirror", ["path": .string(path)])
    }
    await bench.stop()
  }
}
