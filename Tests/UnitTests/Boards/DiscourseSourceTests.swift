import Contract
import Foundation
import HTTP
import TestSupport
import Testing
import Wire

@testable import Boards

@Suite("Discourse as a source") struct DiscourseSourceTests {
  private static func topic(_ id: Int, pinned: Bool = false, posts: Int = 3) -> JSONValue {
    [
      "id": .integer(Int64(id)), "title": "주제 & <\(id)>", "fancy_title": "주제 &amp; &lt;\(id)&gt;", "slug": "",
      "posts_count": .integer(Int64(posts)), "created_at": "2024-03-01T05:06:07.123Z", "last_posted_at": .null,
      "bumped_at": "2024-05-01T00:00:00.000-05:00", "pinned": .bool(pinned), "views": 11, "category_id": 5,
      "tags": ["독서", ["id": 1, "name": "책", "slug": "book"]],
      "posters": [
        ["description": "Frequent Poster", "user_id": 2], ["description": "Original Poster", "user_id": 1],
      ],
      "excerpt": "처음 <b>몇</b> 마디", "unknown_plugin_field": ["x": 1],
    ]
  }

  private static let users: JSONValue = [
    ["id": 1, "username": "ann", "name": "Ann A.", "avatar_template": "/a/{size}.png"],
    ["id": 2, "username": "bob", "name": ""],
  ]

  private static func list(_ topics: [JSONValue], next: String? = nil) -> ServerReply {
    .json([
      "users": users,
      "topic_list": ["topics": .array(topics), "per_page": 30, "more_topics_url": next.map { .string($0) } ?? .null],
    ])
  }

  private static func post(_ topic: Int, _ number: Int) -> JSONValue {
    [
      "id": .integer(Int64(topic * 100 + number)), "post_number": .integer(Int64(number)), "username": "user\(number)",
      "name": number % 2 == 0 ? .null : "Name \(number)", "created_at": "2024-04-02T03:00:00.123Z",
      "cooked": "<p>#\(number) <a href=\"/t/1\">link</a><img src=\"//cdn.example/\(number).png\"></p>",
      "post_type": number == 40 ? 3 : 1, "deleted_at": number == 41 ? "2024-04-03T00:00:00Z" : .null,
    ]
  }

  @Test("of a topic's pictures each is listed once, in their order and at most a hundred of them")
  func pictures() throws {
    let posts = (0..<30).map { number -> JSONValue in
      let pictures = (number * 5..<number * 5 + 10).map { "<img src=\"/\($0).png\">" }.joined()
      return ["id": .integer(Int64(number)), "cooked": .string(pictures)]
    }
    let body = try DiscourseThread(base: "https://forum.example", checkCancelled: {}).body(posts, isWhole: true)
    #expect(body.images == (0..<100).map { "https://forum.example/\($0).png" })
  }

  @Test("an answer with more values than can be read is too large, and no bad JSON")
  func tooManyValues() async throws {
    let many = "[" + String(repeating: "0,", count: JSONParser.maximumValues) + "0]"
    let answers = ReplySequence(.text(many), .text("[0,"))
    let bed = try SourceTestBed { _ in answers.next() }
    let client = SourceClient(
      address: bed.address(.discourse), network: bed.network,
      budget: RequestBudget(service: "discourse", tokens: 600, refill: .milliseconds(50), atOnce: 2))
    for kind in [ErrorKind.tooLarge, .badResponse] {
      let failure = await failure { () async throws(SourceFailure) in
        try await SourceFailure.explaining { try await client.json(bed.server.origin + "/x") }
      }
      #expect(failure?.error.kind == kind)
    }
  }

  @Test("the boards are all topics, and each category with those inside of it")
  func boards() async throws {
    let bed = try SourceTestBed { _ in
      .json([
        "category_list": [
          "categories": [
            [
              "id": 5, "name": "공지", "slug": "notices", "topic_count": 9,
              "subcategory_list": [["id": 8, "name": "한국"]],
            ],
            ["id": 7, "name": "Help & <tips>", "slug": ""], ["name": "no id"],
            ["id": 9, "name": "in", "parent_category_id": 7], ["id": 8, "name": "listed twice"],
          ]
        ]
      ])
    }
    let boards = try await DiscourseSource(bed.address(.discourse, "/forum/"), bed.network).boards(nil).boards
    #expect(boards.map(\.id) == ["latest", "5", "8", "7", "9"])
    #expect(boards.map(\.displayName) == ["", "공지", "공지 / 한국", "Help & <tips>", "Help & <tips> / in"])
    #expect(bed.targets == ["/forum/categories.json?include_subcategories=true", "/forum/site/basic-info.json"])
    #expect(bed.server.requests[0]["Accept"] == "application/json")
  }

  @Test("a forum is called as its site says, and has its boards without a title where the site does not say it")
  func title() async throws {
    for (reply, title) in [(ServerReply.json(["title": "모임"]), "모임"), (.text("no", status: 404), nil)] {
      let bed = try SourceTestBed { request in
        request.path == "/site/basic-info.json"
          ? reply : .json(["category_list": ["categories": [["id": 5, "name": "Notices"]]]])
      }
      let boards = try await DiscourseSource(bed.address(.discourse), bed.network).boards(nil)
      #expect(boards.title == title && boards.boards.map(\.id) == ["latest", "5"])
    }
  }

  @Test("M9: a topic is a post: its plain title, who began it, when it was bumped, an excerpt that is not all of it")
  func topics() async throws {
    let bed = try SourceTestBed { _ in Self.list([Self.topic(3, pinned: true), Self.topic(9), Self.topic(9)]) }
    let page = try await DiscourseSource(bed.address(.discourse), bed.network).posts(of: "latest", at: nil, state: nil)
    #expect(page.posts.map(\.id) == ["3", "9"])
    let post = page.posts[0]
    #expect(post.title == "주제 & <3>" && post.writer?.name == "Ann A." && post.isPinned)
    #expect(post.link == bed.server.origin + "/t/3")
    #expect(post.publishedAt == Instant("2024-03-01T05:06:07.123Z"))
    #expect(post.listedAt == Instant("2024-05-01T05:00:00Z"))
    #expect(post.viewCount == 11 && post.commentsCount == 2 && post.hasReply)
    #expect(post.categories == ["독서", "책"])
    #expect(post.body?.text == "처음 몇 마디" && post.body?.isWhole == false)
    #expect(page.next == nil && bed.targets == ["/latest.json"])
  }

  @Test("fields of another type, and ids as words, leave a topic there with what can be read; what has no id is none")
  func otherTypes() async throws {
    let odd: JSONValue = [
      "id": "17", "title": ["x": 1], "fancy_title": 7, "posts_count": "3", "created_at": ["2024"], "bumped_at": 5,
      "pinned": 1, "views": "many", "tags": "독서", "posters": ["x": 1], "excerpt": [1], "category_id": ["a"],
    ]
    let none: [JSONValue] = [
      ["id": ["x": 1], "title": "a"], ["id": .null, "title": "b"], ["id": "", "title": "c"], ["id": true],
      ["title": "d"],
      "a word", 7, .null, [],
    ]
    let bed = try SourceTestBed { _ in
      .json(["users": ["ann": 1], "topic_list": ["topics": .array([odd] + none), "more_topics_url": 3]])
    }
    let page = try await DiscourseSource(bed.address(.discourse), bed.network).posts(of: "latest", at: nil, state: nil)
    #expect(page.posts.map(\.id) == ["17"] && page.next == nil)
    let post = try #require(page.posts.first)
    #expect(post.title == "7" && post.isPinned && post.commentsCount == 2 && post.writer == nil)
    #expect(post.viewCount == nil && post.publishedAt == nil && post.categories.isEmpty && post.body == nil)
    for answer: JSONValue in [["topic_list": []], ["topic_list": "x"], [], 7, "x", .null] {
      let bed = try SourceTestBed { _ in .json(answer) }
      let source = DiscourseSource(bed.address(.discourse), bed.network)
      let failure = await failure { () async throws(SourceFailure) in
        try await source.posts(of: "latest", at: nil, state: nil)
      }
      #expect(failure?.error.kind == .badResponse, "\(answer)")
    }
  }

  @Test(
    "the next page is the one that a page names, as JSON",
    arguments: [
      ("/latest?no_definitions=true&page=1", "/forum/latest.json?no_definitions=true&page=1"),
      ("/forum/c/a/5/l/latest?page=1", "/forum/c/a/5/l/latest.json?page=1"),
      ("/latest.json?page=1", "/forum/latest.json?page=1"),
      ("https://elsewhere.example/latest?page=1", "/forum/latest.json?page=1"),
    ])
  func nextPage(named: String, asked: String) async throws {
    let bed = try SourceTestBed { request in
      request.target == "/forum/latest.json" ? Self.list([Self.topic(1)], next: named) : Self.list([Self.topic(2)])
    }
    let source = DiscourseSource(bed.address(.discourse, "/forum"), bed.network)
    let first = try await source.posts(of: "latest", at: nil, state: nil)
    let second = try await source.posts(of: "latest", at: first.next, state: nil)
    #expect(second.posts.map(\.id) == ["2"] && second.next == nil)
    #expect(bed.targets.last == asked)
  }

  @Test("a page that names another place than a path has no next, and a board is asked for by its id alone")
  func strangePages() async throws {
    let bed = try SourceTestBed { _ in Self.list([Self.topic(1)], next: "//evil.example/latest") }
    let source = DiscourseSource(bed.address(.discourse), bed.network)
    #expect(try await source.posts(of: "5", at: nil, state: nil).next == nil)
    #expect(bed.targets == ["/c/-/5/l/latest.json"])
    let failure = await failure { () throws(SourceFailure) in try await source.posts(of: "../x", at: nil, state: nil) }
    #expect(failure?.kind == .missing && bed.targets.count == 1)
  }

  @Test("a topic of 61 posts comes in the order of its stream, no more than 20 asked for at once")
  func longTopic() async throws {
    let bed = try SourceTestBed { request in
      let stream = (1...61).map { 1200 + $0 }
      if request.path == "/t/12.json" {
        return .json([
          "id": 12, "title": "긴 주제", "posts_count": 61,
          "post_stream": [
            "posts": .array((1...20).map { Self.post(12, $0) }), "stream": .array(stream.map { .integer(Int64($0)) }),
          ],
        ])
      }
      let ids = request.target.split(separator: "post_ids[]=").dropFirst().compactMap { Int($0.prefix { $0 != "&" }) }
      // In an order of its own, as the service may.
      return .json(["post_stream": ["posts": .array(ids.reversed().map { Self.post(12, $0 - 1200) })], "id": 12])
    }
    let post = try await DiscourseSource(bed.address(.discourse), bed.network).post("12", of: "latest")
    let body = try #require(post.body)
    let numbers = body.text.matches(of: /#(\d+) link/).compactMap { Int($0.output.1) }
    // Neither what says that the topic was moved, nor what was deleted.
    #expect(numbers == Array(1...61).filter { $0 != 40 && $0 != 41 })
    #expect(body.isWhole && post.title == "긴 주제" && post.writer?.name == "Name 1")
    #expect(body.html.contains("<strong>user2</strong> <time datetime=\"2024-04-02T03:00:00.123Z\">2024-04-02</time>"))
    #expect(body.html.contains("href=\"\(bed.server.origin)/t/1\""))
    #expect(body.images.first == "http://cdn.example/1.png" && body.images.count == 59)
    #expect(bed.targets.count == 4)
    #expect(bed.targets.dropFirst().allSatisfy { $0.split(separator: "post_ids").count - 1 <= 20 })
  }

  @Test(
    "too many requests, in each of the service's forms: nothing is sent before its time",
    arguments: [
      (
        ServerReply.text(
          "Slow down, you're making too many requests.\nPlease retry again in 8 seconds.\n", status: 429), 8
      ),
      (
        .json(
          ["errors": ["x"], "error_type": "rate_limit", "extras": ["wait_seconds": 7, "time_left": "7 seconds"]],
          status: 429),
        7
      ),
      (.json(["failed": "FAILED", "message": "x"], status: 429), 1),
      (.text("", status: 429, [("Retry-After", "9")]), 9),
      (.json(["extras": ["wait_seconds": 5]], status: 429, [("Retry-After", "2")]), 5),
    ] as [(ServerReply, Int)])
  func rateLimits(reply: ServerReply, seconds: Int) async throws {
    let answers = ReplySequence(reply, Self.list([Self.topic(1)]))
    let bed = try SourceTestBed { _ in answers.next() }
    let source = DiscourseSource(bed.address(.discourse), bed.network)
    let page = try await source.posts(of: "latest", at: nil, state: nil)
    #expect(page.posts.count == 1 && bed.targets.count == 2)
    #expect(bed.time.passed >= .seconds(seconds))
  }

  @Test("a limit that lasts is told with its time, and holds for every board of the site")
  func lastingLimit() async throws {
    let bed = try SourceTestBed { _ in .json(["extras": ["wait_seconds": 600]], status: 429) }
    let source = DiscourseSource(bed.address(.discourse), bed.network)
    let first = await failure { () throws(SourceFailure) in try await source.posts(of: "latest", at: nil, state: nil) }
    #expect(first?.kind == .passing && first?.error.kind == .rateLimited)
    #expect((first?.retryAfter ?? .zero) > .seconds(500))
    let other = DiscourseSource(bed.address(.discourse), bed.network)
    let second = await failure { () throws(SourceFailure) in try await other.posts(of: "5", at: nil, state: nil) }
    #expect(second?.retryAfter != nil && bed.targets.count == 1)
  }

  @Test("an overloaded site that finds nothing is a failure, and not an empty list")
  func overloaded() async throws {
    let bed = try SourceTestBed { _ in
      .json(["posts": [], "topics": [], "grouped_search_result": ["error": "overloaded", "term": "x"]])
    }
    let source = DiscourseSource(bed.address(.discourse), bed.network)
    let query = SourceQuery(board: "latest", text: "x", target: .all)
    let failure = await failure { () throws(SourceFailure) in try await source.search(query, at: nil) }
    #expect(failure?.kind == .passing && failure?.error.kind == .badResponse)
  }

  @Test("a search begins with page 1, goes on while the site says so, and never past page 10")
  func search() async throws {
    let bed = try SourceTestBed { request in
      .json([
        "topics": [Self.topic(Int(request.query["page"] ?? "") ?? 0)],
        "posts": [
          ["topic_id": 1, "post_number": 1, "username": "ann"], ["topic_id": 1, "post_number": 2, "username": "bob"],
        ],
        "grouped_search_result": ["more_full_page_results": true, "error": .null],
      ])
    }
    let source = DiscourseSource(bed.address(.discourse), bed.network)
    let query = SourceQuery(board: "5", text: "한강 & c", target: .title)
    let first = try await source.search(query, at: nil)
    #expect(first.posts.map(\.id) == ["1"] && first.posts[0].writer?.name == "ann" && first.next == "2")
    #expect(bed.server.requests[0].query["q"] == "한강 & c in:title")
    #expect(bed.server.requests[0].query["page"] == "1")
    #expect(try await source.search(query, at: "10").next == nil)
    let failure = await failure { () throws(SourceFailure) in try await source.search(query, at: "11") }
    #expect(failure != nil && bed.targets.count == 2)
    // The topics of another category are left out.
    #expect(try await source.search(SourceQuery(board: "6", text: "x", target: .all), at: nil).posts.isEmpty)
  }

  @Test("a person's key and an administrator's go in headers of their own, and a wrong one is one request")
  func keys() async throws {
    for (secret, name) in [("0123abcd", "User-Api-Key"), ("system:0123abcd", "Api-Key")] {
      let bed = try SourceTestBed(secret: secret) { _ in
        .json(["errors": ["no"], "error_type": "invalid_access"], status: 403)
      }
      let source = DiscourseSource(bed.address(.discourse, credential: "work"), bed.network)
      let failure = await failure { () throws(SourceFailure) in try await source.boards(nil) }
      #expect(failure?.kind == .unauthorized && bed.targets.count == 1)
      #expect(bed.server.requests[0][name] == "0123abcd")
      #expect(bed.server.requests[0]["Api-Username"] == (name == "Api-Key" ? "system" : nil))
    }
  }

  @Test("with a person's key there are three seconds between two requests")
  func keyBudget() async throws {
    let bed = try SourceTestBed(secret: "k") { _ in Self.list([Self.topic(1)]) }
    let source = DiscourseSource(bed.address(.discourse, credential: "work"), bed.network)
    for _ in 0..<3 { _ = try await source.posts(of: "latest", at: nil, state: nil) }
    #expect(bed.time.passed >= .seconds(6))
  }

  @Test(
    "what a reader types is looked for and never obeyed: words that the service takes for orders go out as phrases",
    arguments: [
      ("lunch break", "lunch break"), ("한강", "한강"), ("order:latest lunch", "\"order latest\" lunch"),
      ("@ann", "\"ann\""), ("#tag x y", "\"tag\" x y"), ("-secret", "\"secret\""), ("l", "\"l\""),
      ("\"in:title now\" a", "\"in title now\" a"), ("half \"open", "half open"), ("12:30", "\"12 30\""),
      ("가 나", "가 나"), ("C++", "C++"),
    ])
  func words(typed: String, sent: String) {
    #expect(DiscourseWords.words(SourceQuery(board: "latest", text: typed, target: .all)) == sent)
    #expect(DiscourseWords.words(SourceQuery(board: "latest", text: typed, target: .title)) == sent + " in:title")
    let writer = DiscourseWords.words(SourceQuery(board: "latest", text: typed, target: .writer))
    #expect(writer.hasPrefix("@") && !writer.dropFirst().contains { ":@# \"".contains($0) })
  }

  @Test(
    "a word that is too short for the site is no failure of it, and neither are marks alone, which nobody is asked for")
  func tooShort() async throws {
    let bed = try SourceTestBed { _ in
      .json(
        ["errors": ["You supplied invalid parameters to the request: q"], "error_type": "invalid_parameters"],
        status: 400)
    }
    let source = DiscourseSource(bed.address(.discourse), bed.network)
    for (text, requests) in [("한강", 1), (":: @", 1)] {
      let failure = await failure { () throws(SourceFailure) in
        try await source.search(SourceQuery(board: "latest", text: text, target: .all), at: nil)
      }
      #expect(failure?.kind == .query && failure?.error.text.key == "boards.wordTooShort")
      #expect(bed.targets.count == requests)
    }
    // On a later page it is something else.
    let failure = await failure { () throws(SourceFailure) in
      try await source.search(SourceQuery(board: "latest", text: "long enough", target: .all), at: "2")
    }
    #expect(failure?.kind == .passing && failure?.error.kind == .httpStatus)
    #expect(failure?.error.text.arguments["service"] == "Discourse")
    #expect(failure?.error.text.arguments["origin"] == bed.server.origin)
    #expect(failure?.error.text.arguments.values.contains { $0.contains("search.json") } == false)
  }

  @Test("the service shows ten pages of what it finds; that there is more is said on the last")
  func lastPage() async throws {
    let bed = try SourceTestBed { _ in
      .json(["topics": [Self.topic(1)], "posts": [], "grouped_search_result": ["more_full_page_results": true]])
    }
    let source = DiscourseSource(bed.address(.discourse), bed.network)
    let query = SourceQuery(board: "latest", text: "lunch", target: .all)
    let ninth = try await source.search(query, at: "9")
    #expect(ninth.next == "10" && ninth.notice == nil)
    let tenth = try await source.search(query, at: "10")
    #expect(tenth.next == nil && tenth.notice?.text.key == "boards.searchEnds")
  }
}
