import Client
import Contract
import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Boards

@Suite("Boards: pages without a feed", .timeLimit(.minutes(10))) struct PageSourceTests {
  private static func page(_ items: [String], _ tag: String = "li") -> String {
    "<title>The hall</title><nav><ul><li><a href=/x>Menu</a></ul></nav><div id=news>"
      + items.map { "<\(tag)><h2><a href=/\($0)>\($0)</a></h2><p>Of \($0).</\(tag)>" }.joined() + "</div>"
  }

  private static func titles(_ client: Client) async throws -> [String] {
    try await client.call("boards/posts", ["all": true]).items.map { $0["title"].text }.sorted()
  }

  @Test("a page is a source by the selector of its items: fetched again, read once, and told when the page has changed")
  func source() async throws {
    let html = Mutex(Self.page(["Soup", "Bread"]))
    let server = try ScriptedServer { _ in .text(html.withLock(\.self), [("Content-Type", "text/html")]) }
    defer { server.stop() }
    let daemon = try await TestDaemon.started()
    let client = try await daemon.client()
    let url = server.origin + "/news"
    let plain = try await client.failure("boards/addSource", ["kind": "feed", "url": .string(url)])
    #expect(plain?.message.contains("not a feed") == true)
    let wrong = try await client.failure(
      "boards/addSource", ["kind": "feed", "url": .string(url), "items": "li:nth-child(2)"])
    #expect(wrong?.data?["field"] == "items")
    let none = try await client.failure("boards/addSource", ["kind": "feed", "url": .string(url), "items": "article"])
    #expect(none?.message.contains("`items`") == true)
    let source = try await client.call(
      "boards/addSource", ["kind": "feed", "url": .string(url), "items": "#news > li"])
    #expect(source["items"] == "#news > li" && source["foundTitle"] == "The hall")
    #expect(try await Self.titles(client) == ["Bread", "Soup"])
    var again: JSONObject = ["id": source.id, "kind": "feed", "url": .string(url), "items": "#news > li"]
    #expect(try await client.call("boards/addSource", .object(again))["existing"] == true)
    again["items"] = "li"
    let other = try await client.failure("boards/addSource", .object(again))
    #expect(other?.data?["kind"] == "exists", "the same id with another selector is another source")
    let posts = try await client.call("boards/posts", ["all": true]).items
    let soup = try #require(posts.first { $0["title"] == "Soup" })
    #expect(soup["link"]?.text == server.origin + "/Soup" && soup["preview"].text.contains("Of Soup."))
    _ = try await client.call("boards/markRead", ["ids": [soup.id], "read": true])
    html.withLock { $0 = Self.page(["Cake", "Soup", "Bread"]) }
    _ = try await client.call("boards/refresh", ["source": source.id])
    #expect(try await Self.titles(client) == ["Bread", "Cake", "Soup"])
    #expect(try await client.call("boards/list")["unread"] == 2)
    // The page has been made anew: what is here stays, and the source says what is wrong.
    html.withLock { $0 = Self.page(["Cake", "Tea"], "article") }
    let changed = try await client.failure("boards/refresh", ["source": source.id])
    #expect(changed?.message.contains("`items`") == true, "\(String(describing: changed))")
    #expect(try await client.call("boards/sources").items[0]["failure"]?.objectValue != nil)
    #expect(try await Self.titles(client).count == 3)
    _ = try await client.call("boards/updateSource", ["id": source.id, "items": "#news > article"])
    _ = try await client.call("boards/refresh", ["source": source.id])
    #expect(try await Self.titles(client) == ["Bread", "Cake", "Soup", "Tea"])
    #expect(try await client.call("boards/sources").items[0]["failure"] == nil)
    _ = try await client.call("boards/updateSource", ["id": source.id, "items": "#news > section"])
    let missed = try await client.failure("boards/refresh", ["source": source.id])
    #expect(missed?.message.contains("`items`") == true, "\(String(describing: missed))")
    _ = try await client.call("changes/undo")
    let undone = try await client.call("boards/sources").items[0]
    #expect(undone["items"] == "#news > article" && undone["failure"] == nil, "it is fetched anew")
    await daemon.stop()
  }

  @Test("the selector is exported and imported as an attribute of ours; one that is none is passed over")
  func exchange() async throws {
    let bench = try await BoardBench()
    let opml = """
      <opml version="2.0" xmlns:commonplace="urn:commonplace:subscriptions"><body>
      <outline type="rss" text="Hall" xmlUrl="https://a.example/news" commonplace:items="li.n"/>
      <outline type="rss" text="Club" xmlUrl="https://b.example/news" commonplace:items="li:hover"/></body></opml>
      """
    _ = try await bench.client.call("boards/import", ["data": .string(Data(opml.utf8).base64EncodedString())])
    #expect(try await bench.client.call("boards/sources").items.map { $0["items"] } == ["li.n", nil])
    let export = try await bench.client.call("boards/export", ["inline": true])
    let text = String(decoding: try #require(Data(base64Encoded: export["data"]!.text)), as: UTF8.self)
    #expect(text.contains("commonplace:items=\"li.n\"") && !text.contains("hover"))
    await bench.stop()
  }
}
