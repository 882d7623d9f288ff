import Client
import Display
import Features
import Kit
import TestSupport
import Testing
import Wire

@testable import Boards

@Suite("Changes: removed items") struct RemovedItemTests {
  @Test("removed items are listed with their titles, the last removed first, page by page, and by their collection")
  func list() async throws {
    let bench = try await ProjectBench()
    let client = bench.client
    try await bench.add("Rent", id: "a")
    try await bench.add("Figs", id: "b")
    _ = try await client.call("diary/add", ["id": "e", "text": "Rain\nAll day."])
    _ = try await client.call("projects/remove", ["id": "a"])
    let second = try await client.call("diary/remove", ["id": "e"])
    _ = try await client.call("projects/remove", ["id": "b"])
    let first = try await client.call("changes/removed", ["limit": 2])
    #expect(first.items.map(\.id.text) == ["b", "e"] && first["total"] == 3 && first["hasMore"] == true, "\(first)")
    #expect(first.items.map { $0["title"] } == ["Figs", "Rain"])
    #expect(first.items.map { $0["collection"] } == ["projects", "diary"])
    #expect(first.items.map { $0["label"] } == ["projects/remove", "diary/remove"])
    #expect(first.items[1]["clock"] == second["clock"] && first.items[1]["display"]?["day"] == "today")
    // What is removed meanwhile does not move the next page.
    try await bench.add("Late", id: "c")
    _ = try await client.call("projects/remove", ["id": "c"])
    let next = try await client.call("changes/removed", ["limit": 2, "after": first["next"]!])
    #expect(next.items.map(\.id.text) == ["a"] && next["hasMore"] == false && next["offset"] == 3, "\(next)")
    let cards = try await client.call("changes/removed", ["collection": "projects"])
    #expect(cards.items.map(\.id.text) == ["c", "b", "a"])
    for params: JSONValue in [
      ["collection": "nothing"], ["after": "x"], ["after": "1"], ["after": "1.2.3"], ["after": "1."], ["limit": 0],
    ] {
      #expect(try await client.failure("changes/removed", params)?.code == -32602, "\(params)")
    }
    await bench.stop()
  }

  @Test("items that another client removed come back as they were in one commit, which one undo takes back")
  func restore() async throws {
    let bench = try await ProjectBench()
    let client = bench.client
    try await bench.add("Rent", id: "a", ["tags": ["home"]])
    _ = try await client.call("diary/add", ["id": "e", "text": "Rain"])
    let before = try await bench.get("a")
    let other = try await bench.daemon.client()
    _ = try await other.call("projects/remove", ["id": "a"])
    _ = try await other.call("diary/remove", ["id": "e"])
    let clock = try await client.call("session/sync").clock
    let reply = try await client.call("changes/restore", ["ids": ["a", "x", "e"]])
    #expect(reply.items.map { $0["collection"] } == ["projects", "diary"], "\(reply)")
    #expect(reply.items.map { $0["title"] } == ["Rent", "Rain"] && reply.items.map { $0["others"] } == [0, 0])
    #expect(reply["failed"].list.map { $0["id"] } == ["x"])
    #expect(reply["failed"].list.map { $0["failure"]?["kind"] } == ["notFound"])
    #expect(reply["clock"] == .integer(clock + 1))
    let back = try await bench.get("a")
    #expect(
      back["title"] == before["title"] && back["tags"] == before["tags"] && back["createdAt"] == before["createdAt"])
    #expect(try await client.call("changes/removed")["total"] == 0)
    let again = try await client.failure("changes/restore", ["id": "a"])
    #expect(again?.kind == "exists")
    _ = try await client.call("changes/undo")
    #expect(try await client.call("changes/removed").items.count == 2)
    #expect(try await client.failure("projects/get", ["id": "a"])?.kind == "notFound")
    await bench.stop()
  }

  @Test("a document comes back with its marks; a mark alone is listed while its document is there")
  func parts() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(["one line", "another line"]))
    let highlight = try await bench.client.call(
      "documents/toggleHighlight", ["id": id, "page": 0, "lines": ["one line"]])["added"]?[0]?["id"]
    _ = try await bench.client.call("documents/toggleBookmark", ["id": id, "page": 0])
    _ = try await bench.client.call("documents/removeHighlight", ["id": highlight ?? ""])
    let mark = try await bench.client.call("changes/removed").items
    #expect(mark.map { $0["collection"] } == ["highlights"] && mark[0]["of"] == id, "\(mark)")
    #expect(mark.first?["text"] == "one line")
    _ = try await bench.client.call("changes/restore", ["id": highlight ?? ""])
    _ = try await bench.client.call("documents/remove", ["id": id])
    let removed = try await bench.client.call("changes/removed").items
    #expect(removed.map { $0["collection"] } == ["documents"], "\(removed)")
    // A part cannot be reached without its document.
    let alone = try await bench.client.failure("changes/restore", ["id": highlight ?? ""])
    #expect(alone?.kind == "conflict" && alone?.data?["id"] == id)
    let reply = try await bench.client.call("changes/restore", ["id": id])
    #expect(reply["others"] == 2, "\(reply)")
    #expect(try await bench.client.call("documents/highlights", ["id": id]).items.map { $0["id"] } == [highlight])
    #expect(try await bench.client.call("documents/page", ["id": id, "page": 0])["bookmarked"] == true)
    await bench.stop()
  }

  @Test("a source comes back with its boards and posts")
  func source() async throws {
    let (bench, page) = try await BoardBench.showing(FetchedPost.samples(4))
    let source = try await bench.client.call("boards/sources").items[0].id
    _ = try await bench.client.call("boards/removeSource", ["id": source])
    #expect(try await bench.client.call("changes/removed").items.map { $0["collection"] } == ["sources"])
    _ = try await bench.client.call("changes/restore", ["id": source])
    #expect(try await bench.posts().items.map(\.id) == page.items.map(\.id))
    await bench.stop()
  }

  @Test("what was forgotten is not listed and says so; a card whose board is gone stays removed")
  func refused() async throws {
    let bench = try await ProjectBench()
    let client = bench.client
    try await bench.add("Rent", id: "a")
    _ = try await client.call("projects/remove", ["id": "a"])
    _ = try await client.call("changes/forget", ["collection": "projects", "id": "a"])
    #expect(try await client.call("changes/removed").items.isEmpty)
    let forgotten = try await client.failure("changes/restore", ["id": "a"])
    #expect(forgotten?.kind == "notFound" && forgotten?.message.contains("no longer stored") == true)
    let board = try await client.call("projects/addBoard", ["title": "Home"]).id
    let card = try await client.call("projects/add", ["title": "Paint", "board": board]).id
    _ = try await client.call("projects/remove", ["id": card])
    _ = try await client.call("projects/removeBoard", ["id": board])
    let clock = try await client.call("session/sync").clock
    let refused = try await client.failure("changes/restore", ["id": card])
    #expect(
      refused?.kind == "conflict" && refused?.data?["collection"] == "cardBoards" && refused?.data?["id"] == board)
    #expect(try await client.call("session/sync").clock == clock)
    _ = try await client.call("changes/restore", ["id": board])
    #expect(try await client.call("changes/restore", ["id": card])["title"] == "Paint")
    await bench.stop()
  }
}
