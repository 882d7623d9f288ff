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
    await bench.stop()
  }

  @Test("a large folder has the same posts as a small one, whose posts are sorted", arguments: [0, 5_000])
  func sizes(small: Int) async throws {
    let bench = try await Self.bench()
    let services = bench.daemon.daemon.services
    let (posts, rest, total) = try await services.library.read(as: FeatureCaller.daemon(services)) { snapshot in
      let folder = try SourceFolder(["News"], in: snapshot)
      let timeline = try PostTimeline(list: .unread, of: folder, db: snapshot.db, small: small)
      let first = try timeline.part(ListPart(limit: 2))
      let rest = try timeline.part(ListPart(after: first.next, limit: 2))
      return (first.posts, rest.posts, try timeline.total())
    }
    let listed = try await bench.posts(["folder": ["News"]]).items.map { $0.id.text }
    #expect(posts + rest == listed && listed.count == 3 && total == 3)
    await bench.stop()
  }
}
