import Client
import Foundation
import TestSupport
import Testing
import Wire

@testable import Boards

@Suite("Boards: limits of a source") struct SourceLimitTests {
  private static func update(_ bench: BoardBench, _ params: JSONObject) async throws {
    var params = params
    params["id"] = try await bench.client.call("boards/sources").items[0].id
    _ = try await bench.client.call("boards/updateSource", .object(params))
  }

  @Test(
    "posts beyond the newest are dropped at the next fetch and stay away, except those that are saved, tagged or linked to"
  )
  func number() async throws {
    let (bench, page) = try await BoardBench.showing(FetchedPost.samples(6))
    let ids = page.items.map(\.id)
    _ = try await bench.client.call("boards/save", ["ids": [ids[5]], "saved": true])
    _ = try await bench.client.call("diary/add", ["text": .string("See commonplace:/posts/\(ids[4].text).")])
    _ = try await bench.client.call("boards/addRule", ["text": "title:\"Post 3\"", "tags": ["kept"]])
    _ = try await bench.client.call("boards/applyRules")
    try await Self.update(bench, ["keepPosts": 2])
    #expect(try await bench.titles().count == 6)
    _ = try await bench.client.call("boards/refresh")
    let kept = ["Post 0", "Post 1", "Post 3", "Post 4", "Post 5"]
    #expect(try await bench.titles() == kept)
    #expect(try await bench.client.call("boards/list")["unread"] == 5)
    // The source still lists it.
    let again = try await bench.client.call("boards/refresh")
    #expect(again["added"] == 0)
    #expect(try await bench.titles() == kept)
    bench.source.change {
      $0.posts["1"] = [.sample(-1, title: "New") { $0.id = "new" }] + FetchedPost.samples(5, from: 1)
    }
    #expect(try await bench.client.call("boards/refresh")["added"] == 1)
    #expect(try await bench.titles() == ["New", "Post 0", "Post 3", "Post 4", "Post 5"])
    // Without a limit the source's posts return.
    try await Self.update(bench, ["keepPosts": nil])
    _ = try await bench.client.call("boards/refresh")
    #expect(try await bench.titles().contains("Post 2"))
    await bench.stop()
  }

  @Test("posts older than a number of days are dropped, and old ones that a source lists later are not stored")
  func age() async throws {
    let clock = TestClock()
    func old(_ number: Int) -> FetchedPost {
      .sample(number) { $0.publishedAt = TestClock().now.adding(milliseconds: -3 * 86_400_000) }
    }
    let (bench, _) = try await BoardBench.showing([.sample(0), .sample(1), old(2)], clock: clock)
    try await Self.update(bench, ["keepDays": 2])
    bench.source.change { $0.posts["1"] = [.sample(0), .sample(1), old(2), old(3)] }
    #expect(try await bench.client.call("boards/refresh")["added"] == 0)
    #expect(try await bench.titles() == ["Post 0", "Post 1"])
    let reply = try await bench.posts()
    #expect(reply["total"] == 2 && reply["hasMore"] == false)
    clock.advance(milliseconds: 3 * 86_400_000)
    _ = try await bench.client.call("boards/refresh")
    #expect(try await bench.titles(["all": true]).isEmpty)
    #expect(try await bench.client.call("boards/list")["unread"] == 0)
    for (field, value) in [("keepDays", 0), ("keepPosts", 0), ("every", 5)] as [(String, Int64)] {
      let source = try await bench.client.call("boards/sources").items[0].id
      #expect(try await bench.refusal("boards/updateSource", ["id": source, field: .integer(value)]) == field)
    }
    await bench.stop()
  }

  @Test("the posts of a quiet source are read on its boards, but are not among the unread ones of all sources")
  func quiet() async throws {
    let bench = try await BoardBench()
    let (loud, quiet) = (FakeSource(), FakeSource())
    loud.change { $0.posts["1"] = [.sample(1, title: "Loud")] }
    quiet.change { $0.posts["1"] = [.sample(2, title: "Quiet")] }
    for (name, source) in [("loud", loud), ("quiet", quiet)] {
      source.change { $0.boards = [FetchedBoard(id: "1", displayName: name)] }
      try await bench.add("feed", "https://\(name).example/feed", as: source)
    }
    for board in try await bench.boards() { _ = try await bench.posts(["board": board]) }
    #expect(try await bench.client.call("boards/list")["unread"] == 2)
    let sources = try await bench.client.call("boards/sources").items
    let changed = try await bench.client.call("boards/updateSource", ["id": sources[1].id, "quiet": true])
    #expect(changed["quiet"] == true && changed["unread"] == 1)
    #expect(try await bench.client.call("boards/list")["unread"] == 1)
    #expect(try await bench.titles(["all": true, "unread": true]) == ["Loud"])
    #expect(try await bench.titles(["all": true]) == ["Loud", "Quiet"])
    #expect(try await bench.titles(["board": bench.boards()[1], "unread": true]) == ["Quiet"])
    quiet.change { $0.posts["1"] = [.sample(0, title: "Newer"), .sample(2, title: "Quiet")] }
    _ = try await bench.client.call("boards/refresh")
    #expect(try await bench.client.call("boards/list")["unread"] == 1)
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.client.call("boards/list")["unread"] == 3)
    #expect(try await bench.titles(["all": true, "unread": true]) == ["Newer", "Loud", "Quiet"])
    await bench.stop()
  }

  @Test("a source is fetched no more often than its user wants, whatever it allows")
  func interval() async throws {
    let (bench, _) = try await BoardBench.showing(FetchedPost.samples(1))
    func next() async throws -> String { try await bench.client.call("boards/sources").items[0]["nextAt"]?.text ?? "" }
    let usual = try await next()
    try await Self.update(bench, ["every": 10_080])
    let weekly = try await next()
    #expect(usual < weekly)
    _ = try await bench.client.call("boards/refresh")
    #expect(try await next() == weekly)
    try await Self.update(bench, ["every": nil])
    #expect(try await next() == usual)
    await bench.stop()
  }

  @Test("what is the article of its pages goes into OPML and comes back, and is read from a file of FreshRSS")
  func articles() async throws {
    let (bench, _) = try await BoardBench.showing(FetchedPost.samples(1))
    try await Self.update(bench, ["wholeText": "auto", "selector": "article > .text"])
    let file = try await bench.client.call("boards/export", ["inline": true])["data"] ?? .null
    await bench.stop()
    let fresh = """
      <opml version="2.0" xmlns:frss="https://freshrss.org/opml"><body>
        <outline type="rss" text="A" xmlUrl="https://a.example/" frss:cssFullContent="#content"/>
        <outline type="rss" text="B" xmlUrl="https://b.example/" frss:cssFullContent="p:nth-child(2)"/>
        <outline type="rss" text="C" xmlUrl="https://c.example/"/>
      </body></opml>
      """
    let other = try await BoardBench()
    _ = try await other.client.call("boards/import", ["data": file])
    _ = try await other.client.call("boards/import", ["data": .string(Data(fresh.utf8).base64EncodedString())])
    let sources = try await other.client.call("boards/sources").items
    #expect(sources.map { $0["wholeText"] } == ["auto", "always", "always", "never"])
    #expect(sources.map { $0["selector"] } == ["article > .text", "#content", nil, nil])
    await other.stop()
  }

  @Test("limits go into OPML as attributes of ours, and come back; what no client could set is left out")
  func exchange() async throws {
    let (bench, _) = try await BoardBench.showing(FetchedPost.samples(1))
    try await Self.update(bench, ["keepDays": 30, "keepPosts": 500, "every": 60, "quiet": true])
    let file = try await bench.client.call("boards/export", ["inline": true])["data"] ?? .null
    let text = String(decoding: Data(base64Encoded: file.text) ?? Data(), as: UTF8.self)
    #expect(text.contains(" commonplace:keepDays=\"30\"") && text.contains("xmlns:commonplace="))
    let other = try await BoardBench()
    _ = try await other.client.call("boards/import", ["data": file])
    let source = try await other.client.call("boards/sources").items[0]
    #expect(source["keepDays"] == 30 && source["keepPosts"] == 500 && source["every"] == 60)
    #expect(source["quiet"] == true)
    await other.stop()
    let wrong = text.replacing("\"30\"", with: "\"-1\"").replacing("\"60\"", with: "\"soon\"")
    let third = try await BoardBench()
    _ = try await third.client.call(
      "boards/import", ["data": .string(Data(wrong.utf8).base64EncodedString())])
    let read = try await third.client.call("boards/sources").items[0]
    #expect(read["keepDays"] == nil && read["every"] == nil && read["keepPosts"] == 500)
    await third.stop()
    await bench.stop()
  }
}
