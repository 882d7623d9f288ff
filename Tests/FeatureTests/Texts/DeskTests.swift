import Client
import Contract
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Texts: the desk") struct DeskTests {
  private func path(_ bench: TextBench, _ text: String) async throws -> String {
    try await bench.client.call("text/path", ["path": .string(text)])["path"].text
  }

  @Test("a text is laid as a file that only the user can read, and a path that names nothing lays none")
  func laid() async throws {
    let bench = try await TextBench()
    let id = try await bench.entry("A walk")
    let file = try await path(bench, "diary/entry/\(id).md")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "A walk")
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
    func mode(_ path: String) throws -> Int {
      (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int) ?? 0
    }
    #expect(try mode(file) == 0o600 && mode(folder) == 0o700)
    let link = try await bench.client.call("text/path", ["link": .string("commonplace:/diary/\(id)")])
    #expect(link["path"].text == file && link["line"] == 0)
    for wrong in ["diary/../../x.md", "diary//x.md", "diary/%2e%2e/x.md", "x", "diary/entry/a%00b.md"] {
      #expect(try await bench.client.failure("text/path", ["path": .string(wrong)])?.data?["field"] == "path")
    }
    #expect(try await bench.client.failure("text/path", ["path": "diary/entry/none.md"])?.data?["kind"] == "notFound")
    await bench.stop()
  }

  @Test("a file that another program has changed is saved when it is looked at again, and then as the library is")
  func outside() async throws {
    let bench = try await TextBench()
    let id = try await bench.card("One")
    let file = try await path(bench, "projects/board.md")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try text.replacing("- [ ] One", with: "- [ ] First").write(toFile: file, atomically: true, encoding: .utf8)
    _ = try await path(bench, "projects/board.md")
    _ = try await bench.clock()
    // The save was queued before this write, and is done with it.
    try await bench.card("Two")
    #expect(try await bench.client.call("projects/get", ["id": .string(id)])["title"] == "First")
    _ = try await path(bench, "projects/board.md")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == (try await bench.open("projects/board.md")).text)
    await bench.stop()
  }
}
