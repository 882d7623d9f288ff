import Client
import Contract
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Diary: tags") struct EntryTagTests {
  private func tags(_ bench: DiaryBench, query: JSONValue = [:]) async throws -> [String: [String]] {
    let items = try await bench.client.call("diary/list", query).items
    return Dictionary(uniqueKeysWithValues: items.map { ($0["title"].text, $0["tags"].list.map(\.text)) })
  }

  @Test("a word with a # that is written into an entry or a note is one of its tags, and code and numbers are none")
  func written() async throws {
    let bench = try await DiaryBench()
    let client = bench.client
    for area in ["diary", "notes"] {
      func tags(_ method: String, _ params: JSONValue) async throws -> [String] {
        try await client.call("\(area)/\(method)", params)["tags"].list.map(\.text)
      }
      let id: JSONValue = .string("\(area)-a")
      let text = "A walk #hike, #to/read\n`#code` #12 a#b\n```\n#fenced\n```\n# Title"
      #expect(try await tags("add", ["id": id, "text": .string(text)]) == ["hike", "to/read"])
      #expect(try await tags("add", ["id": .string("\(area)-b"), "text": "Home #x", "tags": ["y"]]) == ["y"])
      #expect(try await tags("append", ["id": id, "text": "Back #Hike #rain"]) == ["hike", "to/read", "rain"])
      #expect(try await tags("update", ["id": id, "tags": ["rain"]]) == ["rain"])
      // What somebody has removed stays removed, although it is in the text.
      let new = text + "\n#sun"
      #expect(try await tags("update", ["id": id, "text": .string(new)]) == ["rain", "sun"])
      #expect(try await tags("update", ["id": id, "text": "None", "tags": []]) == [])
    }
    await bench.stop()
  }

  @Test("a word with a # that is saved in an editor's text is a tag too, and one that was removed stays removed")
  func saved() async throws {
    let bench = try await DiaryBench()
    let (client, texts) = (bench.client, TextBench(bench.daemon, bench.client))
    func tags(_ area: String, _ id: JSONValue) async throws -> [String] {
      try await client.call("\(area)/get", ["id": id])["tags"].list.map(\.text)
    }
    for (area, path) in [("diary", "diary/entry/a.md"), ("notes", "notes/id/a.md")] {
      _ = try await client.call("\(area)/add", ["id": "a", "text": "A walk #hike"])
      _ = try await client.call("\(area)/update", ["id": "a", "tags": []])
      var opened = try await texts.open(path)
      opened.text = "A walk #hike `#code`\n\nHome in the #rain\n"
      try await texts.save(&opened)
      #expect(try await tags(area, "a") == ["rain"], "\(path)")
    }
    var day = try await texts.open("diary/today.md")
    day.text += "--- +\nTea with Ann #friends\n"
    try await texts.save(&day)
    let added = try await client.call("diary/list").items.first { $0["id"] != "a" }
    #expect(added?["tags"] == ["friends"], "\(day.text)")
    let made = try await client.call(
      "notes/fromText", ["collection": "diary", "id": added?["id"] ?? .null, "text": "Ann #friends"])
    #expect(made["tags"] == ["friends"])
    await bench.stop()
  }

  @Test("an entry has tags, by which it is listed, searched and counted, and which a rename and an undo change")
  func field() async throws {
    let bench = try await DiaryBench()
    let client = bench.client
    let added = try await client.call("diary/add", ["id": "a", "text": "A walk", "tags": ["River", " far ", "River"]])
    #expect(added["tags"] == ["River", "far"], "\(added)")
    _ = try await client.call("diary/add", ["id": "b", "text": "Home"])
    #expect(try await tags(bench) == ["A walk": ["River", "far"], "Home": []])
    #expect(try await tags(bench, query: ["tag": "river"]).keys.sorted() == ["A walk"])
    #expect(try await client.call("search/query", ["text": "tag:river"]).items.count == 1)
    let listed = try await client.call("tags/list", ["collections": ["diary"]]).items
    #expect(listed.map { $0["tag"].text } == ["far", "River"], "\(listed)")
    _ = try await client.call("tags/rename", ["from": "river", "to": "water/river"])
    #expect(try await tags(bench, query: ["tag": "water"]) == ["A walk": ["water/river", "far"]])
    _ = try await client.call("diary/update", ["id": "b", "tags": ["far"]])
    #expect(try await bench.get("b")["text"] == "Home")
    #expect(try await client.call("search/query", ["text": "tag:far"]).items.count == 2)
    _ = try await client.call("changes/undo")
    #expect(try await tags(bench, query: ["tag": "far"]).keys.sorted() == ["A walk"])
    _ = try await client.call("diary/remove", ["id": "a"])
    #expect(try await client.call("tags/list", ["collections": ["diary"]]).items.isEmpty)
    await bench.stop()
  }

  @Test("tags come with Day One's entries, jrnl's words and the front matter of Markdown")
  func imports() async throws {
    let bench = try await DiaryBench()
    let dayOne = """
      {"entries": [
        {"uuid": "1", "creationDate": "2020-12-22T15:35:33Z", "text": "one", "tags": ["a b", "Ä"]}]}
      """
    #expect(try await bench.take(dayOne, as: "dayone")["notes"].list.isEmpty)
    let jrnl = "[2021-05-01 09:05] two @walk, and me@example.org\nwith @Ann/home.\n"
    #expect(try await bench.take(jrnl, as: "jrnl")["added"] == 1)
    let files = [
      "---\ndate: 2026-11-16\ntags:\n  - walk\n  - \"to read\"\n---\nthree\n",
      "---\ndate: 2026-11-17\ntags: [walk, '#far']\n---\nfour\n", "---\ndate: 2026-11-18\ntags: #walk far\n---\nfive\n",
    ]
    for file in files { #expect(try await bench.take(file, as: "markdown")["notes"].list.isEmpty) }
    #expect(
      try await tags(bench) == [
        "one": ["a b", "Ä"], "two @walk, and me@example.org": ["walk", "Ann/home"], "three": ["walk", "to read"],
        "four": ["walk", "far"], "five": ["walk", "far"],
      ])
    await bench.stop()
  }

  @Test("a tag that was added in the other program follows, and one that was added here stays")
  func importedAgain() async throws {
    let bench = try await DiaryBench()
    func file(_ tags: String) -> String {
      #"{"entries": [{"uuid": "1", "creationDate": "2020-12-22T15:35:33Z", "text": "one", "tags": \#(tags)}]}"#
    }
    _ = try await bench.take(file(#"["a"]"#), as: "dayone")
    let id = try await bench.client.call("diary/list").items[0].id
    _ = try await bench.client.call("diary/update", ["id": id, "tags": ["a", "mine"]])
    #expect(try await bench.take(file(#"["a"]"#), as: "dayone")["known"] == 1)
    _ = try await bench.take(file(#"["a", "b"]"#), as: "dayone")
    #expect(try await tags(bench).mapValues { $0.sorted() } == ["one": ["a", "b", "mine"]])
    await bench.stop()
  }

  @Test("tags are exported, and come back in another library", arguments: ["markdown", "jsonl"])
  func roundTrip(format: String) async throws {
    let bench = try await DiaryBench()
    _ = try await bench.client.call("diary/add", ["text": "A walk", "tags": ["River", "to \"read\", [x]"]])
    _ = try await bench.client.call("diary/add", ["text": "Home"])
    let path = bench.daemon.folder.file("diary")
    _ = try await bench.client.call("diary/export", ["path": .string(path), "format": .string(format)])
    let other = try await DiaryBench()
    let report = try await other.client.call("diary/import", ["path": .string(path), "format": .string(format)])
    #expect(report["added"] == 2 && report["notes"].list.isEmpty, "\(report)")
    #expect(try await tags(other) == ["A walk": ["River", "to \"read\", [x]"], "Home": []])
    let again = try await other.client.call("diary/import", ["path": .string(path), "format": .string(format)])
    #expect(again["known"] == 2, "\(again)")
    await bench.stop()
    await other.stop()
  }

  @Test("the mirror's files have the tags, and follow them")
  func mirror() async throws {
    let bench = try await DiaryBench()
    let path = bench.daemon.folder.file("mirror")
    _ = try await bench.client.call("diary/add", ["id": "a", "text": "A walk", "tags": ["river"]])
    _ = try await bench.client.call("diary/mirror", ["path": .string(path)])
    func lines() throws -> [Substring] {
      try String(contentsOfFile: path + "/2026-11-21-a.md", encoding: .utf8).split(separator: "\n")
    }
    #expect(try lines().contains(#"tags: ["river"]"#))
    _ = try await bench.client.call("diary/update", ["id": "a", "tags": ["far"]])
    // Ending waits for what was to be written.
    _ = try await bench.client.call("diary/mirror", ["path": .null])
    #expect(try lines().contains(#"tags: ["far"]"#))
    #expect(try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".md") }.count == 1)
    await bench.stop()
  }
}
