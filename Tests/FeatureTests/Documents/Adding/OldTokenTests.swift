import Client
import Foundation
import Store
import TestSupport
import Testing
import Wire

/// Tokens that an earlier version stored.
@Suite("Documents: tokens of earlier versions", .timeLimit(.minutes(10))) struct OldTokenTests {
  private static let raw = "https://example.org/a.pdf?token=hunter2&v=1"
  private static let masked: JSONValue = "https://example.org/a.pdf?token={credential}&v=1"

  private static func files(with text: String, below folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).filter { name in
      FileManager.default.contents(atPath: folder + "/" + name)?.range(of: Data(text.utf8)) != nil
    }
  }

  @Test("a library of an earlier version is opened without the tokens of its documents and of their kept versions")
  func library() async throws {
    let folder = TemporaryFolder()
    let first = try await DocumentBench(in: folder)
    let id = try await first.id(of: SamplePDF(["text"]))
    // Two versions: one with a URL, one with another.
    for version in 1...2 {
      _ = try await first.client.call(
        "documents/update", ["id": id, "url": .string("https://example.org/a.pdf?plain=\(version)")])
    }
    await first.stop()
    let library = LibraryFolder(folder.file("library"))
    try OldLibraries.execute(
      """
      UPDATE document SET url = '\(Self.raw)', origins = '["\(Self.raw)","/home/u/a.pdf"]';
      UPDATE changes SET before = json_set(before, '$.url', '\(Self.raw)') WHERE before ->> '$.url' IS NOT NULL;
      DELETE FROM grdb_migrations WHERE identifier = 'documents/008';
      """, in: library)
    #expect(try Self.files(with: "hunter2", below: library.path) != [])

    let bench = try await DocumentBench(in: folder)
    let document = try await bench.client.call("documents/get", ["id": id])
    #expect(document["url"] == Self.masked && document["origins"] == [Self.masked, "/home/u/a.pdf"])
    let history = try await bench.client.call("changes/history", ["collection": "documents", "id": id])
    #expect("\(history)".contains("{credential}") && !"\(history)".contains("hunter2"))
    _ = try await bench.client.call("library/export", ["path": .string(bench.daemon.folder.file("archive.tar"))])
    _ = try await bench.client.call("library/backup", ["path": .string(bench.daemon.folder.file("backup"))])
    await bench.stop()
    #expect(try Self.files(with: "hunter2", below: folder.path) == [])
  }

  @Test("an archive of an earlier version is imported without its tokens")
  func archive() async throws {
    let folder = TemporaryFolder()
    let first = try await DocumentBench()
    _ = try await first.id(of: SamplePDF(["text"]))
    let path = folder.file("archive.tar")
    // A URL of the same length takes the place of this one in the archive, whose sizes stay as they are.
    let plain = Self.raw.replacing("token=", with: "plain=")
    let id = try #require(try await first.client.call("documents/list")["items"]?[0]?["id"])
    _ = try await first.client.call("documents/update", ["id": id, "url": .string(plain)])
    _ = try await first.client.call("library/export", ["path": .string(path)])
    await first.stop()
    var bytes = try Data(contentsOf: URL(filePath: path))
    let place = try #require(bytes.range(of: Data(plain.utf8)))
    bytes.replaceSubrange(place, with: Data(Self.raw.utf8))
    try bytes.write(to: URL(filePath: path))

    let bench = try await DocumentBench()
    _ = try await bench.client.call("library/import", ["path": .string(path)])
    #expect(try await bench.client.call("documents/get", ["id": id])["url"] == Self.masked)
    await bench.stop()
    #expect(try Self.files(with: "hunter2", below: bench.daemon.folder.file("library")) == [])
  }
}
