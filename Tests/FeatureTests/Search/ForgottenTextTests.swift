import Client
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Search: what was forgotten") struct ForgottenTextTests {
  @Test("of what was removed and forgotten no file of the library has a word once the index was made anew")
  func nothingIsLeft() async throws {
    let bench = try await QueryBench()
    let (first, second) = ("unforgettablesecret", "잊을수없는비밀")
    try await bench.write("a walk\n\(first) \(second)", id: "entry")
    try await bench.card("kept", id: "kept", ["body": "the river"])
    try await bench.card(first, id: "card", ["body": .string(second), "tags": [.string(first)]])
    _ = try await bench.client.call("diary/update", ["id": "entry", "text": .string("\(second)\n\(first) again")])
    _ = try await bench.client.call("diary/remove", ["id": "entry"])
    _ = try await bench.client.call("projects/remove", ["id": "card"])
    for (collection, id) in [("diary", "entry"), ("projects", "card")] {
      _ = try await bench.client.call(
        "changes/forget", ["collection": .string(collection), "id": .string(id)])
    }
    #expect(try await bench.ask(first, ["remember": false])["total"] == 0)
    let checked = try await bench.client.call("library/check", ["rebuildIndex": true])
    #expect(checked["findings"].list.isEmpty)
    #expect(try await bench.found("river") == ["kept"])
    let files = try Self.files(in: bench.daemon.library)
    #expect(files.contains { $0.lastPathComponent.contains("-wal") } && files.count > 1)
    for file in files {
      let bytes = try Data(contentsOf: file)
      for secret in [first, second, "unforgettable", "잊을"] {
        #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(file.lastPathComponent) has \(secret)")
      }
    }
    await bench.stop()
  }

  private static func files(in folder: String) throws -> [URL] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).map { URL(fileURLWithPath: folder + "/" + $0) }
      .filter { try $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true }
  }
}
