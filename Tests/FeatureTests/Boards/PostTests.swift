import Client
import Contract
import Kit
import Store
import TestSupport
import Testing
import Wire

@testable import Boards
@testable import System

@Suite("Boards: posts") struct PostTests {
  @Test("M9 M17 all that a service says of a post is kept, and told with the post and in lists")
  func fields() async throws {
    let post = FetchedPost.sample(7, title: "Lunch", text: "At noon.") { post in
      post.writer = .init(name: "Ann", address: "ann@example.org")
      post.kind = "notice"
      post.viewCount = 17
      post.commentsCount = 2
      post.attachments = [.init(url: "https://groupware.example/menu.pdf", title: "menu.pdf", type: nil, size: 40)]
      post.isNewPost = true
      post.hasInlineImage = true
      post.isOwner = false
      post.hasReply = true
      post.link = "https://groupware.example/7"
      post.publishedText = "2026-11-21T11:56:05+0900"
      post.categories = ["food"]
    }
    let (bench, page) = try await BoardBench.showing([post])
    let listed = page.items[0]
    #expect(listed["postId"] == "7" && listed["title"] == "Lunch" && listed["boardDisplayName"] == "Notices")
    #expect(listed["board"] == (try await bench.boards()[0]))
    #expect(listed["writer"] == ["displayName": "Ann", "emailAddress": "ann@example.org"])
    #expect(listed["date"] == "2026-11-21T02:56:05.678Z" && listed["dateText"] == "2026-11-21T11:56:05+0900")
    #expect(listed["viewCount"] == 17 && listed["commentsCount"] == 2 && listed["attachmentsCount"] == 1)
    #expect(listed["postType"] == "notice" && listed["isNewPost"] == true && listed["hasInlineImage"] == true)
    #expect(listed["isAnonymous"] == false && listed["isOwner"] == false && listed["hasReply"] == true)
    #expect(listed["preview"] == "At noon." && listed["contents"] == nil && listed["html"] == nil)
    #expect(listed["categories"] == ["food"] && listed["link"] == "https://groupware.example/7")
    let whole = try await bench.client.call("boards/post", ["id": listed.id])
    #expect(whole["contents"] == "At noon." && whole["html"] == "<p>At noon.</p>" && whole["whole"] == true)
    #expect(whole["attachments"].list[0]["title"] == "menu.pdf" && whole["attachments"].list[0]["size"] == 40)
    let link = JSONValue.string("commonplace:/posts/\(listed.id.text)")
    #expect(try await bench.client.call("links/resolve", ["link": link])["item"]?["title"] == "Lunch")
    // All of it came with the list.
    #expect(bench.source.requests.count == 2)
    await bench.stop()
  }

  @Test(
    "M9 of an excerpt the rest is fetched when somebody reads it, kept, and fetched again when the list says that it changed"
  )
  func onDemand() async throws {
    let clock = TestClock()
    let excerpt = FetchedPost.sample(1, text: "At…") { $0.body?.isWhole = false }
    let (bench, page) = try await BoardBench.showing([excerpt], clock: clock)
    let id = page.items[0].id
    bench.source.change { $0.failure = .silent }
    let cut = try await bench.client.call("boards/post", ["id": id])
    #expect(cut["whole"] == false && cut["contents"] == "At…" && cut["failure"]?["kind"] == "unreachable")
    bench.source.change {
      $0.failure = nil
      $0.whole["1"] = .sample(1, text: "At noon, as always.")
    }
    let whole = try await bench.client.call("boards/post", ["id": id])
    #expect(whole["contents"] == "At noon, as always." && whole["freshness"] == "live" && whole["whole"] == true)
    let asked = bench.source.requests.count
    #expect(try await bench.client.call("boards/post", ["id": id])["freshness"] == "cached")
    #expect(bench.source.requests.count == asked)
    clock.advance(milliseconds: 120_000)
    bench.source.change {
      $0.posts["1"]?[0].commentsCount = 5
      $0.whole["1"]?.body?.text = "At one."
      $0.whole["1"]?.commentsCount = 5
    }
    _ = try await bench.posts()
    #expect(try await bench.client.call("boards/post", ["id": id])["contents"] == "At one.")
    #expect(try await bench.posts().items[0]["preview"] == "At one.")
    await bench.stop()
  }

  @Test(
    "M9 a client that asks for a body a moment after the request it would have shared has ended sends none of its own")
  func justMissed() async throws {
    let excerpt = FetchedPost.sample(1, text: "At…") { $0.body?.isWhole = false }
    let (bench, page) = try await BoardBench.showing([excerpt])
    bench.source.change { $0.whole["1"] = .sample(1, text: "At noon, as always.") }
    let services = bench.daemon.daemon.services
    let post = PostID(unchecked: page.items[0].id.text)
    // What a second client has seen that it needs, before the first one has fetched it.
    let plan = try await services.library.read(as: FeatureCaller.daemon(services)) {
      try ShowPost.prepare(ShowPost.Params(id: post), in: $0)
    }
    #expect(plan.visit != nil)
    _ = try await bench.client.call("boards/post", ["id": page.items[0].id])
    let asked = bench.source.requests
    #expect(asked.last == .post("1"))
    let fetched = try await ShowPost.fetch(plan, with: services, progress: .none)
    #expect(fetched.isLive && fetched.failure == nil)
    #expect(bench.source.requests == asked)
    await bench.stop()
  }

  @Test("an edited post keeps what it was, with what changed by words; what was fetched is not undoable, and says so")
  func versions() async throws {
    let clock = TestClock()
    let (bench, page) = try await BoardBench.showing([.sample(1, text: "Lunch at noon.")], clock: clock)
    let id = page.items[0].id
    clock.advance(milliseconds: 120_000)
    bench.source.change { $0.posts["1"] = [.sample(1, title: "Lunch!", text: "Lunch at one.") { $0.viewCount = 3 }] }
    let revised = try await bench.posts().items[0]
    #expect(revised["title"] == "Lunch!" && revised["revision"] != page.items[0]["revision"])
    let post = try await bench.client.call("boards/post", ["id": id, "versions": true])
    let version = try #require(post["versions"].list.first)
    #expect(post["versions"].list.count == 1 && version["title"] == "Post 1")
    #expect(
      version["diff"]?["pieces"].list.map { "\($0["kind"].text) \($0["text"].text)" } == [
        "same Lunch at ", "removed noon", "added one", "same .",
      ])
    let log = try await bench.client.call("changes/log").items
    #expect(log.filter { $0["label"] == "boards/refresh" }.allSatisfy { $0["undoable"] == false })
    // Counts change all the time and make no version.
    clock.advance(milliseconds: 120_000)
    bench.source.change { $0.posts["1"]?[0].viewCount = 4 }
    let counted = try await bench.posts().items[0]
    #expect(counted["viewCount"] == 4 && counted["revision"] == revised["revision"])
    await bench.stop()
  }

  @Test("a page that was shown before shows what changed since: counts, marks, the board's name, the style, the day")
  func shownAgain() async throws {
    let clock = TestClock(try #require(Instant("2026-11-20T12:00:00Z")))
    let post = FetchedPost.sample(1) { $0.publishedAt = Instant("2026-11-20T09:05:00Z") }
    let (bench, first) = try await BoardBench.showing([post], clock: clock)
    func shown(_ params: JSONValue = [:]) async throws -> JSONValue { try await bench.posts(params).items[0] }
    #expect(try await shown() == first.items[0] && first.items[0]["badges"] == ["new"])

    clock.advance(milliseconds: 120_000)
    bench.source.change { $0.posts["1"]?[0].viewCount = 4 }
    #expect(try await shown()["viewCount"] == 4)
    _ = try await bench.client.call("boards/markRead", ["ids": [first.items[0].id], "read": true])
    #expect(try await shown()["read"] == true)
    _ = try await bench.client.call("boards/save", ["ids": [first.items[0].id], "saved": true])
    #expect(try await shown()["saved"] == true)
    #expect(try await shown(["style": "seed"])["display"]?["date"] == "9:5")
    #expect(try await shown()["display"]?["date"] == first.items[0]["display"]?["date"])

    clock.advance(milliseconds: 86_400_000)
    let nextDay = try await shown(["style": "seed"])
    #expect(nextDay["badges"] == [] && nextDay["display"]?["date"] == "26-11-20" && nextDay["read"] == true)
    await bench.stop()
  }

  @Test("M11 M12 a post is new while it is of the client's own day, whatever the service calls new")
  func newBadge() async throws {
    // 15:30 UTC on the 20th is half past midnight of the 21st in Seoul.
    let clock = TestClock(try #require(Instant("2026-11-20T15:30:00Z")))
    let post = FetchedPost.sample(1) {
      $0.publishedAt = Instant("2026-11-20T14:59:59Z")
      $0.isNewPost = true
    }
    let later = FetchedPost.sample(2) { $0.publishedAt = Instant("2026-11-20T15:00:00Z") }
    let (bench, page) = try await BoardBench.showing([later, post], clock: clock, timeZone: "Asia/Seoul")
    #expect(page.items.map { $0["badges"] } == [["new"], []])
    #expect(page.items.map { $0["display"]?["badges"] } == [["New"], []])
    let utc = try await bench.daemon.client(name: "utc", locale: "ko-KR", timeZone: "Etc/UTC")
    let there = try await utc.call("boards/posts")
    #expect(there.items.map { $0["badges"] } == [["new"], ["new"]])
    #expect(there.items[0]["display"]?["badges"] == ["새 글"])
    clock.advance(milliseconds: 24 * 3_600_000)
    #expect(try await bench.posts().items.map { $0["badges"] } == [[], []])
    await bench.stop()
  }

  @Test("M12 M13 a post that its service dates tomorrow is not of today: not new, and shown with its date")
  func datedTomorrow() async throws {
    let clock = TestClock(try #require(Instant("2026-11-20T15:30:00Z")))
    let post = FetchedPost.sample(1) { $0.publishedAt = Instant("2026-11-21T15:00:00Z") }
    let (bench, page) = try await BoardBench.showing([post], clock: clock, timeZone: "Asia/Seoul")
    #expect(page.items.map { $0["badges"] } == [[]])
    #expect(page.items[0]["display"]?["date"] == "Nov 22, 2026")
    #expect(try await bench.posts(["style": "seed"]).items[0]["display"]?["date"] == "26-11-22")
    await bench.stop()
  }

  @Test(
    "M13 M14 the date is of today h:m, of other days yy-MM-dd, unreadable 00:00 with its text kept; or in the locale's way"
  )
  func dates() async throws {
    let clock = TestClock(try #require(Instant("2026-11-21T06:30:00Z")))
    let posts = [
      FetchedPost.sample(1) { $0.publishedAt = Instant("2026-11-21T06:05:00Z") },
      FetchedPost.sample(2) { $0.publishedAt = Instant("2026-11-20T15:03:00Z") },
      FetchedPost.sample(3) { $0.publishedAt = Instant("2026-11-20T14:59:00Z") },
      FetchedPost.sample(4) {
        $0.publishedAt = nil
        $0.publishedText = "yesterday-ish"
        $0.listedAt = Instant("2026-01-02T00:00:00Z")
      },
    ]
    let (bench, _) = try await BoardBench.showing(posts, clock: clock, timeZone: "Asia/Seoul")
    let seed = try await bench.posts(["style": "seed"])
    #expect(seed.items.map { $0["display"]?["date"] } == ["3:5", "12:3", "26-11-20", "00:00"])
    let usual = try await bench.posts()
    #expect(usual.items[0]["display"]?["date"].text.replacing("\u{202F}", with: " ") == "3:05 PM")
    #expect(usual.items[2]["display"]?["date"] == "Nov 20, 2026")
    #expect(usual.items[3]["display"]?["date"] == "yesterday-ish" && usual.items[3]["date"] == nil)
    #expect(usual.items[3]["dateText"] == "yesterday-ish")
    await bench.stop()
  }

  @Test("a post that its service does not date keeps its place in the list when it is fetched again")
  func undated() async throws {
    let clock = TestClock()
    let undated = FetchedPost.sample(1) { $0.publishedAt = nil }
    let (bench, first) = try await BoardBench.showing([undated], clock: clock)
    #expect(first.items[0]["listedAt"] != nil)
    clock.advance(milliseconds: 86_400_000)
    let dated = FetchedPost.sample(2) { $0.publishedAt = clock.now.adding(milliseconds: -3_600_000) }
    bench.source.change { $0.posts["1"] = [dated, undated] }
    let again = try await bench.posts(["refresh": true])
    #expect(again.items.map { $0["title"] } == ["Post 2", "Post 1"])
    #expect(again.items.last?["listedAt"] == first.items[0]["listedAt"])
    await bench.stop()
  }

  @Test("M15 M16 a notice shows no answer beside it; attachments are shown behind both, with their count")
  func badges() async throws {
    let posts = [
      FetchedPost.sample(1) {
        $0.kind = "notice"
        $0.hasReply = true
        $0.attachmentsCount = 2
        $0.publishedAt = Instant("2026-01-02T00:00:00Z")
      },
      FetchedPost.sample(2) {
        $0.hasReply = true
        $0.attachmentsCount = 0
        $0.publishedAt = Instant("2026-01-01T00:00:00Z")
      },
      FetchedPost.sample(3) { $0.publishedAt = Instant("2025-12-31T00:00:00Z") },
    ]
    let (bench, page) = try await BoardBench.showing(posts)
    #expect(page.items.map { $0["badges"] } == [["notice", "attachment"], ["reply"], []])
    #expect(page.items[0]["attachmentsCount"] == 2)
    await bench.stop()
  }

  @Test("M18 an anonymous writer has a word instead of a name, and neither name nor address is told anywhere")
  func anonymous() async throws {
    let post = FetchedPost.sample(1, text: "psst") { post in
      post.isAnonymous = true
      post.writer = .init(name: "Ann Secret", address: "ann@secret.example")
    }
    let (bench, page) = try await BoardBench.showing([post], locale: "ko-KR")
    #expect(page.items[0]["display"]?["writer"] == "익명" && page.items[0]["isAnonymous"] == true)
    let whole = try await bench.client.call("boards/post", ["id": page.items[0].id])
    let found = try await bench.client.call("boards/search", ["query": "psst", "kept": true])
    for reply in [page, whole, found] { #expect(!String(describing: reply).lowercased().contains("secret")) }
    #expect(try await bench.client.call("boards/search", ["query": "Secret", "kept": true])["total"] == 0)
    let english = try await bench.daemon.client(name: "en")
    #expect(try await english.call("boards/posts").items[0]["display"]?["writer"] == "Anonymous")
    await bench.stop()
  }

  @Test("a post that its board shows above the others says so, also once it was shown without that")
  func pinnedBadge() async throws {
    let (bench, page) = try await BoardBench.showing([
      .sample(1) { $0.publishedAt = Instant(milliseconds: 1_000_000_000_000) }
    ])
    #expect(page.items[0]["badges"] == [])
    bench.source.change { $0.posts["1"]?[0].isPinned = true }
    let pinned = try await bench.posts(["refresh": true]).items[0]
    #expect(pinned["badges"] == ["pinned"] && pinned["display"]?["badges"] == ["Pinned"] && pinned["pinned"] == true)
    await bench.stop()
  }

  @Test("a title of 1 MiB is cut and says so, a post without title and date is there, and a page has each post once")
  func badInput() async throws {
    let posts = [
      FetchedPost.sample(1, title: String(repeating: "긴 제목 ", count: 100_000)),
      FetchedPost.sample(2, title: " \n\t ") {
        $0.publishedAt = nil
        $0.writer = nil
        $0.body = nil
      },
      FetchedPost.sample(1, title: "again"),
      FetchedPost.sample(3, title: "to\u{0}day\nand\u{2028}tomorrow") {
        $0.publishedAt = Instant("9999-12-31T00:00:00Z")
      },
    ]
    let (bench, page) = try await BoardBench.showing(posts)
    #expect(page.items.count == 3)
    let byID = Dictionary(uniqueKeysWithValues: page.items.map { ($0["postId"].text, $0) })
    #expect(byID["1"]?["title"] == "again" && byID["1"]?["titleCut"] == nil)
    #expect(byID["2"]?["title"] == "" && byID["2"]?["display"]?["title"] == "No title")
    #expect(byID["2"]?["display"]?["writer"] == "" && byID["2"]?["date"] == nil)
    #expect(byID["3"]?["title"] == "to day and tomorrow")
    // A date to come puts nothing above all others for ever.
    #expect(byID["3"]?["date"] == "9999-12-31T00:00:00.000Z")
    let long = try await BoardBench.showing([posts[0]])
    #expect(long.page.items[0]["titleCut"] == true && long.page.items[0]["title"].text.count <= 1_000)
    await long.bench.stop()
    for id: JSONValue in [7, .null, [], "no such"] {
      let refusal = try await bench.refusal("boards/post", ["id": id])
      #expect(refusal == "id", "\(id)")
    }
    #expect(try await bench.refusal("boards/posts", ["board": 28_478]) == "board")
    #expect(try await bench.refusal("boards/posts", ["after": "x"]) == "after")
    #expect(try await bench.refusal("boards/posts", ["limit": 0]) == "limit")
    await bench.stop()
  }
}
