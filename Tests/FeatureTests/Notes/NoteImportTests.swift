import Client
import Contract
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Notes: import and export", .timeLimit(.minutes(10))) struct NoteImportTests {
  @Test("a vault of Obsidian moves in: titles from its files, folders and tags as tags, front matter, links to notes")
  func obsidian() async throws {
    let bench = try await NoteBench()
    let vault = try bench.folder(
      "vault",
      [
        "Dune.md":
          "---\ntags: [novel, 'to read']\naliases:\n  - Arrakis\nrating: 5 # of 5\n---\nBy [[authors/Herbert|him]].\n",
        "authors/Herbert.md": "# Herbert\n\nWrote [[Dune#Plot]] and [[arrakis]]. #person/writer `#code`\n",
        "Empty.md": "", ".obsidian/workspace.md": "hidden", "picture.png": "no text",
      ])
    let dry = try await bench.take(vault, ["dryRun": true])
    #expect(dry["added"] == 3 && dry["format"] == "markdown")
    #expect(try await bench.titles() == [])
    #expect(try await bench.take(vault)["added"] == 3)
    #expect(Set(try await bench.titles()) == ["Dune", "Herbert", "Empty"])
    let notes = try await bench.client.call("notes/list").items
    func note(_ title: String) async throws -> JSONValue {
      try await bench.get(notes.first { $0["title"] == .string(title) }?.id ?? .null)
    }
    let (dune, herbert) = (try await note("Dune"), try await note("Herbert"))
    #expect(dune["text"] == "# Dune\n\nBy [[authors/Herbert|him]].\n" && dune["tags"] == ["novel", "to read"])
    #expect(dune["frontMatter"] == "aliases:\n  - Arrakis\nrating: 5 # of 5")
    #expect(herbert["text"] == "# Herbert\n\nWrote [[Dune#Plot]] and [[arrakis]]. #person/writer `#code`\n")
    #expect(herbert["tags"] == ["person/writer", "authors"])
    #expect(try await bench.sources(of: herbert.id) == ["notes/\(dune.id.text)"])
    #expect(try await bench.sources(of: dune.id).count == 2)
    #expect(try await bench.client.call("links/broken")["total"] == 0)
    #expect(try await bench.take(vault)["known"] == 3)
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.titles() == [])
    await bench.stop()
  }

  @Test("an edited file is an edit of its note; changes on both sides are merged, or both versions are stored")
  func edited() async throws {
    let bench = try await NoteBench()
    let vault = try bench.folder("vault", ["A.md": "# A\n\none\n\ntwo\n", "B.md": "# B\n\none\n"])
    _ = try await bench.take(vault)
    let ids = Dictionary(
      uniqueKeysWithValues: try await bench.client.call("notes/list").items.map { ($0["title"].text, $0.id) })
    let (a, b) = (try #require(ids["A"]), try #require(ids["B"]))
    _ = try await bench.client.call("notes/update", ["id": a, "text": "# A\n\none here\n\ntwo\n"])
    _ = try await bench.client.call("notes/update", ["id": b, "text": "# B\n\none here\n"])
    _ = try bench.folder("vault", ["A.md": "# A\n\none\n\ntwo there\n", "B.md": "# B\n\none there\n"])
    let report = try await bench.take(vault)
    #expect(report["updated"] == 1 && report["conflicts"] == 1 && report["added"] == 0)
    #expect(try await bench.get(a)["text"] == "# A\n\none here\n\ntwo there\n")
    #expect(try await bench.get(b)["text"] == "# B\n\none here\n")
    let conflicts = try await bench.client.call("changes/conflicts", ["collection": "notes"])
    #expect(conflicts.items.map { $0["item"] } == [b])
    // A file that was moved is still the same note.
    let moved = try bench.folder("elsewhere", ["A.md": "# A\n\none here\n\ntwo there\n"])
    #expect(try await bench.take(moved)["added"] == 0)
    _ = try bench.folder("elsewhere", ["A.md": "# A\n\none here\n\ntwo and three\n"])
    #expect(try await bench.take(moved)["updated"] == 1)
    #expect(try await bench.get(a)["text"] == "# A\n\none here\n\ntwo and three\n")
    await bench.stop()
  }

  @Test("a graph of Logseq moves in: pages without their folder, names as Logseq writes them, properties as tags")
  func logseq() async throws {
    let bench = try await NoteBench()
    let graph = try bench.folder(
      "graph",
      [
        "pages/books___Dune.md": "tags:: novel, [[to read]]\nalias:: Arrakis\n- Sand.\n",
        "pages/C%3A.md": "- See [[books/Dune]] and [[Arrakis]].\n",
        "journals/2026_11_21.md": "- Read [[books/Dune]].\n", "logseq/bak/old.md": "old",
      ])
    #expect(try await bench.take(graph)["added"] == 3)
    #expect(Set(try await bench.titles()) == ["books/Dune", "C:", "2026_11_21"])
    let dune = try #require(try await bench.client.call("notes/list", ["tag": "to read"]).items.first)
    #expect(dune["tags"] == ["novel", "to read"])
    #expect(try await bench.sources(of: dune.id).count == 3)
    // The page of the tag itself, which the graph does not have.
    #expect(try await bench.client.call("links/broken")["total"] == 1)
    #expect(try await bench.titles(["tag": "journals"]) == ["2026_11_21"])
    await bench.stop()
  }

  @Test(
    "an export comes back as it was, with front matter, tags and open ends, and its edited files are edits",
    arguments: ["markdown", "jsonl"])
  func roundTrip(format: String) async throws {
    let bench = try await NoteBench()
    try await bench.add("# A/B: c?\nno end", ["id": "a", "tags": ["x, y", "z"], "frontMatter": "rating: 5\n"])
    try await bench.add("Twin\n", ["id": "b"])
    try await bench.add("Twin\nother\r\n", ["id": "c"])
    let path = bench.daemon.folder.file("out" + (format == "jsonl" ? ".jsonl" : ""))
    let params: JSONValue = ["path": .string(path), "format": .string(format)]
    #expect(try await bench.client.call("notes/export", params)["notes"] == 3)
    #expect(try await bench.client.failure("notes/export", params)?.kind == "exists")
    #expect(try await bench.take(path)["known"] == 3)
    if format == "markdown" {
      let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
      #expect(names == ["A-B- c-.md", "Twin-c.md", "Twin.md"])
      let file = path + "/Twin.md"
      let text = try String(contentsOfFile: file, encoding: .utf8)
      try Data((text + "more\n").utf8).write(to: URL(filePath: file))
      #expect(try await bench.take(path)["updated"] == 1)
      #expect(try await bench.get("b")["text"] == "Twin\nmore\n")
      _ = try await bench.client.call("changes/undo")
      try Data(text.utf8).write(to: URL(filePath: file))
    }
    let other = try await NoteBench()
    #expect(try await other.take(path)["added"] == 3)
    for id: JSONValue in ["a", "b", "c"] {
      let (one, two) = (try await bench.get(id), try await other.get(id))
      for field in ["text", "title", "tags", "frontMatter"] { #expect(one[field] == two[field], "\(id) \(field)") }
    }
    await bench.stop()
    await other.stop()
  }

  @Test("notes of folders are exported to folders of the same names, and come back with the same tags")
  func folders() async throws {
    let bench = try await NoteBench()
    let vault = try bench.folder(
      "vault",
      [
        "Top.md": "Top", "Animals/Cat.md": "Meow.", "Animals/Africa/Cat.md": "Big.",
        "Animals/Africa/Zebra.md": "Stripes.",
        "Plants/Fig.md": "Sweet.",
      ])
    #expect(try await bench.take(vault)["added"] == 5)
    // A note that has its folder no longer as a tag is outside of it.
    let fig = try #require(try await bench.client.call("notes/list", ["tag": "Plants"]).items.first)
    _ = try await bench.client.call("notes/update", ["id": fig.id, "tags": ["Fruit"]])
    let path = bench.daemon.folder.file("out")
    #expect(
      try await bench.client.call("notes/export", ["path": .string(path), "format": "markdown"])["notes"] == 5)
    func files(_ path: String) throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: path).filter { $0.hasSuffix(".md") }.sorted()
    }
    let exported = ["Animals/Africa/Cat.md", "Animals/Africa/Zebra.md", "Animals/Cat.md", "Fig.md", "Top.md"]
    #expect(try files(path) == exported)
    let other = try await NoteBench()
    #expect(try await other.take(path)["added"] == 5)
    #expect(Set(try await other.titles(["tag": "Animals/Africa"])) == ["Cat", "Zebra"])
    let again = other.daemon.folder.file("again")
    _ = try await other.client.call("notes/export", ["path": .string(again), "format": "markdown"])
    #expect(try files(again) == exported)
    await bench.stop()
    await other.stop()
  }

  @Test("what cannot be a note is named, and the others are imported")
  func hostile() async throws {
    let bench = try await NoteBench()
    let vault = try bench.folder(
      "vault", ["open.md": "---\nnever: closed\ntext", "fine.md": "fine", "nul.md": "a\0b", "odd.md": "---\n---\n"])
    try Data([0xFF, 0xFE, 0x41]).write(to: URL(filePath: vault + "/bytes.md"))
    let report = try await bench.take(vault)
    #expect(report["added"] == 3 && report["skipped"] == 2)
    #expect(Set(report["notes"].list.map { $0["file"].text }) == ["bytes.md", "nul.md"])
    #expect(Set(try await bench.titles()) == ["open", "fine", "odd"])
    #expect(try await bench.client.failure("notes/import", ["path": "/nowhere/at/all"])?.kind == "notFound")
    let wrong = Data("[1]\n".utf8).base64EncodedString()
    let failure = try await bench.client.failure("notes/import", ["data": .string(wrong), "format": "jsonl"])
    #expect(failure == nil)
    await bench.stop()
  }
}
