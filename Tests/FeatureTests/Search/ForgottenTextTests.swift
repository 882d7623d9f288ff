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
    try Self.expectNothing(of: [first, second, "unforgettable", "잊을"], in: bench.daemon.library)
    await bench.stop()
  }

  @Test("of a document that was removed and forgotten neither the text of its pages is left nor what was marked in it")
  func documents() async throws {
    let clock = TestClock()
    let bench = try await QueryBench(clock: clock)
    let sample = SamplePDF(["An unforgettable page."], ["Nothing here."])
    _ = try await bench.client.call(
      "documents/add", ["data": .string(sample.base64), "title": "secretpaper", "id": "paper"])
    _ = try await bench.client.indexed("paper")
    _ = try await bench.client.call(
      "documents/addHighlight",
      ["id": "paper", "page": 0, "lines": ["An unforgettable page."], "highlight": "h"])
    _ = try await bench.client.call("documents/updateHighlight", ["id": "h", "note": "firstsecret"])
    _ = try await bench.client.call("documents/updateHighlight", ["id": "h", "note": "secondsecret"])
    _ = try await bench.client.call("documents/setMemo", ["id": "paper", "page": 1, "text": "thirdsecret"])
    try await bench.card("kept", id: "kept", ["body": "the river"])
    // While it is there, what is forgotten of it is its own.
    let own = try await bench.client.call("changes/forget", ["collection": "documents", "id": "paper"])
    let kept = try await bench.client.call("changes/history", ["collection": "highlights", "id": "h"]).items
    #expect(kept.count == 3 && kept[0]["before"] != nil)
    _ = try await bench.client.call("documents/remove", ["id": "paper"])
    let all = try await bench.client.call("changes/forget", ["collection": "documents", "id": "paper"])
    #expect(own.forgotten < all.forgotten)
    // A file that just came may be on its way into the library.
    clock.advance(milliseconds: 2 * 3_600_000)
    let old = [FileAttributeKey.modificationDate: Date(timeIntervalSince1970: 0)]
    for file in try Self.files(in: bench.daemon.library) where !file.lastPathComponent.hasPrefix("library.sqlite") {
      try FileManager.default.setAttributes(old, ofItemAtPath: file.path)
    }
    let checked = try await bench.client.call("library/check", ["rebuildIndex": true])
    #expect(checked["findings"].list.isEmpty && checked["removedFiles"] != 0)
    #expect(try await bench.found("river") == ["kept"])
    let secrets = ["secretpaper", "unforgettable", "firstsecret", "secondsecret", "thirdsecret"]
    try Self.expectNothing(of: secrets, in: bench.daemon.library)
    await bench.stop()
  }

  private static func expectNothing(of secrets: [String], in library: String) throws {
    let files = try files(in: library)
    #expect(files.contains { $0.lastPathComponent.contains("-wal") } && files.count > 1)
    for file in files {
      let bytes = try Data(contentsOf: file)
      for secret in secrets {
        #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(file.lastPathComponent) has \(secret)")
      }
    }
  }

  private static func files(in folder: String) throws -> [URL] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).map { URL(fileURLWithPath: folder + "/" + $0) }
      .filter { try $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true }
  }
}

extension JSONValue {
  fileprivate var forgotten: Int64 { self["forgotten"]?.integerValue ?? -1 }
}
