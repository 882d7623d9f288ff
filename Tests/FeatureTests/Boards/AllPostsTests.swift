import Client
import Contract
import Kit
import Store
import TestSupport
import Testing
import Wire

@testable import Boards

@Suite("Boards: the posts of all sources, and what is unread") struct AllPostsTests {
  /// Two sources with posts that alternate in time; `Post 0` is the newest.
  private static func bench(_ clock: TestClock = TestClock()) async throws -> BoardBench {
    let (bench, feed) = (try await BoardBench(clock: clock), FakeSource())
    bench.source.change { content in
      content.boards = [FetchedBoard(id: "1", displayName: "Notices")]
      content.posts["1"] = [0, 2, 4].map { .sample($0) }
    }
    feed.change { content in
      content.title = "A feed"
      content.boards = [FetchedBoard(id: "feed", displayName: "A feed")]
      content.posts["feed"] = [1, 3].map { .sample($0) }
      content.comesWithPages = true
    }
    try await bench.add()
    try await bench.add("feed", "https://example.org/feed", as: feed)
    _ = try await bench.client.call("boards/refresh")
    return bench
  }

  @Test("the posts of all sources are listed by time, each with its board and its source, page by page")
  func everything() async throws {
    let bench = try await Self.bench()
    let all = try await bench.posts(["all": true])
    #expect(all.items.map { $0["title"].text } == (0..<5).map { "Post \($0)" })
    #expect(all["total"] == 5 && all["state"] == "results" && all["board"] == nil && all["hasMore"] == false)
    let boards = try await bench.client.call("boards/list").items
    for item in all.items {
      let board = try #require(boards.first { $0.id == item["board"] })
      #expect(item["source"] == board["source"] && item["display"]?["board"] == board["display"]?["title"])
      #expect(item["display"]?["source"] == board["display"]?["source"])
    }
    #expect(Set(all.items.map { $0["display"]?["source"].text }) == ["groupware.example", "A feed"])
    var (titles, after) = ([String](), JSONValue?.none)
    for _ in 0..<3 {
      var params: JSONObject = ["all": true, "limit": 2]
      params["after"] = after
      let part = try await bench.posts(.object(params))
      #expect(part["offset"] == .integer(Int64(titles.count)))
      titles += part.items.map { $0["title"].text }
      after = part["next"]
    }
    #expect(titles == (0..<5).map { "Post \($0)" } && after == nil)
    #expect(try await bench.titles(["all": true, "offset": 3]) == ["Post 3", "Post 4"])
    #expect(try await bench.posts(["all": true, "offset": 9]).items.isEmpty)
    #expect(try await bench.refusal("boards/posts", ["all": true, "after": "nonsense"]) == "after")
    #expect(try await bench.refusal("boards/posts", ["all": true, "board": boards[0].id]) != "none")
    await bench.stop()
  }

  @Test("unread and saved posts of all sources are listed by time, however they became so")
  func filters() async throws {
    let clock = TestClock()
    let bench = try await Self.bench(clock)
    let ids = try await bench.posts(["all": true]).items.map(\.id)
    func unread() async throws -> [String] { try await bench.titles(["all": true, "unread": true]) }
    _ = try await bench.client.call("boards/markRead", ["ids": .array([ids[0], ids[3]]), "read": true])
    #expect(try await unread() == ["Post 1", "Post 2", "Post 4"])
    #expect(try await bench.posts(["all": true, "unread": true])["total"] == 3)
    _ = try await bench.client.call("changes/undo")
    #expect(try await unread().count == 5)
    _ = try await bench.client.call("changes/redo")
    _ = try await bench.client.call("boards/markRead", ["ids": [ids[3]], "read": false])
    #expect(try await unread() == ["Post 1", "Post 2", "Post 3", "Post 4"])
    // The last saved first, and with `all` the newest first.
    for id in [ids[1], ids[4], ids[2]] {
      _ = try await bench.client.call("boards/save", ["ids": [id], "saved": true])
      clock.advance(milliseconds: 1_000)
    }
    #expect(try await bench.titles(["saved": true]) == ["Post 2", "Post 4", "Post 1"])
    #expect(try await bench.titles(["all": true, "saved": true]) == ["Post 1", "Post 2", "Post 4"])
    // A saved post outlives its source, and is on no board then.
    let groupware = try await bench.client.call("boards/sources").items[0].id
    _ = try await bench.client.call("boards/removeSource", ["id": groupware])
    let left = try await bench.posts(["all": true])
    #expect(left.items.map { $0["title"].text } == ["Post 1", "Post 2", "Post 3", "Post 4"])
    #expect(left.items[1]["board"] == nil && left.items[1]["display"]?["source"] == nil)
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.posts(["all": true])["total"] == 5)
    _ = try await bench.client.call("boards/markRead", ["ids": .array(ids), "read": true])
    let none = try await bench.posts(["all": true, "unread": true])
    #expect(none["state"] == "empty" && none["hint"] == "No unread posts.")
    await bench.stop()
  }

  @Test("the list of a board names it, also where the one before the client was meant")
  func meant() async throws {
    let bench = try await Self.bench()
    let boards = try await bench.client.call("boards/list").items
    let first = try await bench.posts()
    #expect(first["board"]?.id == boards[0].id && first["board"]?["title"] == "Notices")
    #expect(first["board"]?["source"] == boards[0]["source"] && first["board"]?["sourceTitle"] == "groupware.example")
    #expect(first.items[0]["display"]?["board"] == nil)
    _ = try await bench.client.call("boards/select", ["board": boards[1].id])
    #expect(try await bench.posts()["board"]?.id == boards[1].id)
    #expect(try await bench.posts(["saved": true])["board"] == nil)
    await bench.stop()
  }

  @Test("a post that is listed by a later time than before moves up in every list that it is in")
  func moved() async throws {
    let clock = TestClock()
    let (bench, page) = try await BoardBench.showing(FetchedPost.samples(3), clock: clock)
    _ = try await bench.client.call("boards/save", ["ids": [page.items[2].id, page.items[0].id], "saved": true])
    clock.advance(milliseconds: 40 * 3_600_000)
    bench.source.change { $0.posts["1"]?[2].listedAt = clock.now }
    _ = try await bench.posts(["refresh": true])
    for (filter, expected) in [
      ("unread", ["Post 2", "Post 0", "Post 1"]), ("saved", ["Post 2", "Post 0"]),
      ("all", ["Post 2", "Post 0", "Post 1"]),
    ] {
      var params: JSONObject = ["all": true]
      params[filter] = true
      let list = try await bench.posts(.object(params))
      #expect(list.items.map { $0["title"].text } == expected, "\(filter)")
      #expect(list["total"] == .integer(Int64(expected.count)))
      params["offset"] = 1
      #expect(try await bench.titles(.object(params)) == Array(expected.dropFirst()))
    }
    await bench.stop()
  }

  @Test("a post on two boards of a source is one unread post of the source and of the library")
  func sharedPost() async throws {
    let bench = try await BoardBench()
    bench.source.change { $0.posts = ["1": FetchedPost.samples(3), "2": FetchedPost.samples(2)] }
    try await bench.add("discourse", "https://forum.example")
    _ = try await bench.client.call("boards/refresh")
    let list = try await bench.client.call("boards/list")
    #expect(list.items.map { $0["unread"] } == [3, 2] && list["unread"] == 3)
    #expect(try await bench.client.call("boards/sources").items[0]["unread"] == 3)
    let id = try await bench.posts(["all": true]).items[0].id
    _ = try await bench.client.call("boards/markRead", ["ids": [id], "read": true])
    let marked = try await bench.client.call("boards/list")
    #expect(marked.items.map { $0["unread"] } == [2, 1] && marked["unread"] == 2)
    #expect(try await bench.client.call("boards/sources").items[0]["unread"] == 2)
    let source = try await bench.client.call("boards/sources").items[0].id
    _ = try await bench.client.call("boards/removeSource", ["id": source])
    #expect(try await bench.client.call("boards/list")["unread"] == 0)
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.client.call("boards/list")["unread"] == 2)
    #expect(try await bench.client.call("boards/sources").items[0]["unread"] == 2)
    await bench.stop()
  }

  @Test("a notification has the unread posts of the boards, sources and library that a commit changed")
  func counts() async throws {
    let bench = try await Self.bench()
    let boards = try await bench.client.call("boards/list").items
    let ids = try await bench.posts(["all": true]).items.map(\.id)
    let other = try await bench.daemon.client(name: "other")
    let sources = try await bench.daemon.client(name: "sources")
    _ = try await sources.call("changes/subscribe", ["collections": ["sources"]])
    let clock = try await bench.client.call("boards/markRead", ["ids": .array([ids[0], ids[1]]), "read": true]).clock
    for client in [other, sources] { _ = try await client.call("session/sync") }
    func counts(_ client: Client) -> [JSONValue] {
      client.commits.filter { $0.clock == clock }.flatMap { $0["counts"].list }
    }
    let expected: [JSONValue] = [
      ["collection": "posts", "field": "unread", "count": 3],
      ["collection": "sources", "id": boards[0]["source"]!, "field": "unread", "count": 2],
      ["collection": "sources", "id": boards[1]["source"]!, "field": "unread", "count": 1],
    ]
    #expect(Array(counts(other).prefix(3)) == expected)
    #expect(counts(other).dropFirst(3).map { $0["count"] } == [2, 1])
    // Who asked for sources alone is told their counts, and no changes.
    #expect(counts(sources) == Array(expected.dropFirst()))
    #expect(sources.commits.last?["changes"].list.isEmpty == true)
    // A change of another collection carries none.
    let card = try await bench.client.call("projects/add", ["title": "A card"]).clock
    _ = try await other.call("session/sync")
    let added = try #require(other.commits.first { $0.clock == card })
    #expect(added["counts"] == nil)
    await bench.stop()
  }

  @Test("counts are in a notification beside a reset too")
  func resets() async throws {
    let bench = try await BoardBench()
    bench.source.change { content in
      content.boards.removeLast()
      content.pageSize = 1_200
      content.posts["1"] = FetchedPost.samples(1_200)
    }
    try await bench.add()
    _ = try await bench.client.call("boards/refresh")
    let board = try await bench.boards()[0]
    let marked = try await bench.client.call("boards/markRead", ["board": board, "read": true])
    #expect(marked["count"] == 1_200)
    _ = try await bench.client.call("session/sync")
    let reset = try #require(bench.client.commits.last { $0["reset"] != nil })
    #expect(reset["counts"].list.contains(["collection": "posts", "field": "unread", "count": 0]))
    #expect(reset["counts"].list.contains(["collection": "boards", "id": board, "field": "unread", "count": 0]))
    await bench.stop()
  }

  @Test("a library of before has its posts listed by time and counted, and a part costs no pass through all of them")
  func older() async throws {
    let bench = try await Self.bench()
    let ids = try await bench.posts(["all": true]).items.map(\.id)
    _ = try await bench.client.call("boards/markRead", ["ids": [ids[0]], "read": true])
    _ = try await bench.client.call("boards/save", ["ids": [ids[2]], "saved": true])
    await bench.stop()
    let triggers = [
      "postSpanEmptied", "listedPostAdded", "listedPostRemoved", "postTimed", "postRetimed", "postUntimed",
      "postMarkListed", "postMarkRelisted", "postMarkUnlisted", "postOriginCounted", "postOriginUncounted",
      "sourceCountEmptied", "postMarkCounted", "postMarkRecounted", "postMarkUncounted",
      "postMarkTagged", "postMarkRetagged", "postMarkUntagged", "postMarkCameHidden", "postMarkHidden",
      "postMarkShown", "postMarkWentHidden", "postOriginQuieted", "postOriginUnquieted", "boardSourceQuieted",
      "boardSourceCameQuiet", "boardSourceWentQuiet", "quietPostAdded", "quietPostRemoved", "boardSourceWent",
      "postCame", "postPlaced", "articleFailureWent",
    ]
    try OldLibraries.execute(
      triggers.map { "DROP TRIGGER \($0);" }.joined()
        + """
        DROP TABLE listedPost; DROP TABLE postSpan; DROP TABLE sourceCount; DROP TABLE postRule; DROP TABLE postLabel;
        ALTER TABLE postMark DROP COLUMN hiddenAt; ALTER TABLE postMark DROP COLUMN tags;
        ALTER TABLE postMark DROP COLUMN rules; DROP TABLE droppedPost; DROP TABLE quietPost;
        DROP INDEX boardSourceQuiet; ALTER TABLE boardSource DROP COLUMN keepDays;
        ALTER TABLE boardSource DROP COLUMN keepPosts; ALTER TABLE boardSource DROP COLUMN every;
        ALTER TABLE boardSource DROP COLUMN isQuiet; DROP INDEX postMarkByQuotes; DROP TABLE articleFailure;
        ALTER TABLE postMark DROP COLUMN quotes; ALTER TABLE boardSource DROP COLUMN wholeText;
        ALTER TABLE boardSource DROP COLUMN selector; DROP TABLE readerApp; DROP INDEX postByArrival;
        DROP INDEX postOfSeveral; DROP INDEX postWithoutBoard; DROP INDEX postMarkByNote; ALTER TABLE postMark DROP COLUMN note;
        ALTER TABLE boardSource DROP COLUMN items;
        CREATE TRIGGER postCame AFTER INSERT ON post BEGIN SELECT 1; END;
        CREATE TRIGGER postPlaced AFTER UPDATE OF placements ON post BEGIN SELECT 1; END;
        DELETE FROM grdb_migrations WHERE identifier IN (
          'boards/006', 'boards/007', 'boards/008', 'boards/009', 'boards/010', 'boards/011',
          'boards/015');
        """, in: LibraryFolder(bench.daemon.library))
    let again = try await TestDaemon.started(in: bench.daemon.folder)
    let client = try await again.client()
    func titles(_ params: JSONValue) async throws -> [String] {
      try await client.call("boards/posts", params).items.map { $0["title"].text }
    }
    #expect(try await titles(["all": true, "unread": true]) == ["Post 1", "Post 2", "Post 3", "Post 4"])
    #expect(try await titles(["all": true, "saved": true]) == ["Post 2"])
    #expect(try await client.call("boards/list")["unread"] == 4)
    #expect(try await client.call("boards/sources").items.map { $0["unread"] } == [2, 2])
    await again.stop()
    for list in [PostTimeline.List.all, .unread, .saved, .hidden] {
      let db = try SearchLibrary.open(LibraryFolder(again.library).database)
      let timeline = PostTimeline(list: list, db: db)
      for part in [ListPart(limit: 30), ListPart(after: "5/a", limit: 30)] {
        let plan = try db.plan(of: timeline.statement(part).sql)
        let isIndexed = plan.allSatisfy {
          $0.contains("INDEX") || $0.contains("PRIMARY KEY") || $0.contains("CORRELATED SCALAR SUBQUERY")
        }
        #expect(isIndexed && !plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
      }
    }
  }

  @Test(
    "another address of the same groupware or forum is the source that is there",
    arguments: [
      ("mailplug", "https://groupware.example", "https://groupware.example/api/v2/boards"),
      ("mailplug", "https://groupware.example/api/v2", "https://groupware.example/"),
      ("discourse", "https://forum.example/latest", "https://forum.example"),
    ])
  func sameService(_ kind: String, _ first: String, _ second: String) async throws {
    let bench = try await BoardBench()
    let added = try await bench.add(kind, first)
    let again = try await bench.add(kind, second)
    #expect(again.id == added.id && again["existing"] == true)
    #expect(try await bench.client.call("boards/sources")["total"] == 1)
    let other = try await bench.add(kind, "https://other.example")
    let refusal = try await bench.client.failure("boards/updateSource", ["id": other.id, "url": .string(second)])
    #expect(refusal?.data?["kind"] == "exists" && refusal?.data?["current"]?.id == added.id)
    await bench.stop()
  }
}
