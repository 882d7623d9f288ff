import Client
import Contract
import Kit
import Store
import TestSupport
import Testing
import Wire

@testable import Boards

@Suite("Boards: the posts of a folder of sources") struct FolderPostsTests {
  private static let folder: JSONValue = ["News", "Daily"]

  /// Groupware without a folder with the even posts, and two feeds in folders with the odd ones; `Post 0` is the newest.
  private static func bench() async throws -> BoardBench {
    let bench = try await BoardBench()
    bench.source.change { content in
      content.boards = [FetchedBoard(id: "1", displayName: "Notices")]
      content.posts["1"] = [0, 2, 4].map { .sample($0) }
    }
    try await bench.add()
    for (name, posts, path) in [("daily", [1, 3], folder), ("weekly", [5], ["News"])] {
      let feed = FakeSource()
      feed.change { content in
        content.title = name
        content.boards = [FetchedBoard(id: "feed", displayName: name)]
        content.posts["feed"] = posts.map { .sample($0) }
        content.comesWithPages = true
      }
      let added = try await bench.add("feed", "https://example.org/\(name)", as: feed)
      _ = try await bench.client.call("boards/updateSource", ["id": added.id, "folder": path])
    }
    _ = try await bench.client.call("boards/refresh")
    return bench
  }

  @Test("the posts of a folder and of those below it are listed by time, page by page, in any case of its names")
  func listed() async throws {
    let bench = try await Self.bench()
    let news = try await bench.posts(["folder": ["NEWS"]])
    #expect(news.items.map { $0["title"].text } == ["Post 1", "Post 3", "Post 5"] && news["total"] == 3, "\(news)")
    #expect(try await bench.titles(["folder": Self.folder]) == ["Post 1", "Post 3"])
    #expect(try await bench.titles(["folder": ["News"], "offset": 2]) == ["Post 5"])
    let first = try await bench.posts(["folder": ["News"], "limit": 2])
    let second = try await bench.posts(["folder": ["News"], "limit": 2, "after": first["next"] ?? .null])
    #expect(second.items.map { $0["title"].text } == ["Post 5"] && second["offset"] == 2 && second["hasMore"] == false)
    #expect(try await bench.refusal("boards/posts", ["folder": ["Daily"]]) == "notFound")
    #expect(try await bench.refusal("boards/posts", ["folder": []]) == "folder")
    await bench.stop()
  }

  @Test("a folder is marked as read in one step of undo, and its unread posts are those that are left")
  func read() async throws {
    let bench = try await Self.bench()
    let all = try await bench.posts(["all": true]).items
    _ = try await bench.client.call("boards/markRead", ["ids": [all[1].id], "read": true])
    #expect(try await bench.titles(["folder": ["News"], "unread": true]) == ["Post 3", "Post 5"])
    _ = try await bench.client.call("boards/save", ["ids": [all[0].id, all[3].id], "saved": true])
    #expect(try await bench.titles(["folder": ["News"], "saved": true]) == ["Post 3"])
    #expect(try await bench.client.call("boards/markRead", ["folder": ["news"], "read": true])["count"] == 2)
    #expect(try await bench.posts(["folder": ["News"], "unread": true])["total"] == 0)
    #expect(try await bench.posts(["all": true, "unread": true])["total"] == 3)
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.titles(["folder": ["News"], "unread": true]) == ["Post 3", "Post 5"])
    #expect(try await bench.refusal("boards/markRead", ["folder": ["None"], "read": true]) == "notFound")
    #expect(try await bench.client.failure("boards/markRead", ["folder": ["News"], "all": true, "read": true]) != nil)
    // All sources at once, and back.
    #expect(try await bench.client.call("boards/markRead", ["all": true, "read": true])["count"] == 5)
    #expect(try await bench.posts(["all": true, "unread": true])["total"] == 0)
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.posts(["all": true, "unread": true])["total"] == 5)
    await bench.stop()
  }

  /// Groupware with two boards that share posts, one of which is pinned, and two feeds that share an item, all of them
  /// in a folder, and a quiet feed in it.
  private static func overlapping() async throws -> BoardBench {
    let bench = try await BoardBench()
    bench.source.change { content in
      content.boards = ["1", "2"].map { FetchedBoard(id: $0, displayName: "Notices \($0)") }
      content.posts = ["1": [0, 3, 6].map { .sample($0) }, "2": [3, 6, 9].map { .sample($0) }]
      content.posts["1"]?[1].isPinned = true
    }
    var sources = [try await bench.add()]
    for (name, posts) in [("a", [1, 4, 7]), ("b", [2, 4, 8]), ("quiet", [5])] {
      let items = posts.map { number in
        FetchedPost.sample(number) {
          $0.id = "\(name)\(number)"
          $0.link = "https://elsewhere.example/\(number)"
        }
      }
      sources.append(
        try await bench.add("feed", "https://\(name).example/feed", as: PostIdentityTests.feed(items)))
    }
    for source in sources {
      _ = try await bench.client.call("boards/updateSource", ["id": source.id, "folder": ["All"]])
    }
    _ = try await bench.client.call("boards/updateSource", ["id": sources[3].id, "quiet": true])
    _ = try await bench.client.call("boards/refresh")
    return bench
  }

  @Test("a post of several boards or sources of a folder is listed and counted once, however short the pages are")
  func overlaps() async throws {
    let bench = try await Self.overlapping()
    let all = try await bench.posts(["all": true]).items.map(\.id)
    #expect(all.count == 10)
    _ = try await bench.client.call("boards/markRead", ["ids": [all[1], all[6]], "read": true])
    for list in [
      ["folder": ["All"]], ["folder": ["All"], "unread": true], ["folder": ["All"], "oldest": true],
      ["folder": ["All"], "unread": true, "oldest": true], ["all": true, "oldest": true],
      ["all": true, "unread": true, "oldest": true],
    ] as [JSONObject] {
      var asked = list
      (asked["folder"], asked["all"], asked["oldest"]) = (nil, true, nil)
      let newest = try await bench.posts(.object(asked)).items.map(\.id)
      let listed = list["oldest"] == nil ? newest : newest.reversed()
      #expect(listed.count == (list["unread"] == nil ? 10 : 7))
      for limit in 1...10 {
        var (ids, params): ([JSONValue], JSONObject) = ([], list)
        params["limit"] = .integer(Int64(limit))
        while true {
          let page = try await bench.posts(.object(params))
          #expect(page["total"] == .integer(Int64(listed.count)) && page["totalIsEstimate"] == false)
          #expect(page["offset"] == .integer(Int64(ids.count)))
          ids += page.items.map(\.id)
          guard let next = page["next"]?.stringValue else { break }
          params["after"] = .string(next)
        }
        #expect(ids == listed, "\(limit)")
        params = list
        params["offset"] = .integer(Int64(limit))
        #expect(try await bench.posts(.object(params)).items.map(\.id) == Array(listed.dropFirst(limit)))
      }
    }
    await bench.stop()
  }

  @Test("a board and the saved posts have no list that begins with the oldest")
  func oldest() async throws {
    let bench = try await Self.bench()
    for params in [["oldest": true], ["saved": true, "oldest": true]] as [JSONValue] {
      #expect(try await bench.refusal("boards/posts", params) == "oldest")
    }
    await bench.stop()
  }

  @Test("one statement finds the posts of a page that several boards of the folder have, by an index of their posts")
  func places() async throws {
    let bench = try await BoardBench()
    await bench.stop()
    let plan = try queryPlan(of: FolderTimeline.placesStatement, in: bench.daemon.library)
    #expect(plan.contains { $0.hasPrefix("SEARCH boardPost USING INDEX boardPostByPost (post=?)") }, "\(plan)")
    #expect(!plan.contains { $0.hasPrefix("SCAN boardPost") }, "\(plan)")
  }

  @Test("a page reads the posts that it lists, from indexes in its order, and its total reads counts")
  func plans() async throws {
    let bench = try await BoardBench()
    await bench.stop()
    for (onlyUnread, index) in [
      (false, "COVERING INDEX boardPostByTime (board=? AND at>? AND (at,post)<(?,?))"),
      (true, "INDEX boardPostUnread (board=? AND pinned=? AND at>? AND (at,post)<(?,?))"),
    ] {
      func plan(_ isOldestFirst: Bool) throws -> [String] {
        let statement = FolderTimeline.statement(onlyUnread: onlyUnread, isOldestFirst: isOldestFirst)
        return try queryPlan(of: statement, in: bench.daemon.library)
      }
      #expect(try plan(false) == ["SEARCH boardPost USING \(index)"])
      let oldest = try plan(true)
      #expect(oldest.count == 1 && oldest[0].hasPrefix("SEARCH boardPost USING"), "no sorting: \(oldest)")
      let total = try queryPlan(of: FolderTimeline.sharedStatement(onlyUnread: onlyUnread), in: bench.daemon.library)
      let scans = total.filter { $0.hasPrefix("SCAN post ") }
      #expect(scans == ["SCAN post USING INDEX postOfSeveral"], "\(total)")
    }
  }
}
