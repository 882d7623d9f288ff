import Client
import TestSupport
import Testing
import Wire

@testable import Boards

@Suite("Boards: rules for posts") struct RuleTests {
  /// Four posts: two of football, of which one is tagged, and two others.
  private static let posts: [FetchedPost] = [
    .sample(0, title: "Lunch", text: "Soup at noon"),
    .sample(1, title: "Football tonight", text: "The cup"),
    .sample(2, title: "Weekend", text: "We play football in the park") { $0.categories = ["Sports"] },
    .sample(3, title: "River walk", text: "Along the river", writer: "Ben") { $0.kind = "notice" },
  ]

  private static func bench(_ rules: [JSONObject], clock: TestClock = TestClock()) async throws -> BoardBench {
    let bench = try await BoardBench(clock: clock)
    bench.source.change { $0.posts["1"] = posts }
    for rule in rules { _ = try await bench.client.call("boards/addRule", .object(rule)) }
    try await bench.add()
    _ = try await bench.posts()
    return bench
  }

  private static func unread(_ bench: BoardBench) async throws -> [JSONValue?] {
    let boards = try await bench.client.call("boards/list")
    let source = try await bench.client.call("boards/sources").items[0]
    return [boards["unread"], boards.items[0]["unread"], boards.items[0]["count"], source["unread"]]
  }

  @Test("a rule hides the new posts that match it: they are in no list and no count, but found as hidden")
  func hiding() async throws {
    let bench = try await Self.bench([["id": "r1", "text": "football", "title": "No sports", "hide": true]])
    #expect(try await bench.titles() == ["Lunch", "River walk"])
    #expect(try await bench.titles(["all": true]) == ["Lunch", "River walk"])
    #expect(try await bench.titles(["all": true, "unread": true]) == ["Lunch", "River walk"])
    #expect(try await Self.unread(bench) == [2, 2, 2, 2])
    let hidden = try await bench.posts(["hidden": true])
    #expect(hidden.items.map { $0["title"] } == ["Football tonight", "Weekend"] && hidden["total"] == 2)
    let trace: JSONValue = [["rule": "r1", "title": "No sports", "actions": ["hide"]]]
    #expect(hidden.items.allSatisfy { $0["hidden"] == true && $0["rules"] == trace })
    let found = try await bench.client.call("search/query", ["text": "is:hidden"])
    #expect(Set(found.items.map { $0["title"].text }) == ["Football tonight", "Weekend"])
    #expect(try await bench.client.call("search/query", ["text": "football NOT is:hidden"])["total"] == 0)

    // A hidden post that is fetched again is not new, and stays hidden.
    _ = try await bench.client.call("boards/refresh")
    #expect(try await bench.titles() == ["Lunch", "River walk"])
    // A saved post is shown, and hidden again when it is unsaved.
    let id = try #require(hidden.items.first?.id)
    for isSaved in [true, false] {
      _ = try await bench.client.call("boards/save", ["ids": [id], "saved": .bool(isSaved)])
      #expect(try await bench.posts(["hidden": true])["total"] == (isSaved ? 1 : 2))
      #expect(try await Self.unread(bench) == (isSaved ? [3, 3, 3, 3] : [2, 2, 2, 2]))
    }
    _ = try await bench.client.call("boards/hide", ["ids": [id], "hidden": false])
    #expect(try await bench.titles() == ["Lunch", "Football tonight", "River walk"])
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.titles() == ["Lunch", "River walk"])
    #expect(try await bench.refusal("boards/hide", ["ids": ["none"], "hidden": true]) == "notFound")
    await bench.stop()
  }

  @Test("rules mark as read, save and tag; all that match do their part, and none hides what another saves")
  func actions() async throws {
    let bench = try await Self.bench([
      ["id": "a", "text": "is:notice", "read": true, "save": true],
      ["id": "b", "text": "football", "tags": ["Sports/Ball"]],
      ["id": "c", "text": "river", "hide": true],
    ])
    let posts = try await bench.posts().items
    #expect(posts.map { $0["title"] } == ["Lunch", "Football tonight", "Weekend", "River walk"])
    #expect(posts.map { $0["read"] } == [false, false, false, true] && posts[3]["saved"] == true)
    #expect(posts[1]["tags"] == ["Sports/Ball"] && posts[2]["tags"] == ["Sports/Ball"] && posts[0]["tags"] == nil)
    #expect(posts[3]["rules"] == [["rule": "a", "title": "is:notice", "actions": ["save", "read"]]])
    #expect(try await bench.titles(["saved": true]) == ["River walk"])
    #expect(try await Self.unread(bench) == [3, 3, 4, 3])
    for tag in ["tag:sports/ball", "tag:sports"] {
      let found = try await bench.client.call("search/query", ["text": .string(tag)])
      #expect(Set(found.items.map { $0["title"].text }) == ["Football tonight", "Weekend"], "\(tag)")
    }
    let renamed = try await bench.client.call("tags/rename", ["from": "Sports/Ball", "to": "Ball"])
    #expect(renamed["changed"] != false)
    #expect(try await bench.client.call("search/query", ["text": "tag:ball"])["total"] == 2)
    #expect(try await bench.client.call("boards/rules").items[1]["tags"] == ["Ball"])
    await bench.stop()
  }

  @Test("a rule for some boards or sources leaves the posts of others alone")
  func places() async throws {
    let bench = try await BoardBench()
    bench.source.change { $0.posts = ["1": [.sample(1, title: "A river")], "2": [.sample(2, title: "Another river")]] }
    try await bench.add()
    let boards = try await bench.boards()
    _ = try await bench.client.call("boards/addRule", ["text": "river", "boards": [boards[1]], "hide": true])
    for board in boards { _ = try await bench.posts(["board": board]) }
    #expect(try await bench.titles(["all": true]) == ["A river"])
    let other = FakeSource()
    other.change { $0.posts["1"] = [.sample(3, title: "A third river")] }
    let source = try await bench.add("feed", "https://a.example/feed", as: other).id
    _ = try await bench.client.call("boards/addRule", ["text": "river", "sources": [source], "read": true])
    let applied = try await bench.client.call("boards/applyRules")
    #expect(applied["rules"].list.map { $0["matched"] }.first == 1)
    await bench.stop()
  }

  @Test("a dry run counts and names what would change; applied, it is one step, which an undo takes back")
  func applying() async throws {
    let bench = try await Self.bench([])
    _ = try await bench.client.call("boards/addRule", ["id": "r", "text": "football", "hide": true, "read": true])
    _ = try await bench.client.call("boards/addRule", ["id": "s", "text": "soup", "tags": ["food"]])
    #expect(try await bench.titles().count == 4)
    let dry = try await bench.client.call("boards/applyRules", ["dryRun": true])
    #expect(dry["posts"] == 4 && dry["count"] == 3)
    #expect(dry["rules"].list.map { $0["rule"] } == ["r", "s"])
    #expect(dry["rules"].list.map { $0["changed"] } == [2, 1])
    #expect(
      Set(dry["rules"].list[0]["samples"].list.map { $0["title"].text }) == ["Football tonight", "Weekend"])
    #expect(try await bench.titles().count == 4)
    let one = try await bench.client.call("boards/applyRules", ["id": "s"])
    #expect(one["count"] == 1 && one["rules"].list.count == 1)
    _ = try await bench.client.call("changes/undo")
    let all = try await bench.client.call("boards/applyRules")
    #expect(all["count"] == 3)
    #expect(try await bench.titles() == ["Lunch", "River walk"])
    #expect(try await Self.unread(bench) == [2, 2, 2, 2])
    // Again it finds them as they are.
    let again = try await bench.client.call("boards/applyRules")
    #expect(again["count"] == 0 && again["rules"].list.map { $0["matched"] } == [2, 1])
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.titles().count == 4)
    #expect(try await Self.unread(bench) == [4, 4, 4, 4])
    #expect(try await bench.posts().items.allSatisfy { $0["rules"] == nil && $0["tags"] == nil })
    #expect(try await bench.refusal("boards/applyRules", ["id": "none"]) == "notFound")
    await bench.stop()
  }

  @Test(
    "a query that no post can match, or that cannot be read, is refused with its place, and so is a rule that does nothing",
    arguments: [
      ("river due:today", "text", 6), ("is:overdue", "text", 0), ("river in:diary", "text", 6), ("\"river", "text", 0),
      ("(river", "text", 0), ("river is:raed", "text", 6), ("  ", "text", nil),
    ] as [(String, String, Int64?)])
  func refused(_ text: String, _ field: String, _ offset: Int64?) async throws {
    let bench = try await BoardBench()
    let failure = try await bench.client.failure("boards/addRule", ["text": .string(text), "hide": true])
    #expect(failure?.code == -32602 && failure?.data?["field"]?.text == field, "\(String(describing: failure))")
    if let offset { #expect(failure?.data?["offset"]?.integerValue == offset, "\(String(describing: failure))") }
    #expect(try await bench.client.call("boards/rules")["total"] == 0)
    await bench.stop()
  }

  @Test("a rule that does nothing is refused, added or changed, and so are places that do not exist")
  func nothing() async throws {
    let bench = try await BoardBench()
    #expect(try await bench.refusal("boards/addRule", ["text": "river"]) == "hide")
    #expect(
      try await bench.refusal("boards/addRule", ["text": "river", "hide": true, "boards": ["none"]]) == "notFound")
    let rule = try await bench.client.call("boards/addRule", ["id": "r", "text": "river", "hide": true])
    #expect(rule["display"]?["title"] == "river" && rule["display"]?["actions"] == "hide")
    #expect(try await bench.refusal("boards/updateRule", ["id": "r", "hide": false]) == "hide")
    #expect(
      try await bench.client.call("boards/addRule", ["id": "r", "text": "river", "hide": true])["changed"] == false)
    #expect(try await bench.refusal("boards/addRule", ["id": "r", "text": "lake", "hide": true]) == "exists")
    let changed = try await bench.client.call("boards/updateRule", ["id": "r", "title": "Water", "tags": ["water"]])
    #expect(changed["display"]?["actions"] == "hide, tag water" && changed["title"] == "Water")
    _ = try await bench.client.call("boards/removeRule", ["id": "r"])
    #expect(try await bench.client.call("boards/rules")["total"] == 0)
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.client.call("boards/rules").items.map { $0["title"] } == ["Water"])
    await bench.stop()
  }

  @Test(
    "a rule matches the posts that a search finds",
    arguments: [
      "river", "riv*", "\"slow river\"", "river NOT slow", "title:river", "title:(lunch OR river)",
      "(soup OR cup) NOT ann",
      "cup", "독서", "독서 모임", "\"독서 모임\"", "모임 OR river", "ben", "tag:sports", "tag:spo* OR is:notice", "NOT river",
      "NOT tag:sports", "is:notice river", "after:2020", "before:2020", "fußball", "RIVERS", "讀書", "读书", "re-read",
    ])
  func likeSearch(_ text: String) async throws {
    let bench = try await BoardBench()
    let texts = [
      ("Lunch", "Soup at noon; a cup of tea"), ("The slow river", "A river, slowly"), ("Fussball", "Fußball"),
      ("독서모임", "다음 독서 모임은 금요일"), ("Rivers", "Along the water; to re-read"), ("读书", "我们一起讀書"),
    ]
    bench.source.change { content in
      content.posts["1"] = texts.enumerated().map { number, text in
        .sample(number, title: text.0, text: text.1, writer: number == 1 ? "Ben" : "Ann") {
          $0.categories = number == 2 ? ["Sports"] : []
          $0.kind = number == 4 ? "notice" : nil
        }
      }
    }
    try await bench.add()
    _ = try await bench.posts()
    let found = try await bench.client.call("search/query", ["text": .string(text), "collections": ["posts"]])
    _ = try await bench.client.call("boards/addRule", ["text": .string(text), "tags": ["matched"]])
    let applied = try await bench.client.call("boards/applyRules", ["dryRun": true])["rules"].list.first
    #expect(
      Set(applied?["samples"].list.map { $0["title"].text } ?? []) == Set(found.items.map { $0["title"].text }))
    await bench.stop()
  }

  @Test("a rule says whether some or all of its places were removed")
  func gonePlaces() async throws {
    let bench = try await Self.bench([])
    try await bench.add("feed", "https://example.org/feed", as: FakeSource())
    let sources = try await bench.client.call("boards/sources").items.map(\.id)
    #expect(sources.count == 2)
    _ = try await bench.client.call("boards/addRule", ["text": "river", "sources": .array(sources), "hide": true])
    var failures: [String?] = []
    for source in sources {
      _ = try await bench.client.call("boards/removeSource", ["id": source])
      failures.append(try await bench.client.call("boards/rules").items[0]["failure"]?.text)
    }
    #expect(
      failures == [
        "A source or board of this rule was removed; the rule does nothing there.",
        "The sources and boards of this rule were removed, so it does nothing.",
      ])
    await bench.stop()
  }

  @Test("a rule whose board was removed says so, and does nothing")
  func goneBoard() async throws {
    let bench = try await Self.bench([])
    let boards = try await bench.boards()
    let rule = try await bench.client.call(
      "boards/addRule", ["text": "river", "boards": [boards[0]], "hide": true])
    #expect(rule["failure"] == nil && rule["display"]?["places"] == "Notices")
    let source = try await bench.client.call("boards/sources").items[0].id
    _ = try await bench.client.call("boards/removeSource", ["id": source])
    let gone = try await bench.client.call("boards/rules").items[0]
    #expect(gone["failure"]?.text.contains("removed") == true && gone["display"]?["places"] == "(removed)")
    #expect(try await bench.client.call("boards/applyRules")["count"] == 0)
    await bench.stop()
  }
}
