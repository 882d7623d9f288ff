import Client
import Foundation
import TestSupport
import Testing
import Wire

/// Markdown files and folders that other programs, and people, have made.
@Suite("Diary: Markdown of other programs") struct ExternalMarkdownTests {
  private func take(_ file: String, into bench: DiaryBench) async throws -> JSONValue {
    let data = Data(file.utf8).base64EncodedString()
    return try await bench.client.call("diary/import", ["data": .string(data), "format": "markdown"])
  }

  @Test(
    "a title comes in any of the forms that programs write it in, also where the note has an id",
    arguments: [
      ("title: A walk\nid: 20261116", "A walk"), (#"title: "He said \"no\" \\o/""#, #"He said "no" \o/"#),
      ("title: 'It''s late'", "It's late"), ("title: >-\n  A long walk\n  by the river", "A long walk by the river"),
      ("title: \"A long walk\n  home\"", "A long walk home"), ("title: |\n  \"Quoted\"", "\"Quoted\""),
    ])
  func titles(matter: String, title: String) async throws {
    let bench = try await DiaryBench()
    let file = "---\ndate: 2026-11-16\n\(matter)\n---\nAlong the river.\n"
    let report = try await take(file, into: bench)
    #expect(report["added"] == 1 && report["notes"].list.isEmpty, "\(report)")
    #expect(try await take(file, into: bench)["known"] == 1)
    let entry = try #require(try await bench.client.call("diary/list").items.first)
    #expect(try await bench.get(entry.id)["text"].text == "\(title)\nAlong the river.\n")
    await bench.stop()
  }

  @Test("a title that somebody wrote into a file of ours is front matter of the entry")
  func titleOfOurs() async throws {
    let bench = try await DiaryBench()
    let id = try await bench.add("A walk").id
    let path = bench.daemon.folder.file("out")
    _ = try await bench.client.call("diary/export", ["path": .string(path), "format": "markdown"])
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: path).first)
    let file = URL(filePath: "\(path)/\(name)")
    let written = try String(contentsOf: file, encoding: .utf8)
    try Data(written.replacing("day: ", with: "title: Another\nday: ").utf8).write(to: file)
    let report = try await bench.client.call("diary/import", ["path": .string(path), "format": "markdown"])
    #expect(report["updated"] == 1 && report["notes"].list.isEmpty, "\(report)")
    let entry = try await bench.get(id)
    #expect(entry["frontMatter"] == "title: Another" && entry["text"] == "A walk", "\(entry)")
    await bench.stop()
  }

  @Test(
    "one folder that cannot be read is named, and keeps no other from coming",
    .enabled(if: geteuid() != 0, "root reads every folder"))
  func closedFolder() async throws {
    let bench = try await DiaryBench()
    let folder = bench.daemon.folder.file("notes")
    let closed = folder + "/closed"
    try FileManager.default.createDirectory(atPath: closed, withIntermediateDirectories: true)
    try Data("here".utf8).write(to: URL(filePath: folder + "/2026-01-03.md"))
    #expect(chmod(closed, 0) == 0)
    let report = try await bench.client.call("diary/import", ["path": .string(folder), "format": "markdown"])
    #expect(chmod(closed, 0o700) == 0)
    #expect(report["added"] == 1 && report["skipped"] == 1)
    #expect(report["notes"].list.map { "\($0["file"].text) \($0["reason"].text)" } == ["closed unreadable"])
    await bench.stop()
  }
}
