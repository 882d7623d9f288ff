import Client
import Contract
import TestSupport
import Testing
import Wire

@testable import Boards
@testable import System

@Suite("Boards: what each source says of a post") struct PostAccountTests {
  private static let link = "https://elsewhere.example/1"

  private static func entry(_ id: String, _ title: String, _ text: String, link: String = link) -> FetchedPost {
    .sample(0, title: title, text: text) {
      $0.id = id
      $0.link = link
    }
  }

  /// Two feeds that both lie off the link's host, and agree in link and title.
  private static func shared(
    clock: TestClock = TestClock()
  ) async throws -> (bench: BoardBench, sources: [FakeSource], boards: [JSONValue]) {
    let bench = try await BoardBench(clock: clock)
    let sources = [
      PostIdentityTests.feed([entry("a1", "One Title", "alpha words")]),
      PostIdentityTests.feed([entry("b1", "one title", "beta words")]),
    ]
    try await bench.add("feed", "https://a.example/feed", as: sources[0])
    try await bench.add("feed", "https://b.example/feed", as: sources[1])
    return (bench, sources, try await bench.boards())
  }

  @Test("an item that two sources carry is read once, and on each board it stands in the words of the board's source")
  func ownWords() async throws {
    let (bench, _, boards) = try await Self.shared()
    let (one, two) = (
      try await bench.posts(["board": boards[0]]).items[0], try await bench.posts(["board": boards[1]]).items[0]
    )
    #expect(one.id == two.id)
    #expect([one, two].map { $0["preview"] } == ["alpha words", "beta words"])
    #expect([one, two].map { $0["title"] } == ["One Title", "one title"])
    for (board, text) in zip(boards, ["alpha words", "beta words"]) {
      let post = try await bench.client.call("boards/post", ["id": one.id, "board": board])
      #expect(post["contents"] == .string(text) && post["html"] == .string("<p>\(text)</p>") && post["board"] == board)
    }
    #expect(try await bench.client.call("boards/post", ["id": one.id])["contents"] == "alpha words")
    _ = try await bench.client.call("boards/markRead", ["ids": [one.id], "read": true])
    #expect(try await bench.client.call("boards/list").items.map { $0["unread"] } == [0, 0])
    await bench.stop()
  }

  @Test("a post of two sources is read and saved under the ids of both, for devices that met it in the other one first")
  func marksOfAllSources() async throws {
    let bench = try await BoardBench(clock: TestClock())
    let client = bench.client
    try await bench.add(
      "feed", "https://a.example/feed", as: PostIdentityTests.feed([Self.entry("a1", "One Title", "alpha")]))
    let id = try await bench.posts(["board": try await bench.boards()[0]]).items[0].id
    let address = SourceAddress(kind: .feed, url: "https://b.example/feed", credential: nil)
    let other = JSONValue.string(PostIdentity.id("b1", at: address))
    func marks(_ id: JSONValue) async throws -> [JSONValue] {
      let item = try await client.call("changes/item", ["collection": "postMarks", "id": id])["item"]
      return ["readAt", "savedAt"].map { item?[$0] ?? .null }
    }
    _ = try await client.call("boards/markRead", ["ids": [id], "read": true])
    try await bench.add(
      "feed", "https://b.example/feed", as: PostIdentityTests.feed([Self.entry("b1", "one title", "beta")]))
    #expect(try await marks(other) == marks(id))
    #expect(try await marks(other)[0] != .null)
    _ = try await client.call("boards/save", ["ids": [id], "saved": true])
    _ = try await client.call("boards/markRead", ["ids": [id], "read": false])
    #expect(try await marks(other) == marks(id))
    #expect(try await marks(other)[0] == .null)
    #expect(try await bench.posts(["saved": true]).items.count == 1)
    await bench.stop()
  }

  @Test("a board is searched by what its source says; without a board a post is found by what any of its sources says")
  func search() async throws {
    let (bench, _, boards) = try await Self.shared()
    func found(_ query: JSONValue, _ board: JSONValue? = nil) async throws -> JSONValue {
      var params: JSONObject = ["query": query, "kept": true]
      params["board"] = board
      return try await bench.client.call("boards/search", .object(params))
    }
    for (word, totals) in [("alpha", [1, 0]), ("beta", [0, 1])] as [(JSONValue, [JSONValue])] {
      for (board, total) in zip(boards, totals) {
        let page = try await found(word, board)
        #expect(page["total"] == total, "\(word)")
      }
    }
    let both = try await found("words")
    #expect(both["total"] == 1 && both.items.count == 1)
    let beta = try await found("beta")
    #expect(beta["total"] == 1 && beta.items.map { $0["preview"] } == ["beta words"])
    #expect(beta.items[0]["board"] == boards[1] && beta.items[0]["matches"].list.map { $0["field"] } == ["contents"])
    await bench.stop()
  }

  @Test("common words of shared posts are found too, each post once, on a board and on all of them")
  func commonWords() async throws {
    let bench = try await BoardBench()
    let sources = ["alpha", "beta"].map { word in
      let source = PostIdentityTests.feed(
        (0..<1_100).map { Self.entry("\($0)", "Title \($0)", "\(word) same", link: "\(Self.link)/\($0)") })
      source.change { $0.pageSize = 1_100 }
      return source
    }
    try await bench.add("feed", "https://a.example/feed", as: sources[0])
    try await bench.add("feed", "https://b.example/feed", as: sources[1])
    let boards = try await bench.boards()
    for board in [nil, boards[0], boards[1]] {
      var params: JSONObject = ["query": "same", "limit": 20, "kept": true]
      params["board"] = board
      let page = try await bench.client.call("boards/search", .object(params))
      #expect(page.items.count == 20 && Set(page.items.map { $0.id.text }).count == 20)
      #expect(page["hasMore"] == true)
    }
    let all = try await bench.client.call("boards/search", ["query": "beta", "limit": 20])
    #expect(all["total"] == 1_100 && all.items.allSatisfy { $0["preview"] == "beta same" })
    await bench.stop()
  }

  @Test("what a source edits makes versions of its own words alone, and tells of the post")
  func versions() async throws {
    let clock = TestClock()
    let (bench, sources, boards) = try await Self.shared(clock: clock)
    let post = try await bench.posts(["board": boards[1]]).items[0]
    clock.advance(milliseconds: 3_600_000)
    sources[1].change { $0.posts["feed"] = [Self.entry("b1", "one title", "beta two")] }
    let report = try await bench.client.call("boards/refresh")
    #expect(report["updated"] == 1)
    for (board, text, count) in [(boards[0], "alpha words", 0), (boards[1], "beta two", 1)] {
      let shown = try await bench.client.call("boards/post", ["id": post.id, "board": board, "versions": true])
      #expect(shown["contents"] == .string(text) && shown["versions"].list.count == count)
    }
    await bench.stop()
  }

  @Test("who is first goes, and the post stands in the words of who is left; undo brings both back")
  func removal() async throws {
    let (bench, _, boards) = try await Self.shared()
    let id = try await bench.posts(["board": boards[0]]).items[0].id
    let sources = try await bench.client.call("boards/sources").items.map(\.id)
    _ = try await bench.client.call("boards/removeSource", ["id": sources[0]])
    #expect(try await bench.client.call("boards/post", ["id": id])["contents"] == "beta words")
    #expect(try await bench.client.call("boards/search", ["query": "alpha"])["total"] == 0)
    _ = try await bench.client.call("changes/undo")
    for (board, text) in zip(boards, ["alpha words", "beta words"]) {
      let post = try await bench.client.call("boards/post", ["id": id, "board": board])
      #expect(post["contents"] == .string(text))
    }
    _ = try await bench.client.call("boards/removeSource", ["id": sources[1]])
    #expect(try await bench.client.call("boards/post", ["id": id])["contents"] == "alpha words")
    #expect(try await bench.client.call("boards/search", ["query": "beta"])["total"] == 0)
    _ = try await bench.client.call("boards/removeSource", ["id": sources[0]])
    #expect(try await bench.refusal("boards/post", ["id": id]) == "notFound")
    #expect(try await bench.client.call("library/check")["ok"] == true)
    await bench.stop()
  }

  @Test("a text that was edited to more than is kept is cut and says so; an excerpt takes no whole text's place")
  func cutEdit() async throws {
    let clock = TestClock()
    let (bench, page) = try await BoardBench.showing([.sample(1, text: "short")], clock: clock)
    let id = page.items[0].id
    let long = String(repeating: "long ", count: 300_000)
    clock.advance(milliseconds: 120_000)
    bench.source.change { $0.posts["1"] = [.sample(1, text: "excerpt") { $0.body?.isWhole = false }] }
    _ = try await bench.posts()
    #expect(try await bench.client.call("boards/post", ["id": id])["contents"] == "short")
    clock.advance(milliseconds: 120_000)
    bench.source.change {
      $0.posts["1"] = [.sample(1, text: long)]
      $0.whole["1"] = .sample(1, text: long)
    }
    _ = try await bench.posts()
    let post = try await bench.client.call("boards/post", ["id": id])
    #expect(post["contents"].text.hasPrefix("long long") && post["whole"] == false)
    await bench.stop()
  }

  @Test("characters that turn the direction of text are in no title, name or link")
  func turned() async throws {
    let post = FetchedPost.sample(1, title: "Pay \u{202E}gnp.exe\u{202C} now", writer: "A\u{2066}nn\u{2069}") {
      $0.link = "https://a.example/\u{202E}x"
      $0.categories = ["\u{202A}food"]
    }
    let (bench, page) = try await BoardBench.showing([post])
    let shown = page.items[0]
    #expect(shown["title"] == "Pay gnp.exe now" && shown["display"]?["writer"] == "Ann")
    #expect(shown["link"] == "https://a.example/%E2%80%AEx" && shown["categories"] == ["food"])
    // What only says how a letter stands is a part of Hebrew and Arabic titles.
    let marked = try await BoardBench.showing([.sample(1, title: "\u{200F}שלום\u{200E}")])
    #expect(marked.page.items[0]["title"] == "\u{200F}שלום\u{200E}")
    await marked.bench.stop()
    await bench.stop()
  }
}
