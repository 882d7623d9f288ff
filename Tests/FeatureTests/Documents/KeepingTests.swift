import Client
import Foundation
import SQLite
import SearchEngine
import Store
import TestSupport
import Testing
import Wire

@Suite("Documents: keeping") struct KeepingTests {
  /// Opens the database of a library whose daemon has ended.
  static func database(_ daemon: TestDaemon) throws -> Database {
    try SearchLibrary.open(LibraryFolder(daemon.library).database)
  }

  /// The parts of documents that search finds: 0 is the title, 1 the first page.
  static func found(_ text: String, in database: Database) throws -> [Int] {
    try database.read { db in
      try SearchIndex.candidates(
        matching: MatchQuery(userText: text), collections: ["documents"], limit: 100, now: 0, in: db
      )
      .map(\.part).sorted()
    }
  }

  @Test("P26 P27 after a restart every document has its title, URL, bookmarks, memos, highlights and position")
  func restart() async throws {
    let bench = try await DocumentBench()
    let server = try ScriptedServer { .file(Data(SamplePDF.numbered(3).bytes), to: $0) }
    let added = try await bench.client.call(
      "documents/add", ["title": "Kept", "url": .string(server.origin + "/k")])
    let id = added["id"]!
    for page in [0, 2] {
      _ = try await bench.client.call("documents/setBookmark", ["id": id, "page": json(page), "bookmarked": true])
      _ = try await bench.client.call(
        "documents/setMemo", ["id": id, "page": json(page), "text": .string("memo \(page)")])
      _ = try await bench.client.call(
        "documents/addHighlight", ["id": id, "page": json(page), "lines": [.string("page number \(page + 1)")]])
    }
    _ = try await bench.client.call("documents/setPosition", ["id": id, "page": 1, "y": 0.25])
    let methods = ["documents/get", "documents/bookmarks", "documents/memos", "documents/highlights"]
    func state(_ client: Client) async throws -> [JSONValue] {
      var replies: [JSONValue] = []
      for method in methods { replies.append(try await client.call(method, ["id": id])) }
      return replies
    }
    let before = try await state(bench.client)
    await bench.stop()
    let again = try await DocumentBench(in: bench.daemon.folder)
    let after = try await state(again.client)
    #expect(before == after)
    #expect(after[0]["position"] == ["page": 1, "y": 0.25])
    await again.stop()
  }

  @Test("a page has its size as the file has it, without what the difference of two binary fractions adds")
  func size() async throws {
    let bench = try await DocumentBench()
    var sample = SamplePDF(["One line."])
    sample.pages[0].entries = "/CropBox[0.3 0 595.58 792]"
    let page = try await bench.client.call("documents/page", ["id": try await bench.id(of: sample), "page": 0])
    #expect(page["width"] == 595.28 && page["height"] == 792, "\(page)")
    await bench.stop()
  }

  @Test("P7 P8 removing takes the marks along; undo brings back the same ids, marks, bytes and what search finds")
  func undo() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(["zebra crossing"], ["giraffe"]), title: "Animals")
    _ = try await bench.client.call("documents/setBookmark", ["id": id, "page": 1, "bookmarked": true])
    _ = try await bench.client.call("documents/setMemo", ["id": id, "page": 0, "text": "striped"])
    _ = try await bench.client.call("documents/addHighlight", ["id": id, "page": 0, "lines": ["zebra"]])
    let before = try await bench.client.call("documents/page", ["id": id, "page": 0])
    _ = try await bench.client.call("documents/remove", ["id": id])
    for method in ["documents/get", "documents/bookmarks", "documents/memos", "documents/highlights"] {
      #expect(try await bench.client.failure(method, ["id": id])?.kind == "notFound")
    }
    #expect(try await bench.client.failure("documents/text", ["id": id, "page": 0])?.kind == "notFound")
    _ = try await bench.client.call("changes/undo")
    let after = try await bench.client.call("documents/page", ["id": id, "page": 0])
    #expect(after["highlights"]?[0]?["id"] == before["highlights"]?[0]?["id"])
    #expect(after["highlights"]?[0]?["lines"] == before["highlights"]?[0]?["lines"])
    #expect(after["memo"]?["text"] == "striped")
    #expect(try await bench.client.call("documents/bookmarks", ["id": id]).items.map { $0["page"] } == [1])
    #expect(try await bench.client.call("documents/get", ["id": id])["state"] == "ready")
    let picture = try await bench.client.call("documents/render", ["id": id, "page": 0, "width": 100])
    #expect(FileManager.default.isReadableFile(atPath: picture["path"].text))
    #expect(try await bench.add(SamplePDF(["zebra crossing"], ["giraffe"]))["existing"] == true)
    await bench.stop()
    let database = try Self.database(bench.daemon)
    #expect(try Self.found("zebra", in: database) == [1])
    #expect(try Self.found("giraffe", in: database) == [2])
    #expect(try Self.found("animals", in: database) == [0])
  }

  @Test("P28 P29 a row whose URL cannot be understood is kept and flagged broken until it is given another")
  func broken() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(["x"]), title: "old")
    await bench.stop()
    try Self.database(bench.daemon).write { db in
      try db.execute("UPDATE document SET url = 'htp:/what'")
    }
    let again = try await DocumentBench(in: bench.daemon.folder)
    let document = try await again.client.call("documents/get", ["id": id])
    #expect(document["broken"] == true && document["url"] == "htp:/what")
    #expect(try await again.titles() == ["old"])
    #expect(try await again.client.call("documents/text", ["id": id, "page": 0])["text"].text.hasPrefix("x"))
    let bad = try await again.client.failure("documents/update", ["id": id, "url": "still wrong"])
    #expect(bad?.kind == "invalidURL")
    let mended = try await again.client.call("documents/update", ["id": id, "url": " https://example.org/a "])
    #expect(mended["broken"] == nil && mended["url"] == "https://example.org/a")
    #expect(try await again.client.call("documents/update", ["id": id, "url": .null])["url"] == nil)
    await again.stop()
  }

  @Test(
    "P12 a long document is readable at once, its text comes in the background, and a restart in the middle takes it up"
  )
  func indexing() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: .numbered(60), title: "long")
    #expect(try await bench.client.call("documents/text", ["id": id, "page": 59])["text"].text.contains("number 60"))
    #expect(try await bench.indexed(id)["state"] == "ready")
    await bench.stop()
    // As a daemon that was killed leaves it.
    try Self.database(bench.daemon).write { db in
      try db.execute("UPDATE pdfPage SET text = NULL, length = NULL WHERE page >= 30")
      try db.execute(
        """
        DELETE FROM search_body WHERE rowid IN (SELECT rowid FROM search_entry WHERE part > 30);
        DELETE FROM search_entry WHERE part > 30;
        """)
    }
    let again = try await DocumentBench(in: bench.daemon.folder)
    #expect(try await again.client.call("documents/get", ["id": id])["state"] == "indexing")
    // A mark made before its page's text was there gets its anchor with it.
    let mark: JSONValue = ["id": id, "page": 50]
    _ = try await again.client.call("documents/toggleBookmark", mark)
    let early = try await again.client.failure(
      "documents/toggleHighlight", ["id": id, "page": 50, "lines": ["page number 51"]])
    #expect(early?.kind == "busy" && early?.message.contains("51") == true)
    again.daemon.daemon.startBackgroundWork()
    #expect(try await again.indexed(id)["state"] == "ready")
    _ = try await again.client.call("documents/toggleHighlight", ["id": id, "page": 50, "lines": ["page number 51"]])
    await again.stop()
    let anchors = try Self.database(bench.daemon).read { db in
      try db.texts("SELECT anchor FROM bookmark UNION ALL SELECT anchor FROM highlight")
    }
    #expect(anchors.count == 2)
    for text in anchors {
      let anchor = try JSONParser.parse(text)
      #expect(anchor["quote"].text.contains("page number 51"))
      #expect(anchor["hash"].text.count == 64 && anchor["fileID"] == .string(String(repeating: "0a", count: 16)))
      #expect((anchor["documentOffset"]?.integerValue ?? 0) > 50 * 10)
    }
    #expect(try JSONParser.parse(anchors[0])["pageHash"].text.count == 64)
  }

  @Test(
    "a document that was taken back and added again is not brought back beside itself: no bytes are there twice")
  func notTwice() async throws {
    let bench = try await DocumentBench()
    let sample = SamplePDF(["once"])
    _ = try await bench.add(sample)
    let undo = try await bench.client.call("changes/undo")
    let second = try await bench.add(sample)
    let again = try await bench.client.failure("changes/undo", ["clock": undo["clock"]!])
    #expect(again?.kind == "conflict")
    #expect(try await bench.client.call("documents/list").items.map { $0["id"] } == [second["id"]])
    await bench.stop()
  }

  @Test(
    "an add is not taken back over another client's memo; forced it takes the memo along, and a redo brings both back")
  func undoOverMemo() async throws {
    let bench = try await DocumentBench()
    let id = try #require(try await bench.add(SamplePDF(["once"]))["id"])
    let other = try await bench.daemon.client(name: "other")
    _ = try await other.call("documents/setMemo", ["id": id, "page": 0, "text": "theirs"])
    #expect(try await bench.client.failure("changes/undo")?.kind == "conflict")
    #expect(try await bench.client.call("documents/memos", ["id": id]).items.map { $0["text"] } == ["theirs"])
    _ = try await bench.client.call("changes/undo", ["force": true])
    #expect(try await bench.client.failure("documents/get", ["id": id])?.kind == "notFound")
    _ = try await bench.client.call("changes/redo")
    #expect(try await bench.client.call("documents/memos", ["id": id]).items.map { $0["text"] } == ["theirs"])
    await bench.stop()
  }
}
