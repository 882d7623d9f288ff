import Client
import Contract
import Kit
import Store
import TestSupport
import Testing
import Wire

@testable import Boards
@testable import System

@Suite("Boards: lists") struct BoardListTests {
  @Test("M1 all boards of a source come with their names, in the envelope of a list")
  func boards() async throws {
    let bench = try await BoardBench()
    try await bench.add()
    let list = try await bench.client.call("boards/list")
    #expect(list.items.map { $0["displayName"] } == ["Notices", "자유게시판"])
    #expect(list.items.map { $0["boardId"] } == ["1", "2"])
    #expect(list["count"] == 2 && list["total"] == 2 && list["offset"] == 0 && list["limit"] == 500)
    #expect(list["hasMore"] == false && list["display"]?["heading"] == "Boards")
    #expect(list.items.allSatisfy { $0["readOnly"] == true })
    let part = try await bench.client.call("boards/list", ["limit": 1])
    #expect(part.items.count == 1 && part["hasMore"] == true && part["total"] == 2)
    let rest = try await bench.client.call("boards/list", ["after": part["next"]!])
    #expect(rest.items.map { $0["boardId"] } == ["2"] && rest["offset"] == 1)
    #expect(bench.source.requests == [.boards])
    #expect(try await bench.refusal("boards/list", ["source": "none"]) == "notFound")
    #expect(try await bench.refusal("boards/markRead", ["ids": ["x"], "read": "yes"]) == "read")
    await bench.stop()
  }

  @Test("a board and a source state which posts nobody has requested yet, beside counts that are 0 then")
  func neverFetched() async throws {
    let bench = try await BoardBench()
    bench.source.change { $0.posts = ["1": FetchedPost.samples(3), "2": FetchedPost.samples(3, from: 100)] }
    let added = try await bench.add()
    #expect(added["fetched"] == false && added["unread"] == 0)
    var boards = try await bench.client.call("boards/list").items
    #expect(boards.allSatisfy { $0["fetched"] == false && $0["unread"] == 0 })
    _ = try await bench.client.call("boards/posts", ["board": boards[0].id])
    boards = try await bench.client.call("boards/list").items
    #expect(boards.map { $0["fetched"] } == [nil, false] && boards.map { $0["unread"] } == [3, 0])
    #expect(try await bench.client.call("boards/sources").items.first?["fetched"] == false)
    _ = try await bench.client.call("boards/posts", ["board": boards[1].id])
    let source = try #require(try await bench.client.call("boards/sources").items.first)
    #expect(source["fetched"] == nil && source["unread"] == 6)
    await bench.stop()
  }

  @Test("M2 M3 M4 the first board is selected until another is, for each client's name, and after a restart too")
  func selection() async throws {
    let (folder, source) = (TemporaryFolder(), FakeSource())
    var bench = try await BoardBench(in: folder, locale: "ko-KR", source: source)
    try await bench.add()
    let ids = try await bench.boards()
    var list = try await bench.client.call("boards/list")
    #expect(list["selected"] == ids[0] && list["display"]?["title"] == "Notices")
    #expect(list["display"]?["heading"] == "게시판" && list.items.map { $0["selected"] } == [true, false])
    #expect(list.items[0]["display"]?["search"] == "Notices에서 검색")
    #expect(list.items.map { $0["display"]?["state"] } == ["선택됨", "아직 가져오지 않음"])

    let chosen = try await bench.client.call("boards/select", ["board": ids[1]])
    #expect(chosen["displayName"] == "자유게시판" && chosen["generation"] == 1 && chosen["changed"] == nil)
    list = try await bench.client.call("boards/list")
    #expect(list["selected"] == ids[1] && list["display"]?["title"] == "자유게시판" && list["generation"] == 1)
    let other = try await bench.daemon.client(name: "other")
    #expect(try await other.call("boards/list")["selected"] == ids[0])
    #expect(try await bench.refusal("boards/select", ["board": "0000"]) == "notFound")
    await bench.stop()

    bench = try await BoardBench(in: folder, source: source)
    #expect(try await bench.client.call("boards/list")["selected"] == ids[1])
    await bench.stop()
  }

  @Test(
    "M5 a page that comes after its board was left is answered as superseded, and the next list has a new generation")
  func switching() async throws {
    let bench = try await BoardBench()
    bench.source.change { $0.posts = ["1": FetchedPost.samples(3), "2": FetchedPost.samples(3, from: 100)] }
    try await bench.add()
    let ids = try await bench.boards()
    let door = FakeSource.Door()
    bench.source.change { $0.door = door }
    let late = bench.client.send("boards/posts", ["board": ids[0]])
    await door.reached.opened()
    bench.source.change { $0.door = nil }
    let generation = try await bench.client.call("boards/select", ["board": ids[1]])["generation"]
    let page = try await bench.posts()
    #expect(page.items.map { $0["postId"] } == ["100", "101", "102"] && page["generation"] == generation)
    door.open.open()
    let failure = try await late.failure()
    #expect(failure?.data?["kind"] == "superseded")
    // What it fetched is there all the same.
    let back = try await bench.client.call("boards/select", ["board": ids[0]])["generation"]?.integerValue ?? 0
    #expect(back > generation?.integerValue ?? 0)
    #expect(try await bench.posts(["board": ids[0]]).items.count == 3)
    #expect(bench.source.pages.count == 2)
    await bench.stop()
  }

  @Test(
    "M6 M7 M8 pages of 30 follow each other to the end, each asked for once, and nothing behind the end",
    arguments: [0, 1, 30, 31, 61, 137])
  func paging(count: Int) async throws {
    let bench = try await BoardBench()
    bench.source.change { $0.posts["1"] = FetchedPost.samples(count) }
    try await bench.add()
    #expect(bench.source.pages.isEmpty)
    var (seen, after): ([String], JSONValue?) = ([], nil)
    repeat {
      let page = try await bench.posts(after.map { ["after": $0] } ?? [:])
      #expect(page.items.count <= 30 && page["limit"] == 30 && page["offset"] == .integer(Int64(seen.count)))
      seen += page.items.map { $0["postId"].text }
      after = page["next"]
      #expect(page["hasMore"] == .bool(after != nil))
    } while after != nil
    #expect(seen == (0..<count).map(String.init))
    let wanted = stride(from: 0, to: max(count, 1), by: 30).map { $0 == 0 ? nil : String($0) }
    #expect(bench.source.pages == wanted)
    // Again, and behind the end: nobody is asked.
    #expect(try await bench.posts(["offset": .integer(Int64(count))]).items.isEmpty)
    let all = try await bench.posts(["limit": 200])
    #expect(all.items.count == count && all["total"] == .integer(Int64(count)) && all["totalIsEstimate"] == false)
    #expect(bench.source.pages == wanted)
    await bench.stop()
  }

  @Test("M8 two who want the same page share one request, and the second page waits for the first")
  func sharing() async throws {
    let bench = try await BoardBench()
    bench.source.change { $0.posts["1"] = FetchedPost.samples(61) }
    try await bench.add()
    let door = FakeSource.Door()
    bench.source.change { $0.door = door }
    let first = bench.client.send("boards/posts", [:])
    let second = bench.client.send("boards/posts", ["offset": 30])
    await door.reached.opened()
    let third = try await bench.daemon.client(name: "other").send("boards/posts", [:])
    #expect(bench.source.pages == [nil])
    bench.source.change { $0.door = nil }
    door.open.open()
    #expect(try await first.value().items.count == 30)
    #expect(try await third.value().items.count == 30)
    #expect(try await second.value().items.map { $0["postId"] }.first == "30")
    #expect(bench.source.pages == [nil, "30"])
    await bench.stop()
  }

  @Test("M8 a client that asks a moment after the request it would have shared has ended sends none of its own")
  func justMissed() async throws {
    let bench = try await BoardBench()
    bench.source.change { $0.posts["1"] = FetchedPost.samples(61) }
    try await bench.add()
    let services = bench.daemon.daemon.services
    let board = try #require(try await bench.boards().first?.stringValue)
    let (first, second) = (
      PageSupply(board: board, limit: 30), PageSupply(board: board, offset: 30, limit: 30)
    )
    // What each has seen that it needs, before the first page is there, and then before the second one is.
    func need(_ supply: PageSupply, isFirstLook: Bool) async throws -> FetchStep? {
      try await services.library.read(as: FeatureCaller.daemon(services)) {
        try supply.need(in: $0, isFirstLook: isFirstLook)
      }
    }
    let beginning = try await need(first, isFirstLook: true)
    #expect(beginning == .first)
    #expect(try await bench.posts().items.count == 30)
    let rest = try await need(second, isFirstLook: true)
    #expect(rest == .next("30"))
    #expect(try await bench.posts(["offset": 30]).items.count == 30)
    #expect(bench.source.pages == [nil, "30"])
    for (supply, step) in [(first, beginning), (second, rest)] {
      let outcome = try await supply.fill(first: step, for: FeatureCaller.daemon(services), with: services)
      #expect(outcome.isLive && outcome.failure == nil)
    }
    #expect(bench.source.pages == [nil, "30"])
    await bench.stop()
  }

  @Test("M7 what comes in above moves nothing for who goes on behind the last post; what overlaps comes once")
  func insertion() async throws {
    let clock = TestClock()
    let bench = try await BoardBench(clock: clock)
    bench.source.change { $0.posts["1"] = FetchedPost.samples(70) }
    try await bench.add()
    let first = try await bench.posts()
    clock.advance(milliseconds: 600_000)
    bench.source.change { content in
      let new = (0..<3).map { number in
        FetchedPost.sample(1_000 + number) { $0.publishedAt = clock.now.adding(milliseconds: -Int64(number)) }
      }
      content.posts["1"] = new + FetchedPost.samples(70)
    }
    #expect(try await bench.posts().items.map { $0["postId"].text }.prefix(4) == ["1000", "1001", "1002", "0"])
    var (seen, after) = (first.items.map { $0["postId"].text }, first["next"])
    while let next = after {
      let page = try await bench.posts(["after": next])
      seen += page.items.map { $0["postId"].text }
      after = page["next"]
    }
    #expect(seen == (0..<70).map(String.init))
    await bench.stop()
  }

  @Test(
    "M8 a beginning that does not touch what is known leaves no hole: what is between is fetched before the old is shown"
  )
  func gap() async throws {
    let clock = TestClock()
    let bench = try await BoardBench(clock: clock)
    bench.source.change { $0.posts["1"] = FetchedPost.samples(30) }
    try await bench.add()
    #expect(try await bench.posts().items.count == 30)
    clock.advance(milliseconds: 10 * 3_600_000)
    bench.source.change { content in
      let new = (0..<75).map { number in
        FetchedPost.sample(1_000 + number) { $0.publishedAt = clock.now.adding(milliseconds: -1_000 * Int64(number)) }
      }
      content.posts["1"] = new + FetchedPost.samples(30)
    }
    var (seen, after): ([String], JSONValue?) = ([], nil)
    repeat {
      let page = try await bench.posts(after.map { ["after": $0] } ?? [:])
      seen += page.items.map { $0["postId"].text }
      after = page["next"]
    } while after != nil
    let wanted = [Int](1_000..<1_075) + [Int](0..<30)
    #expect(seen == wanted.map { String($0) })
    await bench.stop()
  }

  @Test("M8 a service that says there is more and gives nothing is not asked in a circle")
  func wrongTotal() async throws {
    let bench = try await BoardBench()
    bench.source.change {
      $0.posts["1"] = FetchedPost.samples(10)
      $0.total = 500
    }
    try await bench.add()
    let page = try await bench.posts()
    #expect(page.items.count == 10 && page["hasMore"] == false)
    #expect(bench.source.pages == [nil, "10"])
    #expect(try await bench.posts(["offset": 10]).items.isEmpty)
    #expect(bench.source.pages.count == 2)
    await bench.stop()
  }

  @Test("M10 a board without posts is empty, and says so")
  func empty() async throws {
    let bench = try await BoardBench(locale: "ko-KR")
    try await bench.add()
    let page = try await bench.posts()
    #expect(page["state"] == "empty" && page["hint"] == "등록된 게시글이 없습니다." && page["total"] == 0)
    #expect(page["freshness"] == "live" && page["failure"] == nil)
    await bench.stop()
  }

  @Test(
    "M28 a request that fails is an error with what was kept, never an empty list; without anything kept it fails itself"
  )
  func failing() async throws {
    let clock = TestClock()
    let bench = try await BoardBench(clock: clock)
    bench.source.change { $0.posts["1"] = FetchedPost.samples(40) }
    try await bench.add()
    bench.source.change { $0.failure = .silent }
    #expect(try await bench.refusal("boards/posts", [:]) == "unreachable")
    clock.advance(milliseconds: 120_000)
    bench.source.change { $0.failure = nil }
    #expect(try await bench.posts()["state"] == "results")
    clock.advance(milliseconds: 120_000)
    bench.source.change { $0.failure = .silent }
    let kept = try await bench.posts()
    #expect(kept["state"] == "error" && kept.items.count == 30 && kept["freshness"] == "cached")
    #expect(kept["failure"]?["kind"] == "unreachable" && kept["failure"]?["message"].text.contains("groupware") == true)
    #expect(kept["fetchedAt"] != nil)
    // The list of boards and sources says it too, and nobody asks again at once.
    let asked = bench.source.pages.count
    #expect(try await bench.posts()["state"] == "error")
    #expect(bench.source.pages.count == asked)
    #expect(try await bench.client.call("boards/sources").items[0]["failures"] == 1)
    bench.source.change { $0.failure = nil }
    #expect(try await bench.posts(["refresh": true])["state"] == "results")
    #expect(try await bench.client.call("boards/sources").items[0]["failure"] == nil)
    await bench.stop()
  }

  @Test("M27 who does not wait is answered at once, and told when the posts have come")
  func loading() async throws {
    let bench = try await BoardBench()
    bench.source.change { $0.posts["1"] = FetchedPost.samples(3) }
    try await bench.add()
    let door = FakeSource.Door()
    bench.source.change { $0.door = door }
    let page = try await bench.posts(["wait": false])
    #expect(page["state"] == "loading" && page.items.isEmpty && page["hint"] != nil)
    await door.reached.opened()
    bench.source.change { $0.door = nil }
    let waiting = bench.client.send("boards/posts", [:])
    door.open.open()
    #expect(try await waiting.value().items.count == 3)
    #expect(try await bench.posts(["wait": false])["state"] == "results")
    #expect(bench.source.pages == [nil])
    await bench.stop()
  }

  @Test("M33 any page of a board is found by an index and by kept counts, which follow posts that move, come and go")
  func manyPosts() async throws {
    let folder = TemporaryFolder()
    let bench = try await BoardBench(in: folder)
    // Over a month and some spans of it.
    var posts = (0..<2_500).map { number in
      FetchedPost.sample(number) {
        $0.publishedAt = TestClock().now.adding(milliseconds: -1_200_000 * Int64(number + 1))
      }
    }
    bench.source.change {
      $0.posts["1"] = posts
      $0.pageSize = 2_500
    }
    try await bench.add()
    _ = try await bench.posts(["limit": 1])
    let board = try await bench.client.call("boards/list").items[0]
    #expect(board["count"] == 2_500 && board["unread"] == 2_500)
    try await bench.requirePages(posts.map(\.id))

    // Two go up for good, and one goes a month back.
    for number in [1_700, 2_400] { posts[number].isPinned = true }
    posts[5].publishedAt = TestClock().now.adding(milliseconds: -1_200_000 * 3_000)
    bench.source.change { [posts] in $0.posts["1"] = posts }
    _ = try await bench.posts(["limit": 1, "refresh": true])
    let others = (0..<2_500).filter { ![5, 1_700, 2_400].contains($0) }
    try await bench.requirePages((["1700", "2400"] + others.map { String($0) } + ["5"]))

    await bench.stop()
    let plan = try queryPlan(
      of: """
        SELECT pinned, at, post, arrivedAt FROM boardPost WHERE board = ? AND (pinned, at) < (?, ?)
        ORDER BY pinned DESC, at DESC, post DESC LIMIT ? OFFSET ?
        """,
      in: folder.file("library"))
    #expect(plan.count == 1 && plan[0].contains("COVERING INDEX boardPostByPlace"), "\(plan)")
  }
}

extension BoardBench {
  /// Every kind of page of the board shows these posts, by an offset and behind a cursor.
  fileprivate func requirePages(_ ids: [String]) async throws {
    for offset in [0, 990, 1_001, 1_200, 1_300, 2_470, 2_499, 2_500] {
      let page = try await posts(["offset": .integer(Int64(offset)), "limit": 30])
      let end = min(offset + 30, ids.count)
      #expect(page.items.map { $0["postId"].text } == Array(ids[offset..<end]), "\(offset)")
      guard let next = page["next"] else { continue }
      let behind = try await posts(["after": next, "limit": 3])
      #expect(behind["offset"] == .integer(Int64(end)) && behind["total"] == .integer(Int64(ids.count)))
      #expect(behind.items.map { $0["postId"].text } == Array(ids[end..<min(end + 3, ids.count)]))
    }
  }

  @Test("a feed's board is called as its reader calls the source, and a forum's first board is its latest topics")
  func names() async throws {
    let bench = try await BoardBench()
    let feed = FakeSource()
    feed.change { $0.boards = [FetchedBoard(id: FeedSource.board, displayName: "Everything")] }
    let source = try await bench.add("feed", "https://feed.example/rss", as: feed)
    _ = try await bench.client.call("boards/updateSource", ["id": source.id, "title": "Mine"])
    let forum = FakeSource()
    forum.change { $0.boards = [FetchedBoard(id: DiscourseSource.latest, displayName: "")] }
    try await bench.add("discourse", "https://forum.example/", as: forum)
    let titles = try await bench.client.call("boards/list").items.map { $0["display"]?["title"] }
    #expect(titles == ["Mine", "Latest"])
    await bench.stop()
  }
}
