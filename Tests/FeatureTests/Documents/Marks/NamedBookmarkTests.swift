import Client
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Documents: named bookmarks") struct NamedBookmarkTests {
  private func named(
    _ bench: DocumentBench, _ id: JSONValue, _ page: Int, _ title: JSONValue?
  ) async throws -> JSONValue {
    var params: JSONObject = ["id": id, "page": json(page), "bookmarked": true]
    params["title"] = title
    return try await bench.client.call("documents/setBookmark", .object(params))
  }

  private func list(_ bench: DocumentBench, _ id: JSONValue) async throws -> [JSONValue] {
    try await bench.client.call("documents/bookmarks", ["id": id]).items
  }

  @Test("a bookmark is given a name, keeps it when it is set again, and loses it by null; each is one step of undo")
  func title() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: .numbered(3))
    #expect(try await named(bench, id, 1, "The proof")["title"] == "The proof")
    #expect(try await named(bench, id, 1, nil)["title"] == "The proof")
    let listed = try await list(bench, id)
    #expect(listed.map { $0["title"] } == ["The proof"])
    #expect(listed.first?["display"]?["title"] == "The proof (Page 2)")
    #expect(try await named(bench, id, 1, "Lemma 2")["title"] == "Lemma 2")
    _ = try await bench.client.call("changes/undo")
    #expect(try await list(bench, id).map { $0["title"] } == ["The proof"])
    #expect(try await named(bench, id, 1, .null)["title"] == nil)
    #expect(try await list(bench, id).first?["display"]?["title"] == "Page 2")
    // Toggling it off takes the name along, and undo brings it back.
    _ = try await named(bench, id, 1, "The proof")
    let off = try await bench.client.call("documents/toggleBookmark", ["id": id, "page": 1])
    #expect(off["bookmarked"] == false && off["title"] == nil)
    _ = try await bench.client.call("changes/undo")
    #expect(try await list(bench, id).map { $0["title"] } == ["The proof"])
    await bench.stop()
  }

  @Test("a name that is blank or too long is refused by its field, and nothing changes", arguments: [0, 1_001])
  func refused(length: Int) async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: .numbered(2))
    let title = length == 0 ? " " : String(repeating: "n", count: length)
    let failure = try await bench.client.failure(
      "documents/setBookmark", ["id": id, "page": 0, "bookmarked": true, "title": .string(title)])
    #expect(failure?.code == -32602 && failure?.data?["field"] == "title")
    #expect(try await list(bench, id) == [])
    await bench.stop()
  }

  @Test("search finds a bookmark by its name and leads to its page; one without a name, or removed, is not found")
  func searched() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: .numbered(3), title: "Numbers")
    _ = try await named(bench, id, 0, nil)
    _ = try await named(bench, id, 2, "Fundamental theorem")
    for text in ["theorem", "theorem in:bookmarks", "is:bookmark theorem"] {
      let hits = try await bench.client.call("search/query", ["text": .string(text)]).items
      #expect(hits.map { $0["collection"] } == ["bookmarks"], "\(text)")
      #expect(hits.first?["page"] == 2 && hits.first?["link"] == .string("commonplace:/documents/\(id.text)#page=2"))
    }
    _ = try await bench.client.call("documents/setBookmark", ["id": id, "page": 2, "bookmarked": false])
    #expect(try await bench.client.call("search/query", ["text": "theorem"]).items == [])
    await bench.stop()
  }

  @Test("an export names the bookmark: Markdown escaped, W3C as the body of the annotation")
  func exported() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: .numbered(2))
    _ = try await named(bench, id, 1, "a *star*")
    func export(_ format: String) async throws -> String {
      let reply = try await bench.client.call(
        "documents/export", ["id": id, "format": .string(format), "inline": true])
      return String(decoding: Data(base64Encoded: reply["data"].text) ?? Data(), as: UTF8.self)
    }
    #expect(try await export("markdown").contains("\n\nBookmarked: a \\*star\\*\n"))
    let items = try JSONParser.parse(try await export("w3c"))["first"]?["items"].list ?? []
    #expect(items.map { $0["body"]?["value"] } == ["a *star*"])
    #expect(items.first?["body"]?["purpose"] == "bookmarking")
    await bench.stop()
  }

  @Test("adopted bookmarks keep their names; on a page with a bookmark the name is kept if that one has none")
  func adopted() async throws {
    let bench = try await DocumentBench()
    let pages = [["the first page of a paper"], ["the second page of it"], ["the third page of it"]]
    let old = try await bench.id(of: SamplePDF(pages: pages.map { .init($0) }))
    let new = try await bench.id(of: SamplePDF(pages: ([["a new cover"]] + pages).map { .init($0) }))
    for (page, title) in ["one", "two", "three"].enumerated() { _ = try await named(bench, old, page, .string(title)) }
    _ = try await named(bench, new, 2, nil)
    _ = try await named(bench, new, 3, "mine")
    _ = try await bench.client.call("documents/adopt", ["id": new, "from": old])
    #expect(try await list(bench, new).map { $0["page"] } == [1, 2, 3])
    #expect(try await list(bench, new).map { $0["title"] } == ["one", "two", "mine"])
    #expect(try await list(bench, old) == [])
    await bench.stop()
  }
}
