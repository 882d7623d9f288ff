import Client
import Foundation
import TestSupport
import Testing
import Wire

/// A URL with a token in it fetches a document, and then the token is gone.
@Suite("Documents: URLs with a token", .timeLimit(.minutes(10))) struct TokenURLTests {
  /// The files below a folder in which a text stands.
  private static func files(with text: String, below folder: String) throws -> [String] {
    let needle = Data(text.utf8)
    return try FileManager.default.subpathsOfDirectory(atPath: folder).filter { name in
      FileManager.default.contents(atPath: folder + "/" + name)?.range(of: needle) != nil
    }
  }

  @Test("a token is sent, and stands in no file, list, export, log or history afterwards; a refresh asks for it again")
  func token() async throws {
    let sample = SamplePDF(pages: [.init(["On reading"])])
    let server = try ScriptedServer { request in
      guard request.target.contains("token=hunter2") else { return .text("who?", status: 403) }
      return request.path == "/start"
        ? .redirect(to: "/signed?token=hunter2&X-Amz-Signature=hunter2sig")
        : .file(Data(sample.bytes), to: request, etag: "\"v1\"")
    }
    defer { server.stop() }
    let bench = try await DocumentBench()
    let url = server.origin + "/a.pdf?token=hunter2&v=1"
    let shown: JSONValue = .string(server.origin + "/a.pdf?token={credential}&v=1")
    let added = try await bench.client.call("documents/add", ["url": .string(url)])
    #expect(added["url"] == shown && added["origins"] == [shown])
    // By another way to the same bytes, and by hand.
    _ = try await bench.client.call("documents/add", ["url": .string(server.origin + "/start?token=hunter2")])
    _ = try await bench.client.call("documents/update", ["id": added.id, "url": .string(url), "title": "T"])

    let refused = try await bench.client.failure("documents/refresh", ["id": added.id])
    #expect(refused?.kind == "unauthorized" && refused?.message.contains("{credential}") == true)
    let again = try await bench.client.call("documents/refresh", ["id": added.id, "url": .string(url)])
    #expect(again["refreshed"] == false && again["document"]?["url"] == shown)
    _ = try await bench.client.failure("documents/add", ["url": .string(server.origin + "/gone?token=hunter2bad")])

    let marks = bench.daemon.folder.file("marks.md")
    _ = try await bench.client.call(
      "documents/export", ["id": added.id, "format": "markdown", "path": .string(marks)])
    _ = try await bench.client.call("library/export", ["path": .string(bench.daemon.folder.file("archive.tar"))])
    _ = try await bench.client.call("library/backup", ["path": .string(bench.daemon.folder.file("backup"))])
    let history = [
      try await bench.client.call("changes/log"),
      try await bench.client.call("changes/history", ["collection": "documents", "id": added.id]),
    ]
    #expect(!"\(history)".contains("hunter2"))
    #expect(!bench.daemon.logLines.joined().contains("hunter2"))
    #expect(try Self.files(with: "hunter2", below: bench.daemon.folder.path) == [])
    await bench.stop()
    #expect(try Self.files(with: "hunter2", below: bench.daemon.folder.path) == [])
  }
}
