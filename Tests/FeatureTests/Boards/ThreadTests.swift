import Contract
import Foundation
import TestSupport
import Testing
import Wire

@testable import Boards

@Suite("Boards: threads") struct ThreadTests {
  private static func post(_ number: Int, answers: Int? = nil, _ text: String, version: Int = 1) -> JSONValue {
    [
      "id": .integer(Int64(700 + number)), "post_number": .integer(Int64(number)), "name": .string("Name \(number)"),
      "created_at": .string("2026-11-20T09:0\(number):00Z"), "updated_at": "2026-11-20T10:00:00Z",
      "version": .integer(Int64(version)), "reply_to_post_number": answers.map { .integer(Int64($0)) } ?? .null,
      "cooked": .string("<p>\(text)</p>"), "post_type": 1,
    ]
  }

  private static func body(_ posts: [JSONValue]) throws -> FetchedPost.Body {
    try DiscourseThread(base: "https://forum.example", checkCancelled: {}).body(posts, isWhole: true)
  }

  private static let posts = [
    post(1, "First &amp; <b>bold</b> 가."), post(2, "Second.", version: 2), post(3, answers: 2, "Third."),
    post(4, answers: 1, "Fourth."), post(5, answers: 2, "Fifth<script>alert(1)</script>."),
  ]

  /// A board with a topic whose body is fetched when it is opened.
  private static func topic(
    _ posts: [JSONValue] = posts, clock: TestClock = TestClock()
  ) async throws -> (bench: BoardBench, id: JSONValue) {
    let listed = FetchedPost.sample(7) { $0.body = nil }
    let body = try body(posts)
    let (bench, page) = try await BoardBench.showing([listed], clock: clock)
    bench.source.change { $0.whole["7"] = .sample(7) { $0.body = body } }
    return (bench, page.items[0].id)
  }

  @Test("a thread is a tree: each post is followed by its answers, with its own writer, time, text and safe HTML")
  func tree() async throws {
    let (bench, id) = try await Self.topic()
    let thread = try await bench.client.call("boards/thread", ["id": id])
    #expect(thread.items.map { $0["number"] } == [1, 2, 3, 5, 4] && thread["freshness"] == "live")
    #expect(thread.items.map { $0["depth"] } == [0, 1, 2, 2, 1])
    #expect(thread.items.map { $0["parent"] } == [nil, "701", "702", "702", "701"])
    #expect(thread.items.map { $0["contents"].text } == ["First & bold 가.", "Second.", "Third.", "Fifth.", "Fourth."])
    #expect(thread.items[0]["html"] == "<p>First &amp; <b>bold</b> 가.</p>")
    #expect(thread.items[3]["html"] == "<p>Fifth.</p>")
    #expect(thread.items.map { $0["writer"].text } == [1, 2, 3, 5, 4].map { "Name \($0)" })
    #expect(thread.items[3]["date"] == "2026-11-20T09:05:00.000Z" && thread.items[3]["display"]?["writer"] == "Name 5")
    #expect(thread.items.map { $0["editedAt"] } == [nil, "2026-11-20T10:00:00.000Z", nil, nil, nil])
    #expect(thread["total"] == 5 && thread["totalIsEstimate"] == false && thread["newCount"] == 5)
    // The source is not asked again, and offline the thread is here.
    bench.source.change { $0.failure = .offline }
    let stored = try await bench.client.call("boards/thread", ["id": id])
    #expect(stored.items == thread.items && stored["freshness"] == "cached" && stored["failure"] == nil)
    await bench.stop()
  }

  @Test("a thread comes in pages, and a cursor of no post of it is refused")
  func pages() async throws {
    let (bench, id) = try await Self.topic()
    var numbers: [JSONValue?] = []
    var after: JSONValue?
    repeat {
      var params: JSONObject = ["id": id, "limit": 2]
      params["after"] = after
      let page = try await bench.client.call("boards/thread", .object(params))
      #expect(page["offset"] == .integer(Int64(numbers.count)) && page.items.count <= 2)
      numbers += page.items.map { $0["number"] }
      after = page["next"]
    } while after != nil
    #expect(numbers == [1, 2, 3, 5, 4])
    #expect(try await bench.refusal("boards/thread", ["id": id, "after": "9"]) == "after")
    await bench.stop()
  }

  @Test("answers that arrive between two pages are not fetched by the second, and then count before and after it")
  func between() async throws {
    let clock = TestClock()
    let (bench, id) = try await Self.topic(clock: clock)
    let first = try await bench.client.call("boards/thread", ["id": id, "limit": 4])
    #expect(first.items.map { $0["number"] } == [1, 2, 3, 5] && first["total"] == 5)
    clock.advance(milliseconds: 120_000)
    let more = try Self.body(Self.posts + [Self.post(6, answers: 3, "Sixth."), Self.post(7, answers: 4, "Seventh.")])
    bench.source.change {
      $0.posts["1"]?[0].commentsCount = 6
      $0.whole["7"]?.commentsCount = 6
      $0.whole["7"]?.body = more
    }
    _ = try await bench.posts()
    let next: JSONValue = ["id": id, "limit": 4, "after": try #require(first["next"])]
    let second = try await bench.client.call("boards/thread", next)
    #expect(second.items.map { $0["number"] } == [4] && second["offset"] == 4 && second["total"] == 5)
    #expect(second["freshness"] == "cached" && second["hasMore"] == false)
    _ = try await bench.client.call("boards/thread", ["id": id])
    let third = try await bench.client.call("boards/thread", next)
    // One more than the first page had: it has to be asked for again.
    #expect(third.items.map { $0["number"] } == [4, 7] && third["offset"] == 5 && third["total"] == 7)
    await bench.stop()
  }

  @Test("answers that arrive after the thread was read are new, also those written before that, until it is read again")
  func new() async throws {
    let clock = TestClock()
    let (bench, id) = try await Self.topic(clock: clock)
    _ = try await bench.client.call("boards/thread", ["id": id])
    clock.advance(milliseconds: 60_000)
    _ = try await bench.client.call("boards/markRead", ["ids": [id], "read": true])
    #expect(try await bench.client.call("boards/thread", ["id": id])["newCount"] == 0)
    clock.advance(milliseconds: 120_000)
    let more = try Self.body(Self.posts + [Self.post(6, answers: 3, "Sixth.")])
    bench.source.change {
      $0.posts["1"]?[0].commentsCount = 5
      $0.whole["7"]?.commentsCount = 5
      $0.whole["7"]?.body = more
    }
    _ = try await bench.posts()
    let thread = try await bench.client.call("boards/thread", ["id": id, "new": true])
    #expect(thread.items.map { $0["number"] } == [6] && thread.items[0]["depth"] == 3 && thread["newCount"] == 1)
    #expect(try await bench.client.call("boards/markRead", ["ids": [id], "read": true])["count"] == 1)
    #expect(try await bench.client.call("boards/thread", ["id": id, "new": true]).items == [])
    // Nothing has arrived since.
    #expect(try await bench.client.call("boards/markRead", ["ids": [id], "read": true])["count"] == 0)
    await bench.stop()
  }

  @Test("a post that is no thread is its only item, and an edit of an answer makes a version of the whole")
  func alone() async throws {
    let (bench, page) = try await BoardBench.showing([.sample(1, text: "At noon.")])
    let thread = try await bench.client.call("boards/thread", ["id": page.items[0].id])
    #expect(thread.items.map { $0["contents"] } == ["At noon."] && thread.items[0]["writer"] == "Ann")
    #expect(thread.items[0]["html"] == "<p>At noon.</p>" && thread.items[0]["depth"] == 0)
    await bench.stop()
    let clock = TestClock()
    let (forum, id) = try await Self.topic(clock: clock)
    _ = try await forum.client.call("boards/thread", ["id": id])
    clock.advance(milliseconds: 120_000)
    let edited = try Self.body(Self.posts.dropLast() + [Self.post(5, answers: 2, "Other.", version: 2)])
    forum.source.change {
      $0.posts["1"]?[0].commentsCount = 5
      $0.whole["7"]?.commentsCount = 5
      $0.whole["7"]?.body = edited
    }
    _ = try await forum.posts()
    #expect(try await forum.client.call("boards/thread", ["id": id]).items[3]["contents"] == "Other.")
    let versions = try await forum.client.call("boards/post", ["id": id, "versions": true])["versions"].list
    #expect(versions.contains { $0["diff"]?["pieces"].list.contains { $0["text"] == "Fifth" } == true })
    await forum.stop()
  }

  @Test("an excerpt of a list does not replace the stored part of a thread that is longer than what is fetched")
  func longThread() async throws {
    let clock = TestClock()
    let (bench, id) = try await Self.topic(clock: clock)
    bench.source.change { $0.whole["7"]?.body?.isWhole = false }
    #expect(try await bench.client.call("boards/thread", ["id": id])["totalIsEstimate"] == true)
    clock.advance(milliseconds: 120_000)
    bench.source.change { $0.posts["1"]?[0].body = FetchedPost.Body(html: "<p>F…</p>", text: "F…", isWhole: false) }
    _ = try await bench.posts()
    #expect(try await bench.client.call("boards/thread", ["id": id]).items.count == 5)
    await bench.stop()
  }

  @Test("answers to themselves, to later posts and to none make no circle, and each post is in the tree once")
  func circles() {
    let answers: [Int?] = [5, 2, 4, 3, 99, nil]
    let parts = answers.enumerated().map { ThreadPart(id: "\($0.offset)", number: $0.offset + 1, answers: $0.element) }
    let tree = ThreadPart.tree(parts)
    #expect(tree.map(\.index) == [0, 1, 2, 3, 4, 5] && tree.map(\.depth) == [0, 1, 1, 2, 1, 1])
    // The first post was deleted: its answers stand alone.
    let orphans = [2, 3, 4].map { ThreadPart(id: "\($0)", number: $0, answers: $0 == 4 ? 2 : 1) }
    #expect(ThreadPart.tree(orphans).map(\.index) == [0, 2, 1] && ThreadPart.tree(orphans).map(\.depth) == [0, 1, 0])
    #expect(ThreadPart.tree([]).isEmpty)
    let chain = (1...10_000).map { ThreadPart(id: "\($0)", number: $0, answers: $0 - 1) }
    #expect(ThreadPart.tree(chain).last?.depth == 9_999)
  }

  @Test("what a limit cuts off is in no part")
  func fitted() {
    var part = ThreadPart(id: "1", number: 1)
    (part.html, part.htmlLength, part.text, part.textLength) = (10, 20, 5, 10)
    let cut = part.fitted(html: 0, text: 8)
    #expect(cut.htmlLength == 0 && cut.textLength == 3 && part.fitted(html: 30, text: 15) == part)
  }
}
