import Client
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Documents: lists") struct ListTests {
  @Test("P9 P10 a prefix is the default, a substring is asked for; no hit is an empty list")
  func query() async throws {
    let bench = try await DocumentBench()
    for title in ["The Swift Book", "Swift", "Ärger", "한국어 문법"] {
      try await bench.add(SamplePDF([title.description]), title: title)
    }
    #expect(try await bench.titles(["query": "swift"]) == ["Swift"])
    #expect(try await bench.titles(["query": "swift", "match": "substring"]) == ["The Swift Book", "Swift"])
    let none = try await bench.client.call("documents/list", ["query": "zebra"])
    #expect(none.items.isEmpty && none["total"] == 0 && none["hasMore"] == false && none["next"] == nil)
    // Decomposed and composed, full width and small are one.
    #expect(try await bench.titles(["query": "A\u{308}R"]) == ["Ärger"])
    #expect(try await bench.titles(["query": .string("한국".decomposedStringWithCanonicalMapping)]) == ["한국어 문법"])
    #expect(try await bench.titles(["query": "ｓｗｉ"]) == ["Swift"])
    #expect(try await bench.titles(["query": "국어", "match": "substring"]) == ["한국어 문법"])
    await bench.stop()
  }

  @Test("P11 after filtering, what is opened and removed is the hit, never what stands in its row")
  func filtered() async throws {
    let bench = try await DocumentBench()
    for title in ["alpha", "beta", "gamma"] { try await bench.add(SamplePDF([title]), title: title) }
    let hit = try #require(try await bench.client.call("documents/list", ["query": "gam"]).items.first?["id"])
    let text = try await bench.client.call("documents/text", ["id": hit, "page": 0])
    #expect(text["text"].text.hasPrefix("gamma"))
    _ = try await bench.client.call("documents/remove", ["id": hit])
    #expect(try await bench.titles() == ["alpha", "beta"])
    await bench.stop()
  }

  @Test(
    "P6 a cursor goes on behind the last item whatever was added or removed meanwhile",
    arguments: ["added", "title", "recent"])
  func cursors(sort: String) async throws {
    let clock = TestClock()
    let bench = try await DocumentBench(clock: clock)
    var ids: [JSONValue] = []
    for number in 1...5 {
      ids.append(try await bench.id(of: SamplePDF(["\(number)"]), title: "m\(number)"))
      clock.advance(milliseconds: 10)
    }
    let forward = ["m1", "m2", "m3", "m4", "m5"]
    let expected = sort == "recent" ? forward.reversed() : forward
    let first = try await bench.client.call("documents/list", ["sort": .string(sort), "limit": 2])
    #expect(first.items.map { $0["title"].text } == Array(expected.prefix(2)))
    #expect(first["hasMore"] == true && first["total"] == 5)
    // One before the cursor in every order, and the item at the cursor itself goes.
    try await bench.add(SamplePDF(["new"]), title: sort == "title" ? "a" : "z")
    let last = try #require(first.items.last?["id"])
    _ = try await bench.client.call("documents/remove", ["id": last])
    var rest: [String] = []
    var next = first["next"]
    while let after = next {
      let part = try await bench.client.call("documents/list", ["sort": .string(sort), "limit": 2, "after": after])
      rest += part.items.map { $0["title"].text }
      next = part["next"]
    }
    #expect(rest.filter { $0 != "z" } == Array(expected.dropFirst(2)))
    #expect(try await bench.client.failure("documents/list", ["after": "nonsense"])?.data?["field"] == "after")
    await bench.stop()
  }

  @Test("P16 P17 P23 bookmarks and memos are listed by ascending page with words for people, part by part")
  func marks() async throws {
    let bench = try await DocumentBench()
    let korean = try await bench.daemon.client(locale: "ko")
    let id = try await bench.id(of: .numbered(12))
    for page in [9, 1, 10, 2] {
      _ = try await bench.client.call("documents/setBookmark", ["id": id, "page": json(page), "bookmarked": true])
      _ = try await bench.client.call(
        "documents/setMemo", ["id": id, "page": json(page), "text": .string("memo \(page)")])
    }
    for method in ["documents/bookmarks", "documents/memos"] {
      let all = try await bench.client.call(method, ["id": id])
      #expect(all.items.map { $0["page"] } == [1, 2, 9, 10])
      let first = try await bench.client.call(method, ["id": id, "limit": 3])
      #expect(first.items.count == 3 && first["hasMore"] == true && first["total"] == 4)
      let rest = try await bench.client.call(method, ["id": id, "after": first["next"]!])
      #expect(rest.items.map { $0["page"] } == [10] && rest["offset"] == 3 && rest["next"] == nil)
      #expect(try await bench.client.failure(method, ["id": id, "after": "x"])?.data?["field"] == "after")
    }
    let bookmark = try await bench.client.call("documents/bookmarks", ["id": id]).items[0]
    #expect(bookmark["display"]?["title"] == "Page 2")
    let memo = try await korean.call("documents/memos", ["id": id]).items[0]
    #expect(memo["display"]?["title"] == "2쪽 메모" && memo["text"] == "memo 1")
    _ = try await bench.client.call("documents/setPosition", ["id": id, "page": bookmark["page"]!])
    #expect(try await bench.client.call("documents/get", ["id": id])["position"]?["page"] == 1)
    await bench.stop()
  }
}
