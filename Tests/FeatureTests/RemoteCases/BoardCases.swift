import Client
import Contract
import Foundation
import TestSupport
import Testing
import Wire

/// Cases 13 to 23: what forums and groupwares do.
enum BoardCases {
  static let forum = "/discourse"
  static let groupware = "/mailplug"

  private static func forum(_ body: (RemoteBench, JSONValue) async throws -> Void) async throws {
    try await RemoteBench().run { bench async throws in
      try await bench.add("discourse", forum)
      try await body(bench, try await bench.board("latest"))
    }
  }

  private static func groupware(
    clock: TestClock = TestClock(Instant("2024-05-19T15:30:00.000Z")!),
    _ body: (RemoteBench, JSONValue) async throws -> Void
  ) async throws {
    try await RemoteBench(clock: clock).run { bench async throws in
      try await body(bench, try await bench.add("mailplug", groupware, credential: "work"))
    }
  }

  private static func ids(_ posts: [JSONValue]) -> [String] { posts.map { $0["postId"].text } }

  // MARK: - Discourse

  /// 13: the next page is named without `.json`.
  static func moreTopics() async throws {
    try await forum { bench, latest async throws in
      let walked = ids(try await bench.allPosts(latest))
      #expect(Set(walked).count == walked.count)
      // The stand-in does not list by its dates, so what a later page brings may stand above who scrolls: from the top
      // all of it is there.
      let all = ids(try await bench.posts(latest, ["limit": 200]).items)
      #expect(Set(all) == Set((1000..<1095).map(String.init)) && all.count == 95)
      let pages = try bench.server.log("/discourse/latest")
      #expect(pages.map(\.path) == Array(repeating: "/discourse/latest.json", count: 4))
      #expect(pages.map { $0.query("page") } == [[], ["1"], ["2"], ["3"]])
    }
  }

  /// 14: pinned topics are first, whatever their dates.
  static func pinned() async throws {
    try await forum { bench, latest async throws in
      let posts = try await bench.allPosts(latest)
      #expect(Set(ids(Array(posts.prefix(2)))) == ["1003", "1040"])
      #expect(posts.prefix(2).allSatisfy { $0["pinned"] == true })
      #expect(posts.dropFirst(2).allSatisfy { $0["pinned"] == false })
      // With that one first on the first page, the others did not lose their place.
      let bumped = try bench.server.exchange("GET", "/discourse/latest.json")
      let topics = try JSONParser.parse(bumped)["topic_list"]?["topics"].list ?? []
      let dates = Dictionary(
        topics.map { (String($0["id"]?.integerValue ?? 0), $0["bumped_at"].text) }, uniquingKeysWith: { $1 })
      let shown = ids(Array(posts.dropFirst(2))).compactMap { dates[$0] }
      #expect(shown == shown.sorted(by: >) && shown.count == 28)
    }
  }

  /// 15: a topic moves up between two pages: one stands on both, and the one that moved is found on the first.
  static func bumpedBetweenPages() async throws {
    try await forum { bench, latest async throws in
      #expect(try await bench.posts(latest).items.count == 30)
      try bench.server.bump()
      let walked = ids(try await bench.allPosts(latest))
      #expect(Set(walked).count == walked.count)
      _ = try await bench.posts(latest, ["refresh": true])
      let all = ids(try await bench.allPosts(latest))
      #expect(all.count == 95 && Set(all).count == 95 && all.contains("1094"))
    }
  }

  /// 16: a topic of 61 posts, at most 20 at a time, in the order of its stream.
  static func longTopic() async throws {
    try await forum { bench, latest async throws in
      let topic = try #require(try await bench.allPosts(latest).first { $0["postId"] == "1012" })
      let text = try await bench.client.call("boards/post", ["id": topic.id])["contents"].text
      let numbers = text.split(whereSeparator: \.isWhitespace).filter { $0.hasPrefix("#") }.compactMap {
        Int($0.dropFirst())
      }
      // The service's own notes that something was closed or moved are none of the writers'.
      #expect(numbers == (1...61).filter { $0 % 20 != 19 })
      let asked = try bench.server.log("/discourse/t/1012/posts").map { $0.query("post_ids[]").compactMap { Int($0) } }
      #expect(asked.allSatisfy { $0.count <= 20 } && asked.flatMap(\.self) == (21...61).map { 101_200 + $0 })
    }
  }

  /// 17: the four ways to say "too many".
  static func tooMany() async throws {
    try await forum { bench, latest async throws in
      _ = try await bench.posts(latest)
      for (fault, least) in [("429plain:5", 5), ("429:5", 5), ("429date:5", 4)] {
        try bench.server.fault("^/discourse/latest", fault, times: 1)
        let before = try bench.server.log("/discourse/latest").count
        let paused = try await bench.paused { () async throws in
          #expect(try await bench.posts(latest, ["refresh": true])["state"] == "results", "\(fault)")
        }
        #expect(try bench.server.log("/discourse/latest").count == before + 2, "\(fault)")
        #expect(paused >= .seconds(least) && paused < .seconds(8), "\(fault): \(paused)")
      }
      // Without a time: a hold of our own, for the search.
      try bench.server.fault("^/discourse/search", "429bare", times: 1)
      let paused = try await bench.paused { () async throws in
        let found = try await bench.client.call("boards/search", ["board": latest, "query": "바다 일정"])
        #expect(found["state"] == "results" && found["failure"] == nil && ids(found.items).contains("1012"))
      }
      #expect(try bench.server.log("/discourse/search").map(\.status) == [429, 200] && paused >= .seconds(1))
      // Longer than anybody waits: said at once, and nobody is asked before the time.
      for fault in ["429plain:60", "429:60", "429date:60"] {
        try bench.server.fault("^/discourse/latest", fault, times: 1)
        let params: JSONValue = ["board": latest, "refresh": true]
        let before = try bench.server.log("/discourse").count
        for _ in 0..<3 { #expect(try await bench.failure("boards/posts", params) == "rateLimited", "\(fault)") }
        #expect(try bench.server.log("/discourse").count == before + 1, "\(fault)")
        bench.daemon.networkTime.pass(.seconds(61))
        #expect(try await bench.failure("boards/posts", params) == "none", "\(fault)")
        #expect(try bench.server.log("/discourse").count == before + 2, "\(fault)")
      }
    }
  }

  /// 18: an error inside of a good answer is not "nothing found".
  static func errorInSuccess() async throws {
    let data = TemporaryFolder()
    let overloaded = """
      {"posts": [], "topics": [], "users": [], "grouped_search_result": \
      {"error": "The site is too busy", "more_full_page_results": null, "term": "x"}}
      """
    try FileManager.default.createDirectory(atPath: data.file("discourse"), withIntermediateDirectories: true)
    try Data(overloaded.utf8).write(to: URL(filePath: data.file("discourse/search.json")))
    try await RemoteBench(data: data.path).run { bench async throws in
      try await bench.add("discourse", forum)
      let latest = try await bench.board("latest")
      try bench.server.fault("^/discourse/search", "redirect:/recorded/discourse/search.json")
      #expect(try await bench.failure("boards/search", ["board": latest, "query": "바다 일정"]) == "badResponse")
      #expect(try bench.server.log("/discourse/search").count == 3)
      try bench.server.noFaults()
      bench.daemon.networkTime.pass(.seconds(60))
      let again = try await bench.client.call("boards/search", ["board": latest, "query": "바다 일정"])
      #expect(again["state"] == "results" && ids(again.items).contains("1012"))
    }
  }

  /// 19: no request of any board during the window.
  static func sharedLimit() async throws {
    try await forum { bench, latest async throws in
      _ = try await bench.posts(latest)
      let boards = try await bench.client.call("boards/list").items.map(\.id)
      try bench.server.limit("/discourse/", max: 1, window: 60)
      #expect(try await bench.failure("boards/posts", ["board": latest, "refresh": true]) == "none")
      #expect(try await bench.failure("boards/posts", ["board": boards[1]]) == "rateLimited")
      let asked = try bench.server.log("/discourse/").count
      for board in boards {
        #expect(try await bench.failure("boards/posts", ["board": board, "refresh": true]) == "rateLimited")
      }
      #expect(
        try await bench.failure("boards/search", ["board": latest, "query": "바다 일정"]) == "rateLimited")
      #expect(try bench.server.log("/discourse/").count == asked)
      try bench.server.noLimits()
      bench.daemon.networkTime.pass(.seconds(61))
      for board in boards {
        #expect(try await bench.failure("boards/posts", ["board": board, "refresh": true]) == "none")
      }
    }
  }

  // MARK: - MailPlug

  /// 20: a wrong token is one request.
  static func wrongToken() async throws {
    try await RemoteBench(secret: "wrong").run { bench async throws in
      #expect(
        try await bench.failure("boards/addSource", bench.source("mailplug", groupware, "work")) == "unauthorized")
      #expect(try bench.server.log().map(\.status) == [401])
    }
  }

  /// 21: whole pages, parts of pages and none.
  static func counts() async throws {
    try await groupware { bench, _ async throws in
      for (board, count) in [(28480, 0), (28481, 1), (28482, 30), (28479, 61), (28478, 137)] {
        let own = ids(try await bench.allPosts(try await bench.board(String(board))))
        #expect(own == (0..<count).map { String(board * 1000 + count - $0) })
        let asked = try bench.server.log("/mailplug/api/v2/boards/\(board)/posts").map { $0.query("offset") }
        #expect(asked == stride(from: 0, to: max(count, 1), by: 30).map { [String($0)] })
      }
    }
  }

  /// 22: two ways to write a zone, and a day that turns at midnight of the reader.
  static func zones() async throws {
    try await groupware { bench, _ async throws in
      let board = try await bench.board("28478")
      let posts = try await bench.posts(board).items
      #expect(
        posts.prefix(3).map { $0["date"] } == [
          "2024-05-19T15:00:00.000Z", "2024-05-19T14:23:00.000Z", "2024-05-19T13:46:00.000Z",
        ])
      let written = posts.prefix(3).map { String($0["dateText"].text.suffix(6)) }
      #expect(written == ["0+0900", "0+0900", "+09:00"])
      // It is half past midnight in Seoul: the first was written today, the others yesterday.
      func new(_ posts: [JSONValue]) -> [Bool] { posts.prefix(7).map { $0["badges"].list.contains("new") } }
      #expect(new(posts) == [true, false, false, false, false, false, false])
      let elsewhere = try await bench.daemon.client(name: "utc", timeZone: "Etc/UTC")
      let theirs = try await elsewhere.call("boards/posts", ["board": board]).items
      #expect(new(theirs) == [true, true, true, true, true, true, false])
    }
  }

  /// 23: another board while a page is slow.
  static func switching() async throws {
    try await groupware { bench, _ async throws in
      let (slow, quick) = (try await bench.board("28478"), try await bench.board("28479"))
      _ = try await bench.client.call("boards/select", ["board": slow])
      try bench.server.fault("/boards/28478/posts", "latency:600")
      let late = bench.client.send("boards/posts", [:])
      try await bench.reached("/mailplug/api/v2/boards/28478")
      let generation = try await bench.client.call("boards/select", ["board": quick])["generation"]
      let page = try await bench.client.call("boards/posts")
      #expect(page.items.count == 30 && page.items.allSatisfy { $0["board"] == quick })
      #expect(page["generation"] == generation)
      #expect(try await late.failure()?.data?["kind"] == "superseded")
    }
  }
}
