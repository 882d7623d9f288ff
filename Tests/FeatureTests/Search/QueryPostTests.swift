import Client
import TestSupport
import Testing
import Wire

@testable import Boards
@testable import Books

@Suite("Search: posts") struct QueryPostTests {
  private static func entry(_ id: String, _ title: String, _ text: String) -> FetchedPost {
    .sample(0, title: title, text: text) {
      $0.id = id
      $0.link = "https://elsewhere.example/1"
    }
  }

  @Test("a post that two sources carry is one hit, by whatever any of them says")
  func shared() async throws {
    let bench = try await BoardBench()
    let (one, two) = (
      PostIdentityTests.feed([Self.entry("a1", "One Title", "alpha words")]),
      PostIdentityTests.feed([Self.entry("b1", "one title", "beta words")])
    )
    try await bench.add("feed", "https://a.example/feed", as: one)
    try await bench.add("feed", "https://b.example/feed", as: two)
    for board in try await bench.boards() { _ = try await bench.posts(["board": board]) }
    let post = try await bench.posts(["board": bench.boards()[0]]).items[0].id
    for text in ["words", "alpha", "beta", "title:one"] {
      let found = try await bench.client.call("search/query", ["text": .string(text)])
      #expect(found.items.map { $0.id } == [post] && found["total"] == 1, "\(text)")
      #expect(found.items.map { $0["collection"] } == ["posts"] && found["counts"].list.count == 1)
      #expect(found.items.map { $0["link"] } == [.string("commonplace:/posts/\(post.text)")])
    }
    let offered = try await bench.client.call("search/suggest", ["scope": "boards", "text": "one"])
    #expect(offered["titles"].list.map { $0.id } == [post] && offered["targets"].list.count == 4)
    await bench.stop()
  }

  @Test("from: finds posts by writer, source and folder, and books by author; where nobody is named it is an error")
  func from() async throws {
    let bench = try await BoardBench()
    func feed(_ id: String, _ text: String, _ writer: String, isAnonymous: Bool = false) -> FakeSource {
      PostIdentityTests.feed([
        .sample(0, title: "Title \(id)", text: text, writer: writer) {
          $0.id = id
          $0.isAnonymous = isAnonymous
        }
      ])
    }
    let added = try await bench.add("feed", "https://a.example/feed", as: feed("a", "alpha words", "Ann Lee"))
    try await bench.add("feed", "https://b.example/feed", as: feed("b", "beta words", "Éva"))
    try await bench.add("feed", "https://c.example/feed", as: feed("c", "gamma words", "Ann", isAnonymous: true))
    for board in try await bench.boards() { _ = try await bench.posts(["board": board]) }
    _ = try await bench.client.call(
      "boards/updateSource", ["id": added.id, "title": "River News", "folder": ["World", "East"]])
    _ = try await bench.client.call(
      "books/addToShelf", ["byHand": ["title": "Words", "authors": ["Jane Austen", "Ann Radcliffe"]]])
    for (text, titles) in [
      ("from:ann", ["Title a", "Words"]), ("from:ÉVA in:posts", ["Title b"]), ("from:\"river news\"", ["Title a"]),
      ("from:east words", ["Title a"]), ("words NOT from:east in:posts", ["Title b", "Title c"]),
      ("출처:\"ann lee\"", ["Title a"]), ("from:nobody", []), ("in:(posts OR diary) from:world", ["Title a"]),
    ] as [(String, Set<String>)] {
      let found = try await bench.client.call("search/query", ["text": .string(text)]).items
      #expect(Set(found.map { $0["title"].text }) == titles, "\(text)")
    }
    #expect(try await bench.refusal("search/query", ["text": "from:ann in:diary"]) == "text")
    // The texts of few are listed, so that a frequent word does not read the writer of each text.
    for name in ["ann", "river", "east", "nobody"] {
      let texts = try await filterTexts(from: name, of: PostSearchEntry.source, in: bench.daemon.daemon.services)
      #expect(texts.listed == texts.scanned && texts.scanned.isEmpty == (name == "nobody"), "\(name) \(texts)")
    }
    let books = try await filterTexts(from: "ann rad", of: BookSearch.source, in: bench.daemon.daemon.services)
    #expect(books.listed == books.scanned && books.scanned.count == 1)
    _ = try await bench.client.call("boards/addRule", ["text": "from:lee", "hide": true])
    #expect(try await bench.client.call("boards/applyRules")["count"] == 1)
    for (text, count) in [("from:world is:hidden", 1), ("from:world NOT is:hidden", 0)] as [(String, Int)] {
      #expect(try await bench.client.call("search/query", ["text": .string(text)]).items.count == count, "\(text)")
    }
    await bench.stop()
  }

  @Test("the words of a source for what a post is about are its tags, those of each source that carries it")
  func tags() async throws {
    let bench = try await BoardBench()
    func feed(_ id: String, _ text: String, _ categories: [String]) -> FakeSource {
      var post = Self.entry(id, "One Title", text)
      post.categories = categories
      return PostIdentityTests.feed([post])
    }
    try await bench.add("feed", "https://a.example/feed", as: feed("a1", "alpha words", ["음식", "Slow Food"]))
    try await bench.add("feed", "https://b.example/feed", as: feed("b1", "beta words", ["여행"]))
    for board in try await bench.boards() { _ = try await bench.posts(["board": board]) }
    for (text, count) in [
      ("tag:음식", 1), ("tag:\"slow food\"", 1), ("words tag:여행", 1), ("tag:slow", 0), ("words NOT tag:음식 NOT tag:여행", 0),
      ("in:posts tag:음식", 1),
    ] {
      let found = try await bench.client.call("search/query", ["text": .string(text)])
      #expect(found.items.count == count && found.items.allSatisfy { $0["collection"] == "posts" }, "\(text)")
    }
    // Who is offered a tag finds as many as he was told.
    _ = try await bench.client.call("projects/add", ["title": "a card", "tags": ["slow food"]])
    let offered = try await bench.client.call("search/suggest", ["scope": "library", "text": "slow"])["tags"].list
    #expect(offered.map { $0["count"] } == [2] && offered.first?["tag"].text.lowercased() == "slow food")
    let found = try await bench.client.call("search/query", ["text": .string(offered.first?["text"].text ?? "")])
    #expect(found["total"] == 2)
    let trip = try await bench.client.call("search/suggest", ["scope": "library", "text": "tag:여"])["tags"].list
    #expect(trip.map { $0["tag"] } == ["여행"] && trip.map { $0["count"] } == [1])
    await bench.stop()
  }

  @Test("what was read, saved, or is a notice can be asked for, and an anonymous writer by nothing")
  func states() async throws {
    let posts = [
      FetchedPost.sample(1, title: "Lunch", text: "words", writer: "Ann") { $0.kind = "notice" },
      .sample(2, title: "Supper", text: "words", writer: "Bea"),
      .sample(3, title: "Tea", text: "words", writer: "Secret") { $0.isAnonymous = true },
    ]
    let (bench, page) = try await BoardBench.showing(posts)
    let ids = Dictionary(page.items.map { ($0["title"].text, $0.id) }) { first, _ in first }
    _ = try await bench.client.call("boards/markRead", ["ids": [ids["Lunch"]!], "read": true])
    _ = try await bench.client.call("boards/save", ["ids": [ids["Supper"]!], "saved": true])
    for (text, expected) in [
      ("is:read", ["Lunch"]), ("is:unread", ["Supper", "Tea"]), ("words is:saved", ["Supper"]),
      ("is:notice", ["Lunch"]),
      ("Ann", ["Lunch"]), ("Secret", []), ("words NOT is:read", ["Supper", "Tea"]),
      ("in:게시글", ["Lunch", "Supper", "Tea"]), ("words after:2026-11-21", ["Lunch", "Supper", "Tea"]),
      ("words before:2026-11-21", []), ("words is:saved before:2026-11-22", ["Supper"]),
    ] {
      let found = try await bench.client.call("search/query", ["text": .string(text)])
      #expect(found.items.map { $0["title"].text }.sorted() == expected, "\(text)")
    }
    let writer = try await bench.client.call("search/query", ["text": "Ann"]).items
    #expect(writer.first?["field"] == "tags" && writer.first?["snippet"] == "Ann")
    await bench.stop()
  }
}
