import Client
import Contract
import Daemon
import Kit
import TestSupport
import Testing
import Wire

@testable import Boards

@Suite("Boards: tags and notes of one's own") struct PostNoteTests {
  @Test("posts are tagged in any spelling beside their source's topics, found by the tags, and undone in one step")
  func tags() async throws {
    let (bench, page) = try await BoardBench.showing([
      .sample(0) { $0.categories = ["Food"] }, .sample(1), .sample(2),
    ])
    let ids = page.items.map(\.id)
    let client = bench.client
    let first = try await client.call("boards/tag", ["ids": [ids[0], ids[1]], "add": ["Recipes", " Soup "]])
    let again = try await client.call("boards/tag", ["ids": [ids[0]], "add": ["RECIPES"]])
    #expect(first.count == 2 && again.count == 0, "it has it already")
    let posts = try await bench.posts().items
    #expect(posts[0]["tags"] == ["Recipes", "Soup"] && posts[0]["categories"] == ["Food"] && posts[2]["tags"] == nil)
    func found(_ text: String) async throws -> [JSONValue?] {
      try await client.call("search/query", ["text": .string(text)]).items.map { $0["id"] }
    }
    #expect(Set(try await found("tag:recipes in:posts").map { $0?.text }) == [ids[0].text, ids[1].text])
    _ = try await client.call(
      "boards/tag", ["ids": [ids[0], ids[1]], "add": ["Bread"], "remove": ["recipes", "Food"]])
    #expect(try await bench.posts().items.prefix(2).map { $0["tags"] } == [["Soup", "Bread"], ["Soup", "Bread"]])
    #expect(try await bench.posts().items[0]["categories"] == ["Food"], "the source's topic stays")
    _ = try await client.call("changes/undo")
    #expect(try await bench.posts().items.prefix(2).map { $0["tags"] } == [["Recipes", "Soup"], ["Recipes", "Soup"]])
    let many = (0...100).map { JSONValue.string("tag\($0)") }
    #expect(try await bench.refusal("boards/tag", ["ids": [ids[0]], "add": .array(many)]) == "add")
    #expect(try await bench.refusal("boards/tag", ["ids": [ids[0]], "add": .array(Array(many.dropLast()))]) == "add")
    #expect(try await bench.refusal("boards/tag", ["ids": [ids[0]], "add": ["a\nb"]]) == "add[0]")
    #expect(try await bench.refusal("boards/tag", ["ids": ["none"], "add": ["x"]]) == "notFound")
    await bench.stop()
  }

  @Test("a note's words find the post, also with a filter; it has a history, is undone, and is removed when empty")
  func notes() async throws {
    let (bench, page) = try await BoardBench.showing([.sample(0, title: "Soup", text: "At noon."), .sample(1)])
    let (client, id) = (bench.client, page.items[0].id)
    func found(_ text: String) async throws -> [String] {
      let hits = try await client.call("search/query", ["text": .string(text)]).items
      return hits.map { $0["link"].text == "commonplace:/posts/\(id.text)" ? "Soup" : "another" }
    }
    let noted = try await client.call("boards/note", ["id": id, "note": "Ask Ann for the marrow."])
    #expect(noted["note"] == "Ask Ann for the marrow." && noted["title"] == "Soup")
    #expect(try await bench.posts().items[0]["note"] == "Ask Ann for the marrow.")
    _ = try await client.call("boards/save", ["ids": [id], "saved": true])
    for text in ["marrow", "is:noted", "is:saved marrow", "is:noted is:saved"] {
      #expect(try await found(text) == ["Soup"], "\(text)")
    }
    _ = try await client.call("boards/note", ["id": id, "note": "Ask Bob."])
    #expect(try await found("marrow") == [])
    #expect(try await found("Bob") == ["Soup"])
    let history = try await client.call("changes/history", ["collection": "postMarks", "id": id])
    #expect(history.items.contains { $0["before"]?["note"]?.text == "Ask Ann for the marrow." })
    _ = try await client.call("changes/undo")
    #expect(try await found("marrow") == ["Soup"])
    let removed = try await client.call("boards/note", ["id": id, "note": " "])
    #expect(removed["note"] == nil && removed["saved"] == true)
    #expect(try await found("marrow") == [])
    #expect(try await found("is:noted") == [])
    #expect(try await bench.refusal("boards/note", ["id": "none", "note": "x"]) == "notFound")
    await bench.stop()
  }

  @Test("a note that arrived from another device before its post is found with the title and the time of the post")
  func beforePost() async throws {
    func reading(_ posts: [FetchedPost]) async throws -> (bench: BoardBench, source: JSONValue) {
      let bench = try await BoardBench()
      bench.source.change {
        $0.boards = [FetchedBoard(id: "1", displayName: "Feed")]
        $0.comesWithPages = true
        $0.posts["1"] = posts
      }
      return (bench, try await bench.add("feed", "https://feed.example/f").id)
    }
    let (elsewhere, _) = try await reading([.sample(1, title: "Soup")])
    let id = try #require(try await elsewhere.posts(["all": true]).items.first).id
    await elsewhere.stop()
    let (bench, source) = try await reading([.sample(0)])
    let services = bench.daemon.daemon.services
    try await services.library.write(as: FeatureCaller.daemon(services), label: "test") { transaction in
      var mark = PostMarkRecord()
      (mark.id, mark.note) = (id.text, "Ask Ann for the marrow.")
      _ = try transaction.insert(mark)
    }
    #expect(try await bench.client.call("search/query", ["text": "marrow"]).items.isEmpty)
    bench.source.change { $0.posts["1"]?.append(.sample(1, title: "Soup")) }
    _ = try await bench.client.call("boards/refresh", ["source": source])
    let post = try #require(try await bench.client.call("search/query", ["text": "Soup"]).items.first)
    let noted = try #require(try await bench.client.call("search/query", ["text": "marrow"]).items.first)
    #expect(noted["title"] == "Soup" && noted["display"]?["title"] == "Soup")
    #expect(noted["id"] == id && noted["at"] == post["at"] && noted["link"] == post["link"])
    await bench.stop()
  }

  @Test("posts with a note or a tag stay when their source is removed")
  func outliving() async throws {
    let (bench, page) = try await BoardBench.showing(FetchedPost.samples(4))
    _ = try await bench.client.call("boards/note", ["id": page.items[1].id, "note": "Mine."])
    _ = try await bench.client.call("boards/tag", ["ids": [page.items[2].id], "add": ["mine"]])
    let source = try await bench.client.call("boards/sources").items[0].id
    #expect(try await bench.client.call("boards/removeSource", ["id": source])["posts"] == 2)
    #expect(try await bench.client.call("boards/post", ["id": page.items[1].id])["note"] == "Mine.")
    #expect(try await bench.client.call("boards/post", ["id": page.items[2].id])["tags"] == ["mine"])
    #expect(try await bench.refusal("boards/post", ["id": page.items[0].id]) == "notFound")
    await bench.stop()
  }

  @Test("a post with a note stays when its source keeps few posts")
  func kept() async throws {
    let clock = TestClock()
    let bench = try await BoardBench(clock: clock)
    bench.source.change {
      $0.boards = [FetchedBoard(id: "1", displayName: "Feed")]
      $0.comesWithPages = true
      $0.posts["1"] = FetchedPost.samples(4)
    }
    let source = try await bench.add("feed", "https://feed.example/f").id
    let old = try #require(try await bench.posts(["all": true]).items.last)
    _ = try await bench.client.call("boards/note", ["id": old.id, "note": "Mine."])
    _ = try await bench.client.call("boards/updateSource", ["id": source, "keepPosts": 1])
    clock.advance(milliseconds: 3_600_000)
    _ = try await bench.client.call("boards/refresh", ["source": source])
    #expect(try await bench.posts(["all": true]).items.map { $0["title"] } == ["Post 0", old["title"]])
    await bench.stop()
  }
}
