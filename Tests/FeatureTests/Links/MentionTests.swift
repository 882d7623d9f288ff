import Client
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Links: texts that name an item without a link") struct MentionTests {
  @Test("each field that names the title is listed once, newest first, and links are no mentions")
  func mentions() async throws {
    let bench = try await LinksBench()
    try await bench.card("p1", "Dune Messiah", body: "Dune Messiah is the second.")
    try await bench.entry("e1", "Read dune messiah. DUNE messiah again.")
    try await bench.entry("e2", "Only [[Dune Messiah]], and [[p|Dune Messiah]] and [[Dune Messiah|it]].")
    try await bench.entry("e3", "First [[Dune Messiah]], then\nDune Messiah.")
    try await bench.entry("e4", "Dune, and a messiah.")
    let reply = try await bench.client.call("links/mentions", ["id": "p1"])
    #expect(reply.items.map(\.id) == ["e3", "e1"] && reply["isWhole"] == true, "\(reply)")
    let latest = reply.items[0]
    #expect(latest["written"] == "Dune Messiah" && latest["field"] == "text" && latest["target"]?["id"] == "p1")
    #expect(
      latest["snippet"] == "First [[Dune Messiah]], then\nDune Messiah." && latest["link"] == "commonplace:/diary/e3")
    #expect(latest["ranges"] == [["offset": 29, "length": 12]])
    #expect(reply.items[1]["written"] == "dune messiah" && reply.items[1]["ranges"]?.arrayValue?.count == 2)
    // Once the words are a link, they are no mention.
    try await bench.rewrite("e1", "Read [[Dune Messiah]].")
    #expect(try await bench.client.call("links/mentions", ["id": "p1"]).items.map(\.id) == ["e3"])
    await bench.daemon.stop()
  }

  @Test("a title without blanks is found within a sentence, and more than the limit are said to be more")
  func korean() async throws {
    let bench = try await LinksBench()
    try await bench.card("p1", "독서모임")
    for number in 1...3 { try await bench.entry("e\(number)", "어제 독서모임에서 이야기했다.") }
    let reply = try await bench.client.call("links/mentions", ["id": "p1", "collection": "projects", "limit": 2])
    #expect(reply.items.map(\.id) == ["e3", "e2"] && reply["isWhole"] == false, "\(reply)")
    #expect(reply.items[0]["ranges"] == [["offset": 3, "length": 4]])
    let all = try await bench.client.call("links/mentions", ["id": "p1", "limit": 3])
    #expect(all.items.count == 3 && all["isWhole"] == true)
    await bench.daemon.stop()
  }

  @Test("the notes of marks name it too, and an item without a title to name is refused with the reason")
  func marks() async throws {
    let bench = try await LinksBench()
    try await bench.card("p1", "Dune")
    _ = try await bench.client.call("documents/add", ["id": "d1", "data": .string(SamplePDF(["first"]).base64)])
    _ = try await bench.client.call(
      "documents/addHighlight", ["id": "d1", "page": 0, "lines": ["first"], "highlight": "h1"])
    _ = try await bench.client.call("documents/updateHighlight", ["id": "h1", "note": "as in Dune"])
    let mention = try #require(try await bench.client.call("links/mentions", ["id": "p1"]).items.first)
    #expect(mention["collection"] == "highlights" && mention["field"] == "note" && mention["page"] == 0, "\(mention)")
    #expect(try await bench.client.failure("links/mentions", ["id": "h1"])?.kind == "notAllowed")
    #expect(try await bench.client.failure("links/mentions", ["id": "none"])?.kind == "notFound")
    await bench.daemon.stop()
  }
}
