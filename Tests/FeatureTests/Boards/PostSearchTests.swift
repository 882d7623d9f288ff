import Client
import Contract
import Display
import TestSupport
import Testing
import Wire

@testable import Boards
@testable import System

@Suite("Boards: search") struct PostSearchTests {
  private static let posts = [
    FetchedPost.sample(1, title: "Lunch at lunchtime", text: "We LUNCH outside.", writer: "Ann"),
    FetchedPost.sample(2, title: "Budget", text: "Nothing to eat.", writer: "Mr Lunch"),
    FetchedPost.sample(
      3, title: "Minutes", text: String(repeating: "word ", count: 200) + "then lunch.", writer: "Bea"),
  ]

  @Test("M19 M20 M24 a board is searched in title, contents or writer, and every place is marked, whatever the case")
  func targets() async throws {
    let (bench, page) = try await BoardBench.showing(Self.posts)
    let board = page.items[0]["board"]!
    func search(_ target: String, kept: Bool) async throws -> JSONValue {
      try await bench.client.call(
        "boards/search",
        ["board": board, "query": "lunch", "target": .string(target), "kept": .bool(kept)])
    }
    for kept in [false, true] {
      #expect(try await search("all", kept: kept).items.map { $0["postId"] } == ["1", "2", "3"])
      #expect(try await search("title", kept: kept).items.map { $0["postId"] } == ["1"])
      #expect(try await search("writer", kept: kept).items.map { $0["postId"] } == ["2"])
      let contents = try await search("contents", kept: kept)
      #expect(contents.items.map { $0["postId"] } == ["1", "3"] && contents["state"] == "results")
      #expect(contents["freshness"] == (kept ? "cached" : "live"))
    }
    let all = try await search("all", kept: false).items
    #expect(all[0]["matches"].list.map { $0["field"] } == ["title", "contents"])
    #expect(
      all[0]["matches"].list[0]["ranges"] == [["offset": 0, "length": 5], ["offset": 9, "length": 9]]
        || all[0]["matches"].list[0]["ranges"] == [["offset": 0, "length": 5], ["offset": 9, "length": 5]])
    #expect(all[0]["matches"].list[1]["ranges"] == [["offset": 3, "length": 5]])
    #expect(all[1]["matches"].list.map { $0["field"] } == ["writer"])
    let piece = all[2]["matches"].list[0]
    #expect(piece["cutBefore"] == true && piece["text"].text.contains("lunch") && piece["text"].text.count < 300)
    await bench.stop()
  }

  @Test(
    "M21 M22 M23 nothing typed is a prompt, nothing found is told apart from it, and another text is another generation"
  )
  func states() async throws {
    let bench = try await BoardBench(locale: "ko-KR")
    bench.source.change { $0.posts["1"] = Self.posts }
    try await bench.add()
    let board = try await bench.posts().items[0]["board"]!
    let asked = bench.source.requests.count
    for blank: JSONValue in ["", " ", "\u{3000}\n"] {
      let prompt = try await bench.client.call("boards/search", ["board": board, "query": blank])
      #expect(prompt["state"] == "prompt" && prompt.items.isEmpty)
      #expect(prompt["hint"] == "게시글의 제목, 내용 또는 작성자에 포함된\n단어 또는 문장을 검색해 주세요.")
    }
    #expect(bench.source.requests.count == asked)
    let none = try await bench.client.call("boards/search", ["board": board, "query": "xyzzy"])
    #expect(none["state"] == "noResults" && none["hint"] == "검색 결과가 없습니다.\n다른 검색어를 입력해 보세요.")
    let found = try await bench.client.call("boards/search", ["board": board, "query": "lunch"])
    #expect((found["generation"]?.integerValue ?? 0) > (none["generation"]?.integerValue ?? 0))
    let again = try await bench.client.call("boards/search", ["board": board, "query": "lunch", "kept": true])
    #expect(again["generation"] == found["generation"])
    await bench.stop()
  }

  @Test("M23 what was typed before is answered as superseded when something else was typed in the same view")
  func superseding() async throws {
    let (bench, page) = try await BoardBench.showing(Self.posts)
    let board = page.items[0]["board"]!
    let door = FakeSource.Door()
    bench.source.change { $0.door = door }
    let older = bench.client.send("boards/search", ["board": board, "query": "lun", "view": "typing"])
    await door.reached.opened()
    bench.source.change { $0.door = nil }
    let newer = try await bench.client.call("boards/search", ["board": board, "query": "budget", "view": "typing"])
    #expect(newer.items.map { $0["postId"] } == ["2"])
    #expect(try await older.failure()?.data?["kind"] == "superseded")
    door.open.open()
    await bench.stop()
  }

  @Test("M30 what a source finds comes in its pages, each post once though it repeats")
  func pages() async throws {
    let bench = try await BoardBench()
    bench.source.change {
      var posts = (0..<70).map { FetchedPost.sample($0, title: "same \($0)") }
      posts.insert(posts[29], at: 30)
      $0.posts["1"] = posts
    }
    try await bench.add()
    let board = try await bench.boards()[0]
    var (seen, after): ([String], JSONValue?) = ([], nil)
    repeat {
      var params: JSONObject = ["board": board, "query": "same"]
      params["after"] = after
      let page = try await bench.client.call("boards/search", .object(params))
      #expect(page["offset"] == .integer(Int64(seen.count)))
      seen += page.items.map { $0["postId"].text }
      after = page["next"]
    } while after != nil
    #expect(seen == (0..<70).map(String.init))
    let cursors = bench.source.requests.compactMap { request -> String?? in
      if case .search(_, let cursor) = request { cursor } else { nil }
    }
    #expect(cursors == [nil, "30", "60"])
    #expect(try await bench.refusal("boards/search", ["query": "x", "after": "nonsense"]) == "after")
    await bench.stop()
  }

  @Test("M26 a search is kept with its target, board and count, newest first and once, but not while somebody types")
  func history() async throws {
    let clock = TestClock()
    let (bench, page) = try await BoardBench.showing(Self.posts, clock: clock)
    let board = page.items[0]["board"]!
    func search(_ params: JSONObject) async throws {
      clock.advance(milliseconds: 1_000)
      var params = params
      params["board"] = board
      _ = try await bench.client.call("boards/search", .object(params))
    }
    try await search(["query": "lunch", "target": "title"])
    try await search(["query": "nothing of it", "kept": true])
    try await search(["query": "Lunch", "target": "title"])
    try await search(["query": "lu", "remember": false])
    try await search(["query": " "])
    let history = try await bench.client.call("search/history", ["scope": "boards"]).items
    #expect(history.map { $0["text"] } == ["Lunch", "nothing of it"])
    #expect(history.map { $0["target"] } == ["title", "all"] && history.map { $0["count"] } == [1, 0])
    #expect(history.allSatisfy { $0["place"] == board })
    await bench.stop()
  }

  @Test("M28 where the source cannot be asked what is here is searched, and the answer says so")
  func failing() async throws {
    let (bench, page) = try await BoardBench.showing(Self.posts)
    let board = page.items[0]["board"]!
    bench.source.change { $0.failure = .silent }
    let kept = try await bench.client.call("boards/search", ["board": board, "query": "lunch"])
    #expect(kept["state"] == "error" && kept.items.count == 3 && kept["failure"]?["kind"] == "unreachable")
    #expect(try await bench.refusal("boards/search", ["board": board, "query": "xyzzy"]) == "unreachable")
    // How many the source has is not known.
    let history = try await bench.client.call("search/history", ["scope": "boards"]).items
    #expect(Set(history.map { $0["text"].text }) == ["xyzzy", "lunch"] && history.allSatisfy { $0["count"] == nil })
    await bench.stop()
  }

  @Test("M30 what is here is paged by a place that stays, on one board and on all of them, common words too")
  func keptPages() async throws {
    let bench = try await BoardBench()
    bench.source.change {
      $0.posts["1"] = (0..<2_300).map { FetchedPost.sample($0, title: "common", text: $0 % 100 == 0 ? "rare" : "") }
      $0.pageSize = 2_300
      $0.canSearch = false
    }
    try await bench.add()
    let board = try await bench.posts().items[0]["board"]!
    for scope: JSONObject in [[:], ["board": board]] {
      for (query, wanted) in [("common", (0..<65).map(String.init)), ("rare", (0..<23).map { String($0 * 100) })] {
        var (seen, after): ([String], JSONValue?) = ([], nil)
        while seen.count < wanted.count {
          var params = scope
          params["query"] = .string(query)
          params["limit"] = 10
          params["after"] = after
          let page = try await bench.client.call("boards/search", .object(params))
          seen += page.items.map { $0["postId"].text }
          #expect(page["total"] == (query == "rare" ? 23 : 2_300))
          after = page["next"]
          if after == nil { break }
        }
        #expect(Array(seen.prefix(wanted.count)) == wanted)
      }
    }
    await bench.stop()
  }

  @Test(
    "M24 M25 marks are right after emoji, in decomposed Hangul, beside combining marks, and for an empty word",
    arguments: [
      ("fox", "👩‍👩‍👧 Fox, foxes, FIREFOX", ["Fox", "fox", "FOX"]),
      ("한글", "📚한글 \u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}!", ["한글", "한글"]),
      ("e", "e e\u{301} é", ["e"]), ("é", "e é E\u{301}", ["é", "E\u{301}"]), ("", "anything", []), ("  ", "a b", []),
      ("a b", "A b ab b", ["A b"]), ("🇰🇷", "🇰🇷🇺🇸🇰🇷", ["🇰🇷", "🇰🇷"]), ("straße", "STRASSE Straße", ["Straße"]),
    ])
  func marks(word: String, text: String, wanted: [String]) {
    let marked = MarkedWords(word)
    for encoding in [PositionEncoding.utf8, .utf16, .utf32] {
      let found = marked.ranges(in: text, for: encoding).map { range -> String in
        switch encoding {
        case .utf8: String(decoding: Array(text.utf8)[range.offset..<range.offset + range.length], as: UTF8.self)
        case .utf16: String(decoding: Array(text.utf16)[range.offset..<range.offset + range.length], as: UTF16.self)
        case .utf32:
          String(String.UnicodeScalarView(Array(text.unicodeScalars)[range.offset..<range.offset + range.length]))
        }
      }
      for piece in wanted { #expect(found.contains { $0.hasPrefix(piece) }, "\(word) in \(text): \(found)") }
      #expect(wanted.isEmpty == found.isEmpty, "\(word) in \(text): \(found)")
    }
  }

  @Test("M28 for a word that the source does not look for what is here is searched, and a hint says so, not an error")
  func refusedWord() async throws {
    let bench = try await BoardBench(locale: "ko-KR")
    bench.source.change { $0.posts["1"] = [.sample(1, title: "한강 산책"), .sample(2, title: "other")] }
    try await bench.add()
    let board = try await bench.posts().items[0]["board"]!
    bench.source.change {
      $0.failure = SourceFailure(
        .query, RPCError(.notAllowed, text: Text("boards.wordTooShort", ["service": "Discourse"])))
    }
    let found = try await bench.client.call("boards/search", ["board": board, "query": "한강"])
    #expect(found.items.map { $0["postId"] } == ["1"] && found["state"] == "results" && found["failure"] == nil)
    #expect(found["hint"].text.hasPrefix("Discourse은(는)") || found["hint"].text.hasPrefix("Discourse는"))
    #expect(found["freshness"] == "cached")
    let none = try await bench.client.call("boards/search", ["board": board, "query": "없다"])
    #expect(none["state"] == "noResults" && none["hint"].text.hasPrefix("Discourse"))
    let history = try await bench.client.call("search/history", ["scope": "boards"]).items
    #expect(history.first { $0["text"] == "한강" }?["count"] == 1 && history.first { $0["text"] == "없다" }?["count"] == 0)
    await bench.stop()
  }

  @Test("M30 where a source ends before all that it finds, the last page says so")
  func endsEarly() async throws {
    let (bench, page) = try await BoardBench.showing(Self.posts)
    bench.source.change {
      $0.notice = RPCError(.tooLarge, text: Text("boards.searchEnds", ["count": "10", "service": "Discourse"]))
    }
    let found = try await bench.client.call("boards/search", ["board": page.items[0]["board"]!, "query": "lunch"])
    #expect(found.items.count == 3 && found["hint"].text.contains("10 pages") && found["state"] == "results")
    await bench.stop()
  }
}
