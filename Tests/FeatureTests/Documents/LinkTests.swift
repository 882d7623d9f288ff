import Client
import Documents
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Documents: links") struct LinkTests {
  @Test("a link is made and read again, with a page, with a highlight, and alone")
  func roundTrip() {
    let id = DocumentID(unchecked: "0192-a.b_c")
    let links = [
      DocumentLink(id): "commonplace:/documents/0192-a.b_c",
      DocumentLink(id, .page(3)): "commonplace:/documents/0192-a.b_c#page=3",
      DocumentLink(id, .highlight("0193")): "commonplace:/documents/0192-a.b_c#highlight=0193",
    ]
    for (link, text) in links {
      #expect(link.text == text)
      #expect(DocumentLink(text) == link)
    }
    #expect(DocumentLink(" <Commonplace:///documents/a#page=0>\n") == DocumentLink("a", .page(0)))
    #expect(DocumentLink("commonplace:/documents/a#page=3&highlight=b") == DocumentLink("a", .highlight("b")))
    #expect(DocumentLink("commonplace:/documents/a#") == DocumentLink(DocumentID(unchecked: "a")))
  }

  @Test(
    "what is no link to a document is none, and no place in it is guessed",
    arguments: [
      "", "commonplace:", "documents/a", "commonplace:/documents", "commonplace:/documents/", "commonplace:/diary/a",
      "commonplace://documents/a", "commonplace:/documents/a/b", "https://documents/a", "commonplace:/documents/a b",
      "commonplace:/documents/a#pgae=3", "commonplace:/documents/a#page", "commonplace:/documents/a#page=",
      "commonplace:/documents/a#page=-1", "commonplace:/documents/a#page=+1", "commonplace:/documents/a#page=1e3",
      "commonplace:/documents/a#page=99999999999999999999", "commonplace:/documents/a#highlight=",
      "commonplace:/documents/a#highlight=x/y", "commonplace:/documents/a#=3", "commonplace:/documents/\u{202E}a",
    ])
  func noLink(text: String) {
    #expect(DocumentLink(text) == nil)
  }

  @Test("every document, highlight, bookmark and memo has its link, and each leads to where it is")
  func records() async throws {
    let bench = try await DocumentBench()
    let document = try await bench.add(SamplePDF(["first"], ["second line"], ["third"]), title: "Links")
    let id = document["id"].text
    let page: JSONValue = ["id": .string(id), "page": 1]
    _ = try await bench.client.call("documents/toggleBookmark", page)
    _ = try await bench.client.call("documents/setMemo", ["id": .string(id), "page": 2, "text": "m"])
    let added = try await bench.client.call(
      "documents/addHighlight", ["id": .string(id), "page": 1, "lines": ["second line"], "highlight": "h1"])
    #expect(document["link"] == .string("commonplace:/documents/\(id)"))
    #expect(added["link"] == nil || added["link"] == .string("commonplace:/documents/\(id)#highlight=h1"))
    let highlights = try await bench.client.call("documents/highlights", ["id": .string(id)])
    #expect(highlights.items[0]["link"] == .string("commonplace:/documents/\(id)#highlight=h1"))
    let bookmarks = try await bench.client.call("documents/bookmarks", ["id": .string(id)])
    #expect(bookmarks.items[0]["link"] == .string("commonplace:/documents/\(id)#page=1"))
    let memos = try await bench.client.call("documents/memos", ["id": .string(id)])
    #expect(memos.items[0]["link"] == .string("commonplace:/documents/\(id)#page=2"))

    func resolved(_ link: JSONValue?) async throws -> JSONValue {
      try await bench.client.call("documents/resolve", ["link": link ?? .null])
    }
    let whole = try await resolved(document["link"])
    #expect(whole["document"] == .string(id) && whole["title"] == "Links" && whole["page"] == nil)
    let memo = try await resolved(memos.items[0]["link"])
    #expect(memo["page"] == 2 && memo["label"] == "3 / 3")
    let highlight = try await resolved(highlights.items[0]["link"])
    #expect(highlight["page"] == 1 && highlight["highlight"]?["text"] == "second line")
    #expect(highlight["highlight"]?["lines"]?[0]?["quad"].list.count == 8)
    await bench.stop()
  }

  @Test("a link to what is gone says what is gone, and a page beyond the end names the last one")
  func gone() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(["first"], ["second"]), title: "Gone").stringValue ?? ""
    _ = try await bench.client.call(
      "documents/addHighlight", ["id": .string(id), "page": 1, "lines": ["second"], "highlight": "h1"])
    let link = "commonplace:/documents/\(id)"
    func failure(_ link: String) async throws -> RemoteError? {
      try await bench.client.failure("documents/resolve", ["link": .string(link)])
    }
    let beyond = try #require(try await failure(link + "#page=2"))
    #expect(beyond.code == -32602 && beyond.data?["field"] == "link" && beyond.data?["pageCount"] == 2)
    #expect(beyond.message.contains("2 pages"))
    let text = try #require(try await failure("commonplace:/diary/x"))
    #expect(text.code == -32602 && text.data?["field"] == "link")
    #expect(try await failure(" ")?.code == -32602)

    _ = try await bench.client.call("documents/removeHighlight", ["id": "h1"])
    let highlight = try #require(try await failure(link + "#highlight=h1"))
    #expect(highlight.kind == "notFound" && highlight.data?["document"] == .string(id))
    #expect(highlight.message.contains("h1"))
    _ = try await bench.client.call("documents/remove", ["id": .string(id)])
    for place in ["", "#page=0", "#highlight=h1"] {
      let error = try #require(try await failure(link + place))
      #expect(error.kind == "notFound" && error.message.contains(id), "\(error.message)")
      #expect(error.data?["document"] == nil)
    }
    await bench.stop()
  }
}
