import Client
import Contract
import TestSupport
import Testing
import Wire

@testable import Boards
@testable import System

@Suite("Boards: read and saved") struct ReadingTests {
  @Test("the unread posts of an outdated board are the stored ones: its source is only asked by a refresh")
  func unreadAsksNobody() async throws {
    let clock = TestClock()
    let (bench, _) = try await BoardBench.showing(FetchedPost.samples(3), clock: clock)
    clock.advance(milliseconds: 600_000)
    let asked = bench.source.pages.count
    #expect(try await bench.titles(["unread": true]).count == 3)
    #expect(bench.source.pages.count == asked)
    #expect(try await bench.titles(["unread": true, "refresh": true]).count == 3)
    #expect(bench.source.pages.count > asked)
    await bench.stop()
  }

  @Test("M32 a post that was read or saved says so, its board counts it, everybody is told, and an undo takes it back")
  func marks() async throws {
    let (bench, page) = try await BoardBench.showing(FetchedPost.samples(5))
    let other = try await bench.daemon.client(name: "other")
    let ids = page.items.map(\.id)
    let clock = try await bench.client.call("session/sync").clock
    let marked = try await bench.client.call("boards/markRead", ["ids": .array(Array(ids[..<2])), "read": true])
    #expect(marked["count"] == 2)
    #expect(try await bench.client.call("boards/list").items[0]["unread"] == 3)
    #expect(try await bench.posts().items.map { $0["read"] } == [true, true, false, false, false])
    #expect(try await bench.titles(["unread": true]) == ["Post 2", "Post 3", "Post 4"])
    _ = try await other.call("session/sync")
    let told = other.commits.filter { $0.clock > clock }.flatMap { $0["changes"].list }
    #expect(Set(told.filter { $0["collection"] == "posts" }.map { $0.id.text }) == Set(ids[..<2].map(\.text)))
    #expect(told.contains { $0["collection"] == "boards" })
    // The same again changes nothing.
    let again = try await bench.client.call("boards/markRead", ["ids": [ids[0]], "read": true])
    #expect(again["count"] == 0 && again["changed"] == false)
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.client.call("boards/list").items[0]["unread"] == 5)
    _ = try await bench.client.call("changes/redo")
    _ = try await bench.client.call("boards/markRead", ["ids": [ids[0]], "read": false])
    #expect(try await bench.client.call("boards/list").items[0]["unread"] == 4)

    _ = try await bench.client.call("boards/save", ["ids": [ids[3]], "saved": true])
    _ = try await bench.client.call("boards/save", ["ids": [ids[1]], "saved": true])
    let saved = try await bench.posts(["saved": true])
    #expect(Set(saved.items.map { $0["title"].text }) == ["Post 1", "Post 3"] && saved["total"] == 2)
    let part = try await bench.posts(["saved": true, "limit": 1])
    let rest = try await bench.posts(["saved": true, "after": part["next"]!])
    #expect(part.items.map(\.id) + rest.items.map(\.id) == saved.items.map(\.id) && rest["offset"] == 1)
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.titles(["saved": true]) == ["Post 3"])
    for method in ["boards/markRead", "boards/save"] {
      let flag = method == "boards/save" ? "saved" : "read"
      #expect(try await bench.refusal(method, ["ids": ["none"], flag: true]) == "notFound")
    }
    await bench.stop()
  }

  @Test("who takes back a mark is told of which post, and that it is the mark that went")
  func undoneMark() async throws {
    let (bench, page) = try await BoardBench.showing(FetchedPost.samples(2))
    _ = try await bench.client.call("boards/save", ["ids": [page.items[1].id], "saved": true])
    for (method, what, kind) in [("undo", "removed", "removed"), ("redo", "restored", "added")] {
      let done = try await bench.client.call("changes/\(method)")
      #expect(done["total"] == 1)
      let item = done.items[0]
      #expect(item["collection"] == "postMarks" && item.id == page.items[1].id && item["title"] == "Post 1")
      #expect(
        item["kind"].text == kind && item["display"]?["title"] == "Post 1" && item["display"]?["kind"].text == what)
    }
    await bench.stop()
  }

  @Test(
    "all of a board is read in one step, which is undone as one; a post that was edited since does not stand in its way"
  )
  func wholeBoard() async throws {
    let clock = TestClock()
    let bench = try await BoardBench(clock: clock)
    bench.source.change { $0.posts["1"] = FetchedPost.samples(250) }
    try await bench.add()
    _ = try await bench.posts(["limit": 200])
    _ = try await bench.posts(["limit": 50, "offset": 200])
    let board = try await bench.boards()[0]
    #expect(try await bench.client.call("boards/markRead", ["board": board, "read": true])["count"] == 250)
    #expect(try await bench.client.call("boards/list").items[0]["unread"] == 0)
    clock.advance(milliseconds: 120_000)
    bench.source.change { $0.posts["1"]?[0] = .sample(0, title: "edited") }
    #expect(try await bench.posts().items[0]["title"] == "edited")
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.client.call("boards/list").items[0]["unread"] == 250)
    #expect(try await bench.posts().items[0]["title"] == "edited")
    await bench.stop()
  }

  @Test("what came since the last visit of a board is told, for each client by itself")
  func sinceVisit() async throws {
    let clock = TestClock()
    let bench = try await BoardBench(clock: clock)
    bench.source.change { $0.posts["1"] = FetchedPost.samples(2) }
    try await bench.add()
    let board = try await bench.boards()[0]
    _ = try await bench.client.call("boards/select", ["board": board])
    #expect(try await bench.posts().items.allSatisfy { $0["sinceVisit"] == false })
    clock.advance(milliseconds: 3_600_000)
    _ = try await bench.client.call("boards/select", ["board": board])
    clock.advance(milliseconds: 3_600_000)
    bench.source.change { content in
      content.posts["1"]?.insert(.sample(9) { $0.publishedAt = clock.now }, at: 0)
    }
    _ = try await bench.client.call("boards/select", ["board": board])
    #expect(try await bench.posts().items.map { $0["sinceVisit"] } == [true, false, false])
    #expect(try await bench.client.call("boards/list").items[0]["sinceVisit"] == 1)
    let other = try await bench.daemon.client(name: "other")
    #expect(try await other.call("boards/posts").items.allSatisfy { $0["sinceVisit"] == false })
    await bench.stop()
  }

  @Test("offline everything that was fetched is read and searched, marks are made, and nobody is asked")
  func offline() async throws {
    let clock = TestClock()
    let bench = try await BoardBench(clock: clock, locale: "ko-KR")
    bench.source.change { $0.posts["1"] = FetchedPost.samples(40) }
    try await bench.add()
    let first = try await bench.posts()
    bench.source.change { $0.failure = .offline }
    clock.advance(milliseconds: 3_600_000)
    let page = try await bench.posts()
    #expect(page.items.count == 30 && page["freshness"] == "cached" && page["state"] == "results")
    #expect(page["hint"].text.contains("오프라인") && page["failure"] == nil)
    #expect(try await bench.posts(["after": first["next"]!]).items.isEmpty)
    let found = try await bench.client.call(
      "boards/search", ["board": page.items[0]["board"]!, "query": "post 7"])
    #expect(found.items.map { $0["postId"] } == ["7"] && found["freshness"] == "cached")
    let post = try await bench.client.call("boards/post", ["id": page.items[0].id])
    #expect(post["title"] == "Post 0")
    _ = try await bench.client.call("boards/markRead", ["ids": [post.id], "read": true])
    #expect(try await bench.posts().items[0]["read"] == true)
    // A board that was never fetched has nothing to show, which is no empty board.
    let other = try await bench.boards()[1]
    #expect(try await bench.refusal("boards/posts", ["board": other]) == "unreachable")
    // A source is added unseen, and asked when it can be.
    let added = try await bench.add("feed", "https://example.org/feed")
    #expect(added["fetchedAt"] == nil && added["boards"] == 0)
    bench.source.change { $0.failure = nil }
    _ = try await bench.client.call("boards/refresh", ["source": added.id])
    #expect(try await bench.client.call("boards/list", ["source": added.id]).items.count == 2)
    await bench.stop()
  }

  @Test("a day tells which posts were read and saved on it")
  func day() async throws {
    let (bench, page) = try await BoardBench.showing(FetchedPost.samples(3))
    _ = try await bench.client.call("boards/markRead", ["ids": [page.items[0].id], "read": true])
    _ = try await bench.client.call("boards/save", ["ids": [page.items[1].id], "saved": true])
    let items = try await bench.client.call("diary/day").items.filter { $0["collection"] == "posts" }
    #expect(Set(items.map { "\($0["kind"].text) \($0["title"].text)" }) == ["read Post 0", "marked Post 1"])
    await bench.stop()
  }

  @Test("posts that were marked as read by one change are one item of the day, which has them all")
  func foldedDay() async throws {
    let (bench, page) = try await BoardBench.showing(FetchedPost.samples(20))
    let board = try #require(page.items[0]["board"])
    _ = try await bench.client.call("boards/markRead", ["board": board, "read": true])
    bench.daemon.clock.advance(milliseconds: 1_000)
    _ = try await bench.client.call("boards/save", ["ids": [page.items[3].id], "saved": true])
    let items = try await bench.client.call("diary/day").items.filter { $0["collection"] == "posts" }
    try #require(items.count == 2)
    #expect(items[0]["kind"] == "read" && items[0]["count"] == 20 && items[0]["acts"].list.count == 20)
    #expect(items[0]["display"]?["title"] == "20 posts" && items[0]["display"]?["kind"] == "read")
    #expect(items[1]["kind"] == "marked" && items[1]["title"] == "Post 3" && items[1]["count"] == 1)
    await bench.stop()
  }
}
