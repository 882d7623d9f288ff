import Client
import Contract
import Foundation
import TestSupport
import Testing
import Wire

@testable import Boards
@testable import System

@Suite("Boards: sources") struct SourceTests {
  @Test(
    "a source is there when it has answered, and nothing of it when it has not; the same again is the one that is there"
  )
  func adding() async throws {
    let bench = try await BoardBench()
    bench.source.change { $0.failure = .silent }
    #expect(
      try await bench.refusal("boards/addSource", ["kind": "feed", "url": "https://a.example/feed"]) == "unreachable")
    #expect(try await bench.client.call("boards/sources")["total"] == 0)
    #expect(try await bench.client.call("session/sync").clock == 0)
    bench.source.change {
      $0.failure = nil
      $0.title = "The groupware"
    }
    let source = try await bench.add(more: ["id": "mine", "credential": "work"])
    #expect(source.id == "mine" && source["readOnly"] == true && source["credential"] == "work")
    #expect(source["boards"] == 2 && source["display"]?["title"] == "The groupware" && source["title"] == nil)
    let asked = bench.source.requests.count
    for params: JSONObject in [["id": "mine"], [:]] {
      let again = try await bench.add(more: params)
      #expect(again.id == "mine" && again["existing"] == true)
    }
    #expect(bench.source.requests.count == asked)
    #expect(
      try await bench.refusal("boards/addSource", ["id": "mine", "kind": "feed", "url": "https://b.example"])
        == "exists")
    await bench.stop()
  }

  @Test("adding a feed is one request: its posts come along")
  func oneRequest() async throws {
    let bench = try await BoardBench()
    bench.source.change {
      $0.boards = [FetchedBoard(id: "feed", displayName: "News")]
      $0.posts["feed"] = FetchedPost.samples(3)
      $0.comesWithPages = true
      $0.movedTo = "https://example.org/feed.xml"
    }
    let source = try await bench.add("feed", "example.org")
    #expect(source["url"] == "https://example.org/" && source["movedTo"] == "https://example.org/feed.xml")
    let page = try await bench.posts()
    #expect(page.items.count == 3 && page["state"] == "results" && page["freshness"] == "live")
    #expect(bench.source.requests == [.boards])
    // The reader's write is undone, with what was fetched for it; a redo brings it back.
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.client.call("boards/sources")["total"] == 0)
    #expect(try await bench.client.call("boards/search", ["query": "post"])["total"] == 0)
    _ = try await bench.client.call("changes/redo")
    #expect(try await bench.client.call("boards/search", ["query": "post"])["total"] == 3)
    await bench.stop()
  }

  @Test("a feed that a page has led to is not there twice: neither by its own URL nor by that of another page")
  func sameFeed() async throws {
    let bench = try await BoardBench()
    bench.source.change {
      $0.boards = [FetchedBoard(id: "feed", displayName: "News")]
      $0.movedTo = "https://example.org/feed.xml"
    }
    let source = try await bench.add("feed", "https://example.org/")
    let asked = bench.source.requests.count
    let direct = try await bench.add("feed", "https://example.org/feed.xml")
    #expect(direct.id == source.id && direct["existing"] == true && bench.source.requests.count == asked)
    let page = try await bench.add("feed", "https://example.org/about")
    #expect(page.id == source.id && page["existing"] == true)
    let outline = "<outline type=\"rss\" text=\"News\" xmlUrl=\"https://example.org/feed.xml\"/>"
    let file = Data("<opml version=\"2.0\"><head/><body>\(outline)</body></opml>".utf8).base64EncodedString()
    let imported = try await bench.client.call("boards/import", ["data": .string(file)])
    #expect(imported["known"] == 1 && imported["added"] == 0)
    // Who asks as somebody else may be shown something else.
    bench.source.change { $0.movedTo = nil }
    let other = try await bench.add("feed", "https://example.org/feed.xml", ["credential": "work"])
    #expect(other.id != source.id && other["existing"] == nil)
    #expect(try await bench.client.call("boards/sources")["total"] == 2)
    await bench.stop()
  }

  @Test(
    "M31 a URL is kept and shown, so one with a user, a password or a token in it is refused, and the error shows none of it",
    arguments: [
      "https://ann:hunter2@groupware.example/api", "https://example.org/feed?token=hunter2",
      "https://example.org/feed?a=b&api_key=hunter2",
    ])
  func secrets(url: String) async throws {
    let bench = try await BoardBench()
    let failure = try await bench.client.failure("boards/addSource", ["kind": "feed", "url": .string(url)])
    #expect(failure?.data?["kind"] == "invalidURL" && failure?.data?["field"] == "url")
    #expect(failure?.data?["advice"].text.contains("config.toml") == true)
    #expect(!"\(String(describing: failure))".contains("hunter2"))
    #expect(!bench.daemon.logLines.contains { $0.contains("hunter2") })
    for wrong: JSONValue in ["ftp://a.example", "http://", "http://a b/", 7, ""] {
      let refused = try await bench.client.failure("boards/addSource", ["kind": "feed", "url": wrong])
      #expect(refused?.data?["field"] == "url", "\(wrong)")
    }
    #expect(try await bench.refusal("boards/addSource", ["kind": "gopher", "url": "https://a.example"]) == "kind")
    #expect(bench.source.requests.isEmpty)
    await bench.stop()
  }

  @Test("a source is renamed and moved; at another URL it is asked anew, and what was fetched stays")
  func updating() async throws {
    let (bench, _) = try await BoardBench.showing(FetchedPost.samples(3))
    let source = try await bench.client.call("boards/sources").items[0]
    let named = try await bench.client.call("boards/updateSource", ["id": source.id, "title": "Work"])
    #expect(named["display"]?["title"] == "Work")
    let moved = try await bench.client.call(
      "boards/updateSource", ["id": source.id, "title": .null, "url": "https://new.example/api", "credential": "new"])
    #expect(moved["url"] == "https://new.example/api" && moved["title"] == nil && moved["credential"] == "new")
    #expect(try await bench.posts().items.count == 3)
    #expect(bench.source.pages == [nil, nil])
    #expect(
      try await bench.refusal(
        "boards/updateSource", ["id": source.id, "title": "x", "ifRevision": source["revision"]!])
        == "conflict")
    try await bench.add("mailplug", "https://other.example/")
    #expect(
      try await bench.refusal("boards/updateSource", ["id": source.id, "url": "https://other.example/"]) == "exists")
    _ = try await bench.client.call("changes/undo", ["clock": moved["clock"]!])
    #expect(try await bench.client.call("boards/sources").items[0]["url"] == .string(BoardBench.url))
    await bench.stop()
  }

  @Test("several sources are changed by one request, which is one step for undo; an unknown one fails alone")
  func updatingMany() async throws {
    let bench = try await BoardBench()
    let first = try await bench.add("mailplug", "https://one.example/")
    let second = try await bench.add("mailplug", "https://two.example/")
    let named = try await bench.client.call(
      "boards/updateSource", ["ids": .array([first.id, second.id, "nowhere"]), "title": "Work"])
    #expect(named["items"].list.map { $0["title"] } == ["Work", "Work"], "\(named)")
    #expect(named["failed"].list.map { $0["id"] } == ["nowhere"])
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.client.call("boards/sources").items.allSatisfy { $0["title"] == nil })
    await bench.stop()
  }

  @Test("a removed source takes its boards and posts along, but not what was saved; an undo brings all of it back")
  func removing() async throws {
    let (bench, page) = try await BoardBench.showing(FetchedPost.samples(4))
    let source = try await bench.client.call("boards/sources").items[0].id
    _ = try await bench.client.call("boards/save", ["ids": [page.items[2].id], "saved": true])
    _ = try await bench.client.call("boards/markRead", ["ids": [page.items[1].id], "read": true])
    let removed = try await bench.client.call("boards/removeSource", ["id": source])
    #expect(removed["removed"] == source && removed["posts"] == 3 && removed["boards"] == 2)
    #expect(try await bench.client.call("boards/list")["state"] == "empty")
    #expect(try await bench.titles(["saved": true]) == ["Post 2"])
    #expect(try await bench.client.call("boards/post", ["id": page.items[2].id])["board"] == nil)
    #expect(try await bench.refusal("boards/post", ["id": page.items[0].id]) == "notFound")
    #expect(try await bench.refusal("boards/posts", [:]) == "notFound")
    #expect(try await bench.refusal("boards/removeSource", ["id": source]) == "notFound")
    _ = try await bench.client.call("changes/undo")
    let back = try await bench.posts()
    #expect(
      back.items.map(\.id) == page.items.map(\.id) && back.items.map { $0["read"] } == [false, true, false, false])
    #expect(try await bench.client.call("boards/list").items[0]["count"] == 4)
    await bench.stop()
  }

  @Test("several sources are removed by one request, which is one step for undo; an unknown one fails alone")
  func removingMany() async throws {
    let bench = try await BoardBench()
    bench.source.change { $0.posts["1"] = FetchedPost.samples(4) }
    let first = try await bench.add("mailplug", "https://one.example/")
    let second = try await bench.add("mailplug", "https://two.example/")
    let posts = try await bench.posts(["all": true])["total"]
    let removed = try await bench.client.call(
      "boards/removeSource", ["ids": .array([first.id, "nowhere", second.id])])
    #expect(removed["items"].list.map { $0["removed"] } == [first.id, second.id], "\(removed)")
    #expect(removed["failed"].list.map { $0["id"] } == ["nowhere"], "\(removed)")
    #expect(removed["failed"].list.map { $0["failure"]?["kind"] } == ["notFound"], "\(removed)")
    #expect(try await bench.client.call("boards/sources").items.isEmpty)
    _ = try await bench.client.call("changes/undo")
    #expect(Set(try await bench.client.call("boards/sources").items.map(\.id.text)) == [first.id.text, second.id.text])
    #expect(try await bench.posts(["all": true])["total"] == posts)
    let none = try await bench.client.call("boards/removeSource", ["ids": ["nowhere"]])
    #expect(none["changed"] == false && none["failed"].list.count == 1, "\(none)")
    await bench.stop()
  }

  @Test("who brings back a removed source is told of the source and its boards, and how many posts came with it")
  func removalTakenBack() async throws {
    let bench = try await BoardBench()
    bench.source.change {
      $0.title = "The groupware"
      $0.posts["1"] = FetchedPost.samples(150)
    }
    let source = try await bench.add().id
    _ = try await bench.posts(["limit": 150])
    _ = try await bench.client.call("boards/removeSource", ["id": source])
    for (method, kind) in [("undo", "added"), ("redo", "removed")] {
      let done = try await bench.client.call("changes/\(method)")
      #expect((done["total"]?.integerValue ?? 0) > 150 && done.items.count == 3)
      #expect(done.items[0]["collection"] == "sources" && done.items[0].id == source)
      #expect(done.items[0]["display"]?["title"] == "The groupware" && done.items[0]["kind"].text == kind)
      #expect(done.items[1...2].allSatisfy { $0["collection"] == "boards" })
      let posts = try #require(done["others"].list.first { $0["collection"] == "posts" })
      #expect(posts["count"] == 150 && posts["kind"].text == kind)
      #expect(posts["display"]?["kind"] == done.items[0]["display"]?["kind"])
    }
    await bench.stop()
  }

  @Test("a source that is removed while it is being asked stays removed, and nothing of the answer is left")
  func removedWhileRefreshing() async throws {
    let (bench, page) = try await BoardBench.showing(FetchedPost.samples(2))
    let source = page.items[0]["source"]!
    bench.source.change { $0.posts["1"] = FetchedPost.samples(5) }
    let door = FakeSource.Door()
    bench.source.change { $0.door = door }
    let refresh = bench.client.send("boards/refresh", ["source": source])
    await door.reached.opened()
    #expect(try await bench.client.call("session/status")["jobs"].list.contains { $0["connection"] == source })
    _ = try await bench.client.call("boards/removeSource", ["id": source])
    door.open.open()
    #expect(try await refresh.failure()?.data?["kind"] == "notFound")
    #expect(try await bench.client.call("boards/search", ["query": "post"])["total"] == 0)
    #expect(try await bench.client.call("boards/sources")["total"] == 0)
    await bench.stop()
  }
}

extension BoardBench {
  func add(more: JSONObject) async throws -> JSONValue {
    try await add("mailplug", BoardBench.url, as: nil, more)
  }
}
