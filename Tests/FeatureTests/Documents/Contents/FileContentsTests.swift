import Client
import Foundation
import Store
import TestSupport
import Testing
import Wire

/// What lies in a file beside its pages.
@Suite("Documents: what a file says") struct FileContentsTests {
  private static let locked: JSONValue = .string(Data(SamplePDF.locked).base64EncodedString())

  @Test("the outline, links and metadata are answered in places of displayed pages, and kept for good")
  func said() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: .described)
    func ask(_ bench: DocumentBench) async throws -> [JSONValue] {
      [
        try await bench.client.call("documents/outline", ["id": id]),
        try await bench.client.call("documents/links", ["id": id, "page": 0]),
        try await bench.client.call("documents/metadata", ["id": id]),
        try await bench.client.call("documents/attachments", ["id": id]),
      ]
    }
    let said = try await ask(bench)
    let headings = said[0].items
    #expect(headings.map { $0["title"].text } == ["One", "Outside", "Named", "Missing"])
    #expect(headings.map { $0["depth"] } == [0, 1, 0, 0] && said[0]["truncated"] == nil)
    #expect(headings[0]["target"] == ["kind": "page", "page": 0, "label": "1 / 2", "x": 72, "y": 92, "zoom": 2])
    #expect(headings[1]["target"] == ["kind": "uri", "uri": "https://example.org/a?b=1"])
    // The page lies on its side: what was a height is a distance from the left.
    #expect(headings[2]["target"] == ["kind": "page", "page": 1, "label": "2 / 2", "x": 400])
    #expect(headings[3]["target"] == ["kind": "broken", "name": "missing"])
    let inside = said[1].items.first { $0["target"]?["kind"] == "page" }
    #expect(inside?["quad"]?.numbers == [72, 172, 200, 172, 200, 192, 72, 192])
    #expect(inside?["target"]?["x"] == 500 && inside?["target"]?["y"] == 50)
    #expect(said[1].items.contains { $0["target"]?["uri"] == "https://example.org/out" })
    #expect(said[2]["author"] == "Ada" && said[2]["createdAt"] == "2026-11-21T10:45:00.000Z")
    #expect(said[2]["layout"] == "twoColumnLeft" && said[2]["mode"] == "outlines" && said[2]["version"] == "PDF-1.4")
    #expect(said[2]["xmp"].text.contains("xmpmeta") && said[2]["fonts"]?[0]?["name"] == "Helvetica")
    #expect(said[2]["permissions"].list.count == 8 && said[2]["encrypted"] == false)
    #expect(said[3].items == [])
    await bench.stop()

    // A second question needs no worker: there is none.
    let again = try await DocumentBench(in: bench.daemon.folder) { $0.workers.executable = "/nonexistent/worker" }
    #expect(try await ask(again) == said)
    #expect(try await again.client.failure("documents/links", ["id": id, "page": 1])?.kind == "sandboxUnavailable")
    await again.stop()
  }

  @Test("a page that does not exist and a document that does not are named")
  func missing() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: .described)
    let page = try await bench.client.failure("documents/links", ["id": id, "page": 2])
    #expect(page?.code == RPCError.Code.invalidParams && page?.data?["field"] == "page")
    for method in ["outline", "metadata", "attachments", "importMarks"] {
      #expect(try await bench.client.failure("documents/\(method)", ["id": "none"])?.kind == "notFound", "\(method)")
    }
    await bench.stop()
  }

  @Test("a file within a document is saved byte for byte, over no other and through no link, whatever its name")
  func attachments() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: .carrying)
    let files = try await bench.client.call("documents/attachments", ["id": id]).items
    #expect(files.map { $0["name"] } == ["../../evil.sh", "pinned.txt"] && files.map { $0["page"] } == [nil, 1])
    let folder = bench.daemon.folder.file("saved")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    func save(_ index: Int, _ name: String, overwrite: Bool? = nil) async throws -> RemoteError? {
      var params: JSONObject = ["id": id, "attachment": json(index), "path": .string("\(folder)/\(name)")]
      if let overwrite { params["overwrite"] = .bool(overwrite) }
      return try await bench.client.failure("documents/saveAttachment", .object(params))
    }
    func content(_ name: String) throws -> String { try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8) }
    #expect(try await save(0, "a.txt") == nil)
    #expect(try content("a.txt") == "hello")
    #expect(try await save(1, "a.txt")?.kind == "exists")
    #expect(try content("a.txt") == "hello")
    #expect(try await save(1, "a.txt", overwrite: true) == nil)
    #expect(try content("a.txt") == "pinned bytes")
    // Neither through a link nor over a folder, whatever is allowed.
    let outside = bench.daemon.folder.file("outside")
    try Data("outside".utf8).write(to: URL(filePath: outside))
    try FileManager.default.createSymbolicLink(atPath: "\(folder)/link", withDestinationPath: outside)
    try FileManager.default.createDirectory(atPath: "\(folder)/folder", withIntermediateDirectories: true)
    for overwrite in [nil, true] as [Bool?] {
      #expect(try await save(0, "link", overwrite: overwrite)?.kind == "exists")
      #expect(try await save(0, "folder", overwrite: overwrite)?.kind == "exists")
    }
    #expect(try String(contentsOfFile: outside, encoding: .utf8) == "outside")
    #expect(try await save(0, "missing/a.txt")?.kind == "notFound")
    let none = try await save(2, "b.txt")
    #expect(none?.code == RPCError.Code.invalidParams && none?.data?["field"] == "attachment")
    #expect(try await save(0, "a\u{0}b")?.code == RPCError.Code.invalidParams)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["a.txt", "folder", "link"])
    await bench.stop()
  }

  @Test("a protected file says nothing without its password, and nothing of it is kept")
  func protected() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.client.call("documents/add", ["data": Self.locked, "password": "open"])["id"]!
    #expect(try await bench.client.call("documents/metadata", ["id": id])["encrypted"] == true)
    #expect(try await bench.client.failure("documents/importMarks", ["id": id])?.kind == "notAllowed")
    await bench.stop()
    let again = try await DocumentBench(in: bench.daemon.folder)
    for method in ["outline", "metadata", "attachments"] {
      #expect(
        try await again.client.failure("documents/\(method)", ["id": id])?.kind == "passwordRequired", "\(method)")
      #expect(
        try await again.client.failure("documents/\(method)", ["id": id, "password": "guess"])?.kind
          == "passwordRequired", "\(method)")
    }
    #expect(try await again.client.failure("documents/links", ["id": id, "page": 0])?.kind == "passwordRequired")
    _ = try await again.client.call("documents/outline", ["id": id, "password": "open"])
    // The right one is known from then on, in memory.
    _ = try await again.client.call("documents/links", ["id": id, "page": 0])
    await again.stop()
  }

  @Test("what a protected file said by leave is forgotten when it comes again without, and is not kept then")
  func takenBack() async throws {
    let bench = try await DocumentBench()
    let library = bench.daemon.daemon.services.library
    func kept() async throws -> Int? {
      try await library.read(as: DaemonCaller()) { try $0.db.integer("SELECT count(*) FROM pdfSaid") }
    }
    var params: JSONObject = ["data": Self.locked, "password": "open", "index": true]
    let id = try await bench.client.call("documents/add", .object(params))["id"]!
    for method in ["outline", "metadata"] { _ = try await bench.client.call("documents/\(method)", ["id": id]) }
    #expect(try await kept() == 2)
    _ = try await bench.client.call("documents/remove", ["id": id])
    params["index"] = false
    let again = try await bench.client.call("documents/add", .object(params))["id"]!
    #expect(try await kept() == 0)
    _ = try await bench.client.call("documents/outline", ["id": again])
    #expect(try await kept() == 0)
    await bench.stop()
  }
}
