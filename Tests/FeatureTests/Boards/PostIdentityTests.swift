import Client
import Contract
import TestSupport
import Testing
import Wire

@testable import Boards
@testable import System

@Suite("Boards: one post is one item") struct PostIdentityTests {
  static func feed(_ posts: [FetchedPost]) -> FakeSource {
    let source = FakeSource()
    source.change {
      $0.boards = [FetchedBoard(id: "feed", displayName: "")]
      $0.posts["feed"] = posts
      $0.comesWithPages = true
    }
    return source
  }

  private static func entry(_ id: String, _ title: String, link: String? = nil, global: String? = nil) -> FetchedPost {
    .sample(0, title: title) {
      $0.id = id
      $0.link = link
      $0.globalID = global
    }
  }

  @Test("an item that two feeds carry by the same id of their own host, or by link and title, is one item, read once")
  func acrossSources() async throws {
    let bench = try await BoardBench()
    let first = Self.feed([
      Self.entry("a1", "By tag", global: "tag:example.org,2026:1"),
      Self.entry("a2", "By link", link: "https://www.example.org/2?utm_source=rss#top"),
      Self.entry("a3", "About it", link: "https://example.org/3"), Self.entry("4", "Counted"),
      Self.entry("a5", "Front page", link: "https://example.org/"),
    ])
    let second = Self.feed([
      Self.entry("b1", "By the tag, elsewhere", global: "tag:example.org,2026:1"),
      Self.entry("b2", "by LINK", link: "http://example.org/2/"),
      Self.entry("b3", "What I think of it", link: "https://example.org/3"), Self.entry("4", "Counted"),
      Self.entry("b5", "Front page", link: "https://example.org/"),
    ])
    try await bench.add("feed", "https://example.org/a.xml", as: first)
    try await bench.add("feed", "https://example.org/b.xml", as: second)
    let boards = try await bench.boards()
    let one = try await bench.posts(["board": boards[0]]).items
    let two = try await bench.posts(["board": boards[1]]).items
    let shared = Set(one.map { $0.id.text }).intersection(two.map { $0.id.text })
    #expect(Set(one.filter { shared.contains($0.id.text) }.map { $0["title"].text }) == ["By tag", "By link"])
    // On each board it stands in the words of the board's source.
    #expect(!two.contains { $0["title"] == "By tag" } && two.contains { $0["title"] == "By the tag, elsewhere" })
    for id in shared { _ = try await bench.client.call("boards/markRead", ["ids": [.string(id)], "read": true]) }
    let list = try await bench.client.call("boards/list").items
    #expect(list.map { $0["unread"] } == [3, 3] && list.map { $0["count"] } == [5, 5])
    #expect(try await bench.client.call("boards/search", ["query": "by"])["total"] == 2)
    // One source goes; what the other carries stays.
    let source = try await bench.client.call("boards/sources").items[0].id
    _ = try await bench.client.call("boards/removeSource", ["id": source])
    #expect(try await bench.posts(["board": boards[1]]).items.count == 5)
    #expect(try await bench.client.call("boards/list").items.map { $0["unread"] } == [3])
    await bench.stop()
  }

  @Test("a feed that copies another's ids, links or titles is never shown in the other's board")
  func copied() async throws {
    let bench = try await BoardBench()
    let (tag, url) = ("tag:a.example,2026:1", "https://a.example/2")
    let copied = Self.entry("3", "Three", link: "https://a.example/3")
    var spoofed = copied
    spoofed.body = FetchedPost.Body(html: "<p>SPOOF</p>", text: "SPOOF")
    var whole = copied
    whole.body = FetchedPost.Body(html: "<p>genuine</p>", text: "genuine")
    let hostile = Self.feed([
      Self.entry(tag, "SPOOF", link: "https://evil.example/1", global: tag),
      Self.entry(url, "SPOOF", global: url), spoofed,
    ])
    let genuine = Self.feed([
      Self.entry(tag, "One", global: tag), Self.entry(url, "Two", link: url, global: url), whole,
    ])
    try await bench.add("feed", "https://evil.example/feed", as: hostile)
    let source = try await bench.add("feed", "https://www.a.example/feed", as: genuine)
    let boards = try await bench.client.call("boards/list").items
    let own = try #require(boards.first { $0["source"] == source["id"] })
    let posts = try await bench.posts(["board": own.id]).items
    #expect(Set(posts.map { $0["title"].text }) == ["One", "Two", "Three"])
    // Link and title agree, so it is one item; but what the copy says stands on the copy's board alone.
    #expect(try await bench.client.call("boards/search", ["query": "SPOOF"])["total"] == 3)
    #expect(
      try await bench.client.call("boards/search", ["board": own.id, "query": "SPOOF", "kept": true])["total"] == 0)
    #expect(try await bench.client.call("boards/search", ["query": "genuine"])["total"] == 1)
    // Who reads the copies has read none of what they were copied from, but the one that is the same in all.
    for post in try await bench.posts(["board": boards.first { $0["source"] != source["id"] }!.id]).items {
      _ = try await bench.client.call("boards/markRead", ["ids": [post.id], "read": true])
    }
    let unread = try await bench.client.call("boards/list", ["source": source.id]).items.map { $0["unread"] }
    #expect(unread == [2])
    await bench.stop()
  }

  @Test("within a source the id alone tells posts apart: another link or title is the same post, the same link another")
  func withinSource() async throws {
    let clock = TestClock()
    let bench = try await BoardBench(clock: clock)
    let source = Self.feed([
      Self.entry("1", "Release", link: "https://example.org/changes"),
      Self.entry("2", "Release", link: "https://example.org/changes"),
    ])
    try await bench.add("feed", "https://a.example/", as: source)
    let before = try await bench.posts().items
    #expect(before.count == 2)
    clock.advance(milliseconds: 3_600_000)
    source.change { $0.posts["feed"]?[0] = Self.entry("1", "Release 1.0", link: "https://example.org/1.0") }
    let after = try await bench.posts().items
    #expect(
      Set(after.map { $0.id.text }) == Set(before.map { $0.id.text }) && after.contains { $0["title"] == "Release 1.0" }
    )
    await bench.stop()
  }

  @Test(
    "an item that returns is the one that was read: when it left the feed, and when its source was removed and added again"
  )
  func returning() async throws {
    let clock = TestClock()
    let bench = try await BoardBench(clock: clock)
    let source = Self.feed([Self.entry("1", "One"), Self.entry("2", "Two")])
    let added = try await bench.add("feed", "https://a.example/", as: source)
    let post = try #require(try await bench.posts().items.first { $0["title"] == "One" })
    _ = try await bench.client.call("boards/markRead", ["ids": [post.id], "read": true])
    for posts in [[Self.entry("2", "Two")], [Self.entry("1", "One"), Self.entry("2", "Two")]] {
      clock.advance(milliseconds: 3_600_000)
      source.change { $0.posts["feed"] = posts }
      #expect(try await bench.posts().items.count == 2)
    }
    #expect(try await bench.client.call("boards/list").items[0]["unread"] == 1)
    _ = try await bench.client.call("boards/removeSource", ["id": added.id])
    try await bench.add("feed", "https://a.example/", as: source)
    let again = try await bench.posts().items
    #expect(again.first { $0["title"] == "One" }?.id == post.id)
    #expect(again.map { $0["read"] == true }.filter { $0 }.count == 1)
    #expect(try await bench.client.call("boards/list").items[0]["unread"] == 1)
    await bench.stop()
  }
}
