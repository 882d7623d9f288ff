import Client
import Foundation
import TestSupport
import Testing
import Wire

@testable import Search

@Suite("Tags of all collections") struct TagTests {
  /// `tag count/total collection:count…` of each tag.
  private static func listed(_ bench: QueryBench, _ params: JSONObject = [:]) async throws -> [String] {
    try await bench.client.call("tags/list", .object(params)).items.map { tag in
      let parts = tag["collections"].list.map { "\($0["collection"].text):\($0["count"]?.integerValue ?? -1)" }
      return "\(tag["tag"].text) \(tag["count"]?.integerValue ?? -1)/\(tag["total"]?.integerValue ?? -1) "
        + parts.joined(separator: " ")
    }
  }

  private static func tags(_ bench: QueryBench, _ method: String, _ id: String) async throws -> JSONValue? {
    let item = try await bench.client.call(method, ["id": .string(id)])
    return item["tags"] ?? item["shelf"]?["tags"]
  }

  private static func note(_ bench: QueryBench, _ id: String, _ tags: JSONValue) async throws {
    _ = try await bench.client.call("notes/add", ["id": .string(id), "text": "A note", "tags": tags])
  }

  /// A document, a card, a note and a book with tags.
  private static func bench() async throws -> QueryBench {
    let bench = try await QueryBench()
    try await bench.card("card", id: "card", ["tags": ["Travel", "home"]])
    try await note(bench, "note", ["travel/asia", "home"])
    try await bench.book("book", id: "book", ["tags": ["ＴＲＡＶＥＬ", "travel/asia", "travels"]])
    return bench
  }

  @Test("tags are counted per collection and in all, in any case and width, with the tags below them")
  func listing() async throws {
    let bench = try await Self.bench()
    let words = try await bench.client.call("tags/list").items.first { $0["tag"] == "home" }?["display"]?["collections"]
    #expect(words == ["notes 1", "cards 1"])
    #expect(
      try await Self.listed(bench) == [
        "home 2/2 notes:1 projects:1", "Travel 2/3 books:1 notes:0 projects:1",
        "travel/asia 2/2 books:1 notes:1", "travels 1/1 books:1",
      ])
    #expect(
      try await Self.listed(bench, ["collections": ["notes"]]) == [
        "home 1/1 notes:1", "travel 0/1 notes:0", "travel/asia 1/1 notes:1",
      ])
    let strange = try await bench.client.failure("tags/list", ["collections": ["notes", "nothing"]])
    #expect(strange?.code == -32602 && strange?.data?["field"] == "collections[1]")
    await bench.stop()
  }

  @Test("the list of tags is read in pages, whose cursor is a tag")
  func pages() async throws {
    let bench = try await Self.bench()
    var (names, after): ([String], JSONValue?) = ([], nil)
    repeat {
      var params: JSONObject = ["limit": 1]
      if let after { params["after"] = after }
      let page = try await bench.client.call("tags/list", .object(params))
      #expect(page["total"] == 4 && page["offset"]?.integerValue == Int64(names.count))
      names += page.items.map { $0["tag"].text }
      after = page["next"]
    } while after != nil
    #expect(names == ["home", "Travel", "travel/asia", "travels"])
    #expect(try await bench.client.call("tags/list", ["offset": 3]).items.map { $0["tag"] } == ["travels"])
    #expect(try await bench.client.call("tags/list", ["offset": 9]).items.isEmpty)
    await bench.stop()
  }

  @Test("a tag is renamed everywhere with the tags below it, in one step of undo and of redo")
  func renaming() async throws {
    let bench = try await Self.bench()
    let reply = try await bench.client.call("tags/rename", ["from": "travel", "to": "Trips/far"])
    #expect(reply["count"] == 3 && reply["merged"] == false && reply["searches"] == 0)
    #expect(
      reply["collections"] == [
        ["collection": "books", "count": 1], ["collection": "notes", "count": 1],
        ["collection": "projects", "count": 1],
      ])
    #expect(try await Self.tags(bench, "projects/get", "card") == ["Trips/far", "home"])
    #expect(try await Self.tags(bench, "notes/get", "note") == ["Trips/far/asia", "home"])
    #expect(try await Self.tags(bench, "books/get", "book") == ["Trips/far", "Trips/far/asia", "travels"])
    #expect(try await bench.found("tag:trips") == ["card", "note", "book"])
    #expect(try await bench.ids("tag:travel") == [])
    #expect(try await bench.client.call("changes/undo")["label"] == "tags/rename")
    #expect(try await Self.tags(bench, "notes/get", "note") == ["travel/asia", "home"])
    #expect(try await Self.tags(bench, "books/get", "book") == ["ＴＲＡＶＥＬ", "travel/asia", "travels"])
    #expect(try await bench.found("tag:travel") == ["card", "note", "book"])
    _ = try await bench.client.call("changes/redo")
    #expect(try await bench.found("tag:trips/far") == ["card", "note", "book"])
    await bench.stop()
  }

  @Test("a tag that is renamed to another one is merged into it, without repeating it in an item")
  func merging() async throws {
    let bench = try await Self.bench()
    let reply = try await bench.client.call("tags/rename", ["from": "home", "to": "TRAVEL"])
    #expect(reply["count"] == 2 && reply["merged"] == true)
    // The item's own spelling stays.
    #expect(try await Self.tags(bench, "projects/get", "card") == ["Travel"])
    #expect(try await Self.tags(bench, "notes/get", "note") == ["travel/asia", "TRAVEL"])
    await bench.stop()
  }

  @Test(
    "a tag can be moved below itself and out of a tag, and be written in another way",
    arguments: [
      ("travel", "travel/old", ["travel/old", "home"], ["travel/old/asia", "home"]),
      ("travel/asia", "asia", ["Travel", "home"], ["asia", "home"]),
      ("TRAVEL", "travel", ["travel", "home"], ["travel/asia", "home"]),
      ("Ｈｏｍｅ", " house ", ["Travel", "house"], ["travel/asia", "house"]),
    ] as [(String, String, JSONValue, JSONValue)])
  func moving(_ from: String, _ to: String, _ card: JSONValue, _ note: JSONValue) async throws {
    let bench = try await Self.bench()
    _ = try await bench.client.call("tags/rename", ["from": .string(from), "to": .string(to)])
    #expect(try await Self.tags(bench, "projects/get", "card") == card)
    #expect(try await Self.tags(bench, "notes/get", "note") == note)
    await bench.stop()
  }

  @Test("a removed tag goes with the tags below it; the items stay, and undo restores the tags")
  func removing() async throws {
    let bench = try await Self.bench()
    let reply = try await bench.client.call("tags/remove", ["tag": "travel"])
    #expect(reply["count"] == 3)
    #expect(try await Self.tags(bench, "projects/get", "card") == ["home"])
    #expect(try await Self.tags(bench, "books/get", "book") == ["travels"])
    #expect(try await Self.listed(bench) == ["home 2/2 notes:1 projects:1", "travels 1/1 books:1"])
    _ = try await bench.client.call("changes/undo")
    #expect(try await Self.tags(bench, "projects/get", "card") == ["Travel", "home"])
    await bench.stop()
  }

  @Test("a tag that nothing has is not found, and a name that is too long for a nested tag changes nothing")
  func refusals() async throws {
    let bench = try await Self.bench()
    for (method, params) in [
      ("tags/rename", ["from": "nothing", "to": "else"]), ("tags/remove", ["tag": "trave"]),
    ] as [(String, JSONValue)] {
      #expect(try await bench.client.failure(method, params)?.kind == "notFound")
    }
    let before = try await bench.client.call("session/sync")["clock"]
    let long = JSONValue.string(String(repeating: "x", count: 96))
    let failure = try await bench.client.failure("tags/rename", ["from": "travel", "to": long])
    #expect(failure?.code == -32602 && failure?.data?["field"] == "to")
    for name in ["", " ", "a\nb", String(repeating: "x", count: 101)] {
      let failure = try await bench.client.failure("tags/rename", ["from": "home", "to": .string(name)])
      #expect(failure?.code == -32602 && failure?.data?["field"] == "to", "\(name)")
    }
    #expect(try await bench.client.call("session/sync")["clock"] == before)
    #expect(try await Self.tags(bench, "projects/get", "card") == ["Travel", "home"])
    await bench.stop()
  }

  @Test("a dry run lists the items that would change and changes none")
  func dryRun() async throws {
    let bench = try await Self.bench()
    let reply = try await bench.client.call("tags/rename", ["from": "home", "to": "house", "dryRun": true])
    #expect(reply["count"] == 2)
    #expect(Set(reply["dryRun"]?["changes"].list.map { $0["id"].text } ?? []) == ["card", "note"])
    #expect(try await Self.tags(bench, "projects/get", "card") == ["Travel", "home"])
    await bench.stop()
  }

  @Test("a tag of thousands of items is renamed in one step of undo")
  func thousands() async throws {
    let bench = try await QueryBench()
    let count = 2_500
    let cards = (0..<count).map { number in
      JSONValue.object(["id": .string("c\(number)"), "title": "A card", "tags": ["many/\(number % 3)", "other"]])
    }
    let lines = cards.map { String(decoding: (try? $0.json()) ?? [], as: UTF8.self) }.joined(separator: "\n")
    _ = try await bench.client.call(
      "projects/import", ["data": .string(Data(lines.utf8).base64EncodedString()), "format": "jsonl"])
    #expect(try await Self.listed(bench).last == "other \(count)/\(count) projects:\(count)")
    let reply = try await bench.client.call("tags/rename", ["from": "many", "to": "few"])
    #expect(reply["count"]?.integerValue == Int64(count))
    #expect(try await Self.listed(bench).first == "few 0/\(count) projects:0")
    #expect(try await bench.client.call("changes/undo")["total"]?.integerValue == Int64(count))
    #expect(try await bench.ask("tag:many/1", ["limit": 1])["total"] == 833)
    #expect(try await bench.ids("tag:few") == [])
    await bench.stop()
  }

  @Test(
    "saved searches follow a renamed tag as they are written",
    arguments: [
      ("tag:home river", "tag:house river"), ("river NOT 태그:HOME", "river NOT 태그:house"),
      ("tag:\"home\" OR tag:home/garden", "tag:house OR tag:house/garden"),
      ("tag:(home OR work) a", "tag:(\"house\" OR work) a"), ("tag:(\"home\" OR (Home work))", nil),
      ("tag:hom* home", "tag:hom* home"), ("tag:homes", "tag:homes"),
    ] as [(String, String?)])
  func savedSearches(_ text: String, _ expected: String?) async throws {
    let bench = try await Self.bench()
    _ = try await bench.client.call("search/save", ["text": .string(text), "title": "Mine", "id": "s"])
    let reply = try await bench.client.call("tags/rename", ["from": "home", "to": "house"])
    let saved = try await bench.client.call("search/saved").items.first?["text"].text
    #expect(saved == expected ?? "tag:(\"house\" OR (\"house\" work))")
    #expect(reply["searches"]?.integerValue == (saved == text ? 0 : 1) && reply["unchangedSearches"] == nil)
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.client.call("search/saved").items.first?["text"].text == text)
    await bench.stop()
  }

  @Test("the queries of rules for posts and documents follow a renamed tag, in the same step of undo")
  func rules() async throws {
    let bench = try await Self.bench()
    _ = try await bench.client.call("boards/addRule", ["id": "p", "text": "tag:home river", "save": true])
    _ = try await bench.client.call("documents/addRule", ["id": "d", "text": "tag:home/paper", "tags": ["read"]])
    _ = try await bench.client.call("boards/addRule", ["id": "o", "text": "homes", "save": true])
    func texts() async throws -> [JSONValue?] {
      let posts = try await bench.client.call("boards/rules").items
      return posts.map { $0["text"] } + (try await bench.client.call("documents/rules").items.map { $0["text"] })
    }
    let reply = try await bench.client.call("tags/rename", ["from": "home", "to": "my house"])
    #expect(reply["rules"] == 2 && reply["searches"] == 0 && reply["unchangedRules"] == nil, "\(reply)")
    #expect(try await texts() == ["homes", "tag:\"my house\" river", "tag:\"my house/paper\""])
    _ = try await bench.client.call("changes/undo")
    #expect(try await texts() == ["homes", "tag:home river", "tag:home/paper"])
    let unwritable = try await bench.client.call("tags/rename", ["from": "home", "to": "a \"quoted\" tag"])
    #expect(unwritable["rules"] == nil && Set(unwritable["unchangedRules"].list.map(\.text)) == ["p", "d"])
    await bench.stop()
  }

  @Test("a saved search of a tag without items follows too, and one that cannot be written so is named")
  func otherSearches() async throws {
    let bench = try await Self.bench()
    _ = try await bench.client.call("search/save", ["text": "tag:nothing", "id": "s"])
    let alone = try await bench.client.call("tags/rename", ["from": "nothing", "to": "two words"])
    #expect(alone["count"] == 0 && alone["searches"] == 1)
    #expect(try await bench.client.call("search/saved").items.first?["text"] == "tag:\"two words\"")
    _ = try await bench.client.call("search/save", ["text": "tag:home", "id": "t"])
    let unwritable = try await bench.client.call("tags/rename", ["from": "home", "to": "a \"quoted\" tag"])
    #expect(unwritable["count"] == 2 && unwritable["searches"] == 0 && unwritable["unchangedSearches"] == ["t"])
    await bench.stop()
  }

  @Test("a tag finds the items with a tag below it, in the search and in the lists, and none that only begins so")
  func nesting() async throws {
    let bench = try await Self.bench()
    #expect(try await bench.found("tag:travel") == ["card", "note", "book"])
    #expect(try await bench.ids("tag:travel").count == 3)
    #expect(try await bench.found("tag:Travel/ASIA") == ["note", "book"])
    #expect(try await bench.found("tag:travels") == ["book"])
    #expect(try await bench.found("book NOT tag:travel") == [])
    #expect(try await bench.ids("tag:trave") == [])
    #expect(try await bench.client.call("books/shelf", ["tag": "travel"])["total"] == 1)
    try await bench.card("deep", id: "deep", ["tags": ["home/garden/roses"]])
    #expect(try await bench.found("tag:home/garden") == ["deep"])
    #expect(
      Set(try await bench.client.call("projects/list", ["tag": "home"]).items.map { $0.id.text }) == ["card", "deep"])
    // Hiragana matches katakana, in the part of a nested tag too.
    try await bench.card("kana", id: "kana", ["tags": ["リョコウ/アジア", "リョコウシャ"]])
    #expect(try await bench.found("tag:りょこう") == ["kana"])
    #expect(try await bench.found("tag:りょこう/あじあ") == ["kana"])
    #expect(try await bench.ids("tag:りょこ") == [])
    await bench.stop()
  }

  @Test("the authors and the series of a book are no tags of it")
  func names() async throws {
    let bench = try await Self.bench()
    _ = try await bench.client.call(
      "books/addToShelf",
      [
        "id": "words", "tags": ["novel"],
        "byHand": ["title": "Words", "authors": ["Home"], "series": [["name": "Travel"]]],
      ])
    #expect(try await bench.found("tag:novel") == ["words"])
    #expect(try await bench.found("tag:home") == ["card", "note"])
    #expect(try await bench.found("tag:travel") == ["card", "note", "book"])
    for (tag, count) in [("novel", 1), ("home", 0), ("travel", 1)] as [(JSONValue, JSONValue)] {
      #expect(try await bench.client.call("books/shelf", ["tag": tag])["total"] == count, "\(tag)")
    }
    await bench.stop()
  }

  @Test("tags are split where a character is folded to a slash, too")
  func foldedSlashes() async throws {
    let bench = try await QueryBench()
    try await bench.card("one", id: "one", ["tags": ["Ａ／Ｂ", "a/É"]])
    _ = try await bench.client.call("tags/rename", ["from": "a", "to": "b"])
    #expect(try await Self.tags(bench, "projects/get", "one") == ["b/Ｂ", "b/É"])
    await bench.stop()
  }

  @Test("a tag of many levels lists the ten above it, as they are written, and itself")
  func deepTags() async throws {
    let bench = try await QueryBench()
    try await bench.card("one", id: "one", ["tags": ["A／b/C/d/e/f/g/h/i/j/k/l/m", "a/b/x"]])
    let listed = try await Self.listed(bench)
    #expect(listed.count == 12)
    #expect(listed.prefix(3) == ["A 0/1 projects:0", "A／b 0/1 projects:0", "A／b/C 0/1 projects:0"])
    #expect(listed.contains("A／b/C/d/e/f/g/h/i/j 0/1 projects:0"))
    #expect(!listed.contains { $0.hasPrefix("A／b/C/d/e/f/g/h/i/j/k ") })
    #expect(listed.contains("A／b/C/d/e/f/g/h/i/j/k/l/m 1/1 projects:1"))
    await bench.stop()
  }
}
