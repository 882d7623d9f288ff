import Client
import Contract
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Links: what points here", .timeLimit(.minutes(10))) struct BacklinkTests {
  @Test("whatever a reader writes may have links, and each item knows what points to it, from the write's reply on")
  func everywhere() async throws {
    let bench = try await LinksBench()
    let document = try await bench.client.call(
      "documents/add", ["id": "d1", "data": .string(SamplePDF(["first"], ["second"]).base64), "title": "A paper"])
    #expect(document["id"] == "d1")
    _ = try await bench.client.call(
      "documents/addHighlight", ["id": "d1", "page": 1, "lines": ["second"], "highlight": "h1"])
    _ = try await bench.client.call("documents/updateHighlight", ["id": "h1", "note": "as [[Dune]] has it"])
    _ = try await bench.client.call("documents/setMemo", ["id": "d1", "page": 0, "text": "see [[dune]]"])
    _ = try await bench.client.call(
      "books/addToShelf",
      [
        "id": "b1", "byHand": ["title": "Dune"], "note": "of commonplace:/documents/d1",
        "quotes": [["text": "Fear", "note": "[[A paper]]"]],
      ])
    try await bench.card("p1", "Read [[Dune]]", body: "and commonplace:/documents/d1#page=1")
    try await bench.entry("e1", "A day\ncommonplace:/documents/d1#highlight=h1 and [[DUNE|it]], [[Dune]]")
    #expect(Set(try await bench.sources(of: "b1")).count == 4)
    #expect(
      Set(try await bench.sources(of: "b1").filter { !$0.hasPrefix("memos/") }) == [
        "diary/e1", "projects/p1", "highlights/h1",
      ])
    #expect(Set(try await bench.sources(of: "d1")) == ["diary/e1", "projects/p1", "books/b1"])
    #expect(try await bench.sources(of: "h1") == ["diary/e1"])
    #expect(try await bench.sources(of: "p1") == [])
    #expect(try await bench.broken() == [])
    #expect(try await bench.findings() == [])

    // Each says where it stands.
    let links = try await bench.client.call("links/to", ["id": "b1", "collection": "books"])
    #expect(links["total"] == 4)
    let highlight = try #require(links.items.first { $0["collection"] == "highlights" })
    #expect(highlight["title"] == "A paper" && highlight["page"] == 1 && highlight["field"] == "note")
    #expect(highlight["display"]?["label"] == "2 / 2")
    #expect(highlight["link"] == "commonplace:/documents/d1#highlight=h1")
    #expect(highlight["snippet"] == "as [[Dune]] has it" && highlight["written"] == "[[Dune]]")
    #expect(highlight["ranges"] == [["offset": 3, "length": 8]])
    let entry = try #require(links.items.first { $0["collection"] == "diary" })
    #expect(entry["title"] == "A day" && entry["written"] == "[[DUNE|it]]" && entry["link"] == "commonplace:/diary/e1")
    await bench.daemon.stop()
  }

  @Test("links follow every write: a text that changes, an item that goes and comes back, an undo and a redo")
  func writes() async throws {
    let bench = try await LinksBench()
    try await bench.card("p1", "Dune")
    try await bench.entry("e1", "[[Dune]]")
    #expect(try await bench.sources(of: "p1") == ["diary/e1"])
    try await bench.rewrite("e1", "nothing any more")
    #expect(try await bench.sources(of: "p1") == [])
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.sources(of: "p1") == ["diary/e1"])
    _ = try await bench.client.call("changes/redo")
    #expect(try await bench.sources(of: "p1") == [])
    try await bench.rewrite("e1", "commonplace:/projects/p1")
    _ = try await bench.client.call("diary/remove", ["id": "e1"])
    #expect(try await bench.sources(of: "p1") == [])
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.sources(of: "p1") == ["diary/e1"])
    // What it points to goes and comes.
    _ = try await bench.client.call("projects/remove", ["id": "p1"])
    #expect(try await bench.broken() == ["diary/e1 commonplace:/projects/p1 gone"])
    let failure = try await bench.client.failure("links/to", ["id": "p1"])
    #expect(failure?.kind == "notFound")
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.broken() == [])
    #expect(try await bench.sources(of: "p1") == ["diary/e1"])
    #expect(try await bench.findings() == [])
    await bench.daemon.stop()
  }

  @Test("links come in parts, the item that came last first, and their ranges are in the client's units")
  func parts() async throws {
    let bench = try await LinksBench(locale: "ko-KR")
    try await bench.card("p", "듄")
    for number in 0..<7 { try await bench.entry("e\(number)", "\n🐛 \(number) [[듄]] commonplace:/projects/p") }
    let whole = try await bench.client.call("links/to", ["id": "p", "limit": 200])
    #expect(whole["total"] == 14 && whole["hasMore"] == false)
    #expect(
      whole.items[0]["ranges"] == [["offset": 6, "length": 5]]
        || whole.items[1]["ranges"] == [["offset": 6, "length": 5]])
    var seen: [JSONValue] = []
    var next: JSONValue?
    repeat {
      var params: JSONObject = ["id": "p", "limit": 3]
      if let next { params["after"] = next }
      let part = try await bench.client.call("links/to", .object(params))
      #expect(part["offset"] == .integer(Int64(seen.count)) && part["total"] == 14)
      seen += part.items
      next = part["next"]
    } while next != nil
    #expect(seen == whole.items)
    #expect(seen.map { $0["id"].text } == (0..<7).reversed().flatMap { ["e\($0)", "e\($0)"] })
    #expect(try await bench.client.call("links/to", ["id": "p", "offset": 13]).items == [whole.items[13]])
    #expect(try await bench.client.failure("links/to", ["id": "p", "after": "x"])?.data?["field"] == "after")
    #expect(try await bench.client.failure("links/to", ["id": "p", "collection": "none"])?.kind == "notFound")
    await bench.daemon.stop()
  }

  @Test("what has no title is shown with a word for it, and what is wrong is said in the reader's language")
  func words() async throws {
    let bench = try await LinksBench(locale: "ko-KR")
    try await bench.entry("e1", "[[없는 책]] commonplace:/posts/none")
    let broken = try await bench.client.call("links/broken").items
    #expect(broken.map { $0["display"]?["trouble"]?.text } == ["이 제목을 가진 항목이 없습니다.", "이 id의 항목이 없습니다. 삭제되었을 수 있습니다."])
    await bench.daemon.stop()
  }

  @Test("a link as it is written is told where it leads, also from a text in which it means another than elsewhere")
  func resolve() async throws {
    let bench = try await LinksBench()
    try await bench.card("p1", "Dune")
    try await bench.entry("e1", "[[Dune]]")
    func resolved(_ link: String, from: String? = nil) async throws -> String {
      var params: JSONObject = ["link": .string(link)]
      if let from { params["from"] = .string(from) }
      return try await bench.client.call("links/resolve", .object(params))["item"]?["link"].text ?? ""
    }
    #expect(try await resolved(" [[dune]] ") == "commonplace:/projects/p1")
    #expect(try await resolved("commonplace:/diary/e1") == "commonplace:/diary/e1")
    try await bench.rename("p1", to: "Arrakis")
    try await bench.card("p2", "Dune")
    #expect(try await resolved("[[Dune]]") == "commonplace:/projects/p2")
    #expect(try await resolved("[[Dune]]", from: "commonplace:/diary/e1") == "commonplace:/projects/p1")
    #expect(try await bench.client.failure("links/resolve", ["link": "[[None]]"])?.kind == "notFound")
    #expect(try await bench.client.failure("links/resolve", ["link": "Dune"])?.data?["field"] == "link")
    // A text that contains a link is not that link.
    for text in ["See [[Dune]]", "[[See [[Dune]]]]", "[[Dune]] now", "See commonplace:/projects/p2"] {
      #expect(try await bench.client.failure("links/resolve", ["link": .string(text)])?.data?["field"] == "link")
    }
    #expect(try await resolved("[Dune](commonplace:/projects/p2)") == "commonplace:/projects/p2")
    #expect(try await resolved("<commonplace:/projects/p2>") == "commonplace:/projects/p2")
    // Finished cards are marked, and after many of one title the open one is a candidate too.
    for number in 0..<11 {
      try await bench.card("w\(number)", "Water the figs")
      _ = try await bench.client.call("projects/move", ["id": .string("w\(number)"), "state": "done"])
    }
    let done = try await bench.client.call("links/resolve", ["link": "[[Water the figs]]"])["candidates"].list
    #expect(done.count == 10 && done.allSatisfy { $0["finished"] == true } && done.last?.id == "w9", "\(done)")
    try await bench.card("w11", "Water the figs")
    let all = try await bench.client.call("links/resolve", ["link": "[[Water the figs]]"])
    #expect(all["item"]?["id"] == "w0" && all["candidates"].list.map(\.id.text).last == "w11", "\(all)")
    #expect(all["candidates"].list.count == 10 && all["candidates"].list.last?["finished"] == nil)
    try await bench.card("p3", "See [[Dune]]")
    #expect(try await resolved(WrittenTitle.link(to: "See [[Dune]]")) == "commonplace:/projects/p3")
    await bench.daemon.stop()
  }
}
