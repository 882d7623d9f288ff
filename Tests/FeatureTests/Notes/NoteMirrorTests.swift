import Client
import Foundation
import Store
import TestSupport
import Testing
import Wire

@Suite("Notes: the mirror folder") struct NoteMirrorTests {
  private func mirror(_ bench: NoteBench) async throws -> JSONValue {
    try await bench.client.call("notes/mirror", ["path": .string(path(bench))])
  }

  private func path(_ bench: NoteBench) -> String { bench.daemon.folder.file("mirror") }

  /// The texts of the files below their front matter, by name.
  private func files(_ bench: NoteBench) throws -> [String: String] {
    var files: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: path(bench)) where name.hasSuffix(".md") {
      let text = try String(contentsOfFile: path(bench) + "/" + name, encoding: .utf8)
      let body = String(text.split(separator: "---\n", omittingEmptySubsequences: false).last ?? "")
      files[name] = text.contains("finalNewline: no\n") ? String(body.dropLast()) : body
    }
    return files
  }

  @Test("every note is a file of its title, and follows what is added, renamed, removed and taken back")
  func follows() async throws {
    let bench = try await NoteBench()
    let dune = try await bench.add("# Dune\r\n\r\nSand.")
    #expect(try await mirror(bench)["state"] == "current")
    #expect(try files(bench) == ["Dune.md": "# Dune\r\n\r\nSand."])
    let other = try await bench.add("dune\nanother", ["tags": ["novel"]])
    _ = try await bench.client.call("notes/update", ["id": dune.id, "text": "# Arrakis: the planet\n\nSand."])
    #expect(try await mirror(bench)["files"] == 2)
    let names = try files(bench).keys.sorted()
    #expect(names.contains("Arrakis- the planet.md"))
    // Of two notes with one title, the later has its id in the name, whatever the case.
    #expect(names.contains("dune-\(other.id.text).md") || names.contains("dune.md"), "\(names)")
    _ = try await bench.client.call("notes/remove", ["id": other.id])
    _ = try await bench.client.call("changes/undo")
    _ = try await bench.client.call("notes/remove", ["id": dune.id])
    #expect(try await mirror(bench)["files"] == 1)
    #expect(try files(bench).values.sorted() == ["dune\nanother"])
    #expect(try await bench.client.call("notes/mirror", ["path": .null])["state"] == "off")
    await bench.stop()
  }

  @Test("what somebody writes into a file stays, is told, and comes in by an import")
  func edited() async throws {
    let bench = try await NoteBench()
    let note = try await bench.add("Dune\nSand.", ["tags": ["novel"], "frontMatter": "rating: 5"])
    _ = try await mirror(bench)
    #expect(try await mirror(bench)["edited"] == nil)
    let file = path(bench) + "/Dune.md"
    let old = try String(contentsOfFile: file, encoding: .utf8)
    try old.replacing("Sand.", with: "Spice.").replacing("rating: 5", with: "rating: 4")
      .write(toFile: file, atomically: true, encoding: .utf8)
    let state = try await mirror(bench)
    #expect(state["edited"] == ["Dune.md"] && state["display"]?.text.contains("notes/import") == true, "\(state)")
    let report = try await bench.client.call("notes/import", ["path": .string(path(bench))])
    #expect(report["updated"] == 1 && report["added"] == 0, "\(report)")
    let read = try await bench.get(note.id)
    #expect(read["text"] == "Dune\nSpice." && read["frontMatter"] == "rating: 4" && read["tags"] == ["novel"])
    #expect(try await mirror(bench)["edited"] == nil)
    // Both sides: the file is set aside, and its text is not lost.
    let present = try String(contentsOfFile: file, encoding: .utf8)
    try present.replacing("Spice.", with: "Worms.").write(toFile: file, atomically: true, encoding: .utf8)
    _ = try await bench.client.call("notes/update", ["id": note.id, "text": "Dune\nWater."])
    let both = try await mirror(bench)
    #expect(both["setAside"]?.arrayValue?.count == 1, "\(both)")
    #expect(try files(bench)["Dune.md"] == "Dune\nWater.")
    #expect(try files(bench).values.contains("Dune\nWorms."))
    await bench.stop()
  }

  @Test("the next daemon goes on with the mirror, with the files that notes show, beside that of the diary")
  func restarted() async throws {
    let bench = try await NoteBench()
    let note = try await bench.add("Dune")
    _ = try await mirror(bench)
    let diary = bench.daemon.folder.file("diary")
    _ = try await bench.client.call("diary/add", ["text": "A walk", "id": "a"])
    #expect(try await bench.client.call("diary/mirror", ["path": .string(diary)])["files"] == 1)
    await bench.stop()
    let next = try await NoteBench(in: bench.daemon.folder)
    let photo = Data(base64Encoded: SamplePicture.png) ?? Data()
    let attached = try await next.client.call(
      "notes/attach", ["id": note.id, "data": .string(SamplePicture.png), "name": "map.png"])
    let state = try await next.client.call("notes/mirror")
    #expect(state["state"] == "current" && state["files"] == 1 && state["edited"] == nil, "\(state)")
    let hash = Blobs.hash(of: [UInt8](photo))
    #expect(try files(next)["Dune.md"] == "Dune\n![map.png](files/\(hash).png)")
    #expect(FileManager.default.contents(atPath: "\(path(next))/files/\(hash).png") == photo)
    #expect(attached["text"] == .string("Dune\n![map.png](commonplace:/files/\(hash))"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: diary).filter { $0.hasSuffix(".md") } == ["2026-11-21-a.md"])
    // Neither takes the folder of the other.
    #expect(try await next.client.failure("notes/mirror", ["path": .string(diary)])?.kind == "exists")
    await next.stop()
  }
}
