import Client
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Documents: marks that go to another document") struct AdoptTests {
  private static func book(_ first: [String], identifier: String) -> SamplePDF {
    var sample = SamplePDF(
      pages: [.init(first)] + (2...12).map { .init(["this is page \($0) of the book", "and its words of \($0)"]) })
    sample.identifier = identifier
    return sample
  }

  @Test("a file that was saved anew names the one that it is like: by its /ID, or by nine tenths of its pages' text")
  func similar() async throws {
    let bench = try await DocumentBench()
    let first = try await bench.id(of: Self.book(["the first page of it all", "as it was"], identifier: "01"))
    let saved = try await bench.add(Self.book(["the first page of it all", "as it is now"], identifier: "02"))
    #expect(saved["similarTo"] == [first])
    // The reply says so again for bytes that are there.
    let again = try await bench.add(Self.book(["the first page of it all", "as it is now"], identifier: "02"))
    #expect(again["existing"] == true && again["similarTo"] == [first])
    let pages = Array(Self.book(["x"], identifier: "03").pages.suffix(6))
    var half = SamplePDF(
      pages: pages + [
        .init(["quite another page of text, which no other document has"]),
        .init(["and one more that is new here and long enough to count"]),
      ])
    half.identifier = "03"
    #expect(try await bench.add(half)["similarTo"] == nil)
    var blank = SamplePDF(pages: [.init([]), .init(["1"])])
    blank.identifier = "04"
    _ = try await bench.add(blank)
    blank.title = "another"
    blank.identifier = "05"
    #expect(try await bench.add(blank)["similarTo"] == nil, "pages without text are not alike")
    await bench.stop()
  }

  @Test("a link to a highlight stands with the document that has it now, also after an undo, and one to a page stays")
  func links() async throws {
    let bench = try await DocumentBench()
    let client = bench.client
    let old = try await bench.id(of: Self.book(["the first page of it all", "as it was"], identifier: "01"))
    let new = try await bench.id(of: Self.book(["a preface that is new", "and no more"], identifier: "02"))
    let highlight = try await client.call(
      "documents/addHighlight", ["id": old, "page": 2, "lines": ["and its words of 3"]])
    let links = ["highlight=\(highlight.id.text)", "page=2"].map { "commonplace:/documents/\(old.text)#\($0)" }
    for (number, link) in links.enumerated() {
      _ = try await client.call("diary/add", ["id": .string("e\(number)"), "text": .string("see \(link) there")])
    }
    func sources(_ item: JSONValue) async throws -> [String] {
      try await client.call("links/to", ["id": item]).items.map { $0.id.text }
    }
    #expect(try await sources(old) == ["e1", "e0"])
    #expect(try await sources(new) == [])
    _ = try await client.call("documents/adopt", ["id": new, "from": old])
    #expect(try await sources(old) == ["e1"])
    #expect(try await sources(new) == ["e0"])
    #expect(try await sources(highlight.id) == ["e0"])
    #expect(try await client.call("links/broken")["total"] == 0)
    #expect(try await client.call("library/check")["findings"].list.isEmpty)
    _ = try await client.call("changes/undo")
    #expect(try await sources(old) == ["e1", "e0"])
    #expect(try await sources(new) == [])
    // Of one that is gone the document that the link names is told, and that it leads nowhere.
    _ = try await client.call("documents/removeHighlight", ["id": highlight.id])
    #expect(try await sources(old) == ["e1", "e0"])
    #expect(try await client.call("links/broken")["total"] == 1)
    await bench.stop()
  }

  @Test("the marks of one document go to another with ids and notes; what both have becomes one; undo takes them back")
  func adopt() async throws {
    let bench = try await DocumentBench()
    let client = bench.client
    let old = try await bench.id(of: Self.book(["the first page of it all", "as it was"], identifier: "01"))
    let new = try await bench.id(of: Self.book(["a preface that is new", "and no more"], identifier: "02"))
    func highlight(_ document: JSONValue, _ line: String, _ page: Int, _ note: String? = nil) async throws -> JSONValue
    {
      var params: JSONObject = ["id": document, "page": json(page), "lines": [.string(line)]]
      params["note"] = note.map(JSONValue.string)
      return try await client.call("documents/addHighlight", .object(params))
    }
    let moved = try await highlight(old, "and its words of 3", 2, "mine")
    let lost = try await highlight(old, "as it was", 0)
    let double = try await highlight(old, "and its words of 5", 4, "a note")
    let own = try await highlight(new, "and its words of 5", 4)
    for page in [3, 6] {
      _ = try await client.call("documents/setBookmark", ["id": old, "page": json(page), "bookmarked": true])
    }
    _ = try await client.call("documents/setBookmark", ["id": new, "page": 6, "bookmarked": true])
    _ = try await client.call("documents/setMemo", ["id": old, "page": 7, "text": "from the old one"])
    _ = try await client.call("documents/setMemo", ["id": new, "page": 7, "text": "of the new one"])
    let reply = try await client.call("documents/adopt", ["id": new, "from": old])
    #expect(reply["counts"] == ["exact": 5, "moved": 0, "fuzzy": 0, "orphan": 1])
    let merged = reply["marks"].list.filter { $0["mergedInto"] != nil }
    #expect(merged.count == 3 && merged.contains { $0["id"] == double["id"] && $0["mergedInto"] == own["id"] })
    let highlights = try await client.call("documents/highlights", ["id": new]).items
    #expect(Set(highlights.map { $0["id"].text }) == Set([moved, lost, own].map { $0["id"].text }))
    let there = try #require(highlights.first { $0["id"] == moved["id"] })
    #expect(there["note"] == "mine" && there["createdAt"] == moved["createdAt"] && there["document"] == new)
    #expect(highlights.first { $0["id"] == own["id"] }?["note"] == "a note")
    #expect(highlights.first { $0["id"] == lost["id"] }?["state"] == "orphan")
    #expect(try await client.call("documents/bookmarks", ["id": new]).items.map { $0["page"] } == [3, 6])
    #expect(
      try await client.call("documents/memos", ["id": new]).items.map { $0["text"] } == [
        "of the new one\n\nfrom the old one"
      ])
    for method in ["documents/highlights", "documents/bookmarks", "documents/memos"] {
      #expect(try await client.call(method, ["id": old])["total"] == 0)
    }
    _ = try await client.call("changes/undo")
    #expect(try await client.call("documents/highlights", ["id": old])["total"] == 3)
    #expect(try await client.call("documents/bookmarks", ["id": old]).items.map { $0["page"] } == [3, 6])
    #expect(try await client.call("documents/highlights", ["id": new]).items.map { $0["id"] } == [own["id"]])
    #expect(try await client.call("documents/memos", ["id": new]).items.map { $0["text"] } == ["of the new one"])
    let itself = try await client.failure("documents/adopt", ["id": new, "from": new])
    #expect(itself?.code == -32602 && itself?.data?["field"] == "from")
    #expect(try await client.failure("documents/adopt", ["id": new, "from": "nothing"])?.kind == "notFound")
    await bench.stop()
  }
}
