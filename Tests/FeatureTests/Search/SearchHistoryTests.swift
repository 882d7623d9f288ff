import Client
import Contract
import Features
import Foundation
import Kit
import Store
import System
import TestSupport
import Testing
import Wire

/// A feature that makes searches, as boards do.
private enum LookFeature {
  static let feature = Feature(name: "look", routes: [Route(Look.self)])

  enum Look: WriteMethod {
    static let name = "look/for"
    static let summary = "Makes a search of so many hits."
    static let effects: Effects = .writes

    struct Params: Payload {
      var text: String
      var scope: SearchScope?
      var target: String?
      var place: String?
      var count: Int?
      static let example = Params(text: "a", scope: .boards, target: nil, place: nil, count: nil)
      static let fields = [
        "text": "Text.", "scope": "Scope.", "target": "Target.", "place": "Place.", "count": "Count.",
      ]
    }
    typealias Result = Empty

    static func run(_ params: Params, in transaction: Transaction) throws -> Empty {
      try SearchHistory.record(
        RecordedSearch(
          params.text, scope: params.scope ?? .boards, target: params.target, place: params.place,
          count: params.count),
        in: transaction)
      // A search may also write what it fetched, or nothing at all.
      transaction.keepSilent()
      return Empty()
    }
  }
}

private struct Bench {
  let daemon: TestDaemon
  let client: Client

  init(locale: String = "en-US") async throws {
    daemon = try await TestDaemon(features: AllFeatures.features + [LookFeature.feature])
    client = try await daemon.client(locale: locale)
  }

  func look(_ text: String, _ more: JSONObject = [:]) async throws {
    daemon.clock.advance(milliseconds: 1_000)
    var params = more
    params["text"] = .string(text)
    _ = try await client.call("look/for", .object(params))
  }

  func history(_ params: JSONObject = [:]) async throws -> [JSONValue] {
    try await client.call("search/history", .object(params)).items
  }

  func texts(_ params: JSONObject = [:]) async throws -> [JSONValue?] { try await history(params).map { $0["text"] } }

  func suggest(_ text: String, _ scope: String = "boards") async throws -> JSONValue {
    try await client.call("search/suggest", ["scope": .string(scope), "text": .string(text)])
  }
}

@Suite("Searches: history and suggestions") struct SearchHistoryTests {
  @Test("M26 searches are kept with target, place and count, the last first, each once however it is typed")
  func history() async throws {
    let bench = try await Bench()
    try await bench.look("한강", ["target": "title", "place": "b1", "count": 3])
    try await bench.look("Word", ["target": "all"])
    try await bench.look("한강", ["target": "writer", "place": "b1", "count": 0])
    let first = try await bench.history()
    #expect(first.map { $0["text"] } == ["한강", "Word", "한강"])
    #expect(first.map { $0["target"] } == ["writer", "all", "title"])
    #expect(first.map { $0["count"] } == [0, nil, 3])
    // The same in other letters, widths and blanks moves to the front, as it was typed last and with its new count.
    try await bench.look("  ＷＯＲＤ ", ["target": "all", "count": 7])
    try await bench.look(
      "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1161}\u{11bc}", ["target": "title", "place": "b1", "count": 4])
    let second = try await bench.history()
    #expect(second.map { $0["count"] } == [4, 7, 0])
    #expect(second[1]["text"] == "ＷＯＲＤ" && second[1].id == first[1].id)
    #expect(second[1]["display"]?["count"] == "7 found" && second[1]["display"]?["target"] == "All")
    // Another place is another search; blanks are none.
    try await bench.look("word", ["target": "all", "place": "b2"])
    for blank in ["", " \n\t", "\u{3000}"] { try await bench.look(blank) }
    #expect(try await bench.history().count == 4)
    await bench.daemon.stop()
  }

  @Test("M26 a scope has its own history, which comes in parts and has an end")
  func parts() async throws {
    let bench = try await Bench()
    for number in 0..<205 { try await bench.look("\(number)") }
    try await bench.look("a book", ["scope": "books"])
    let all = try await bench.client.call("search/history", ["limit": 200])
    #expect(all["total"] == 201 && all.items.first?["text"] == "a book")
    let boards = try await bench.client.call("search/history", ["scope": "boards", "limit": 150])
    #expect(boards["total"] == 200 && boards["hasMore"] == true && boards.items.count == 150)
    let rest = try await bench.client.call(
      "search/history", ["scope": "boards", "limit": 150, "after": boards["next"] ?? .null])
    #expect(rest["offset"] == 150 && rest["hasMore"] == false)
    #expect((boards.items + rest.items).map { $0["text"] } == (5..<205).reversed().map { .string("\($0)") })
    await bench.daemon.stop()
  }

  @Test("M26 one search or all are forgotten for good: no change that is kept has their words")
  func forget() async throws {
    let bench = try await Bench()
    for text in ["secret one", "secret two", "secret three"] { try await bench.look(text) }
    try await bench.look("a book", ["scope": "books"])
    let two = try await bench.history()[2]
    #expect(try await bench.client.call("search/forget", ["id": two.id])["removed"] == two.id)
    #expect(try await bench.texts() == ["a book", "secret three", "secret one"])
    #expect(try await bench.client.call("search/forget", ["all": true, "scope": "boards"])["count"] == 2)
    #expect(try await bench.texts() == ["a book"])
    await #expect(throws: (any Error).self) { try await bench.client.call("search/forget", ["id": two.id]) }
    await #expect(throws: (any Error).self) { try await bench.client.call("search/forget", ["all": false]) }
    await #expect(throws: (any Error).self) { try await bench.client.call("changes/undo") }
    let versions = try await bench.client.call("changes/history", ["collection": "searches", "id": two.id])
    #expect(!"\(versions)".contains("secret"))
    _ = try await bench.client.call("search/forget", ["all": true])
    #expect(try await bench.history().isEmpty)
    await bench.daemon.stop()
  }

  @Test("a dry run forgets no search, not even one that is not stored yet")
  func dryRun() async throws {
    let bench = try await Bench()
    _ = try await bench.client.call("search/query", ["text": "pending"])
    _ = try await bench.client.call("search/forget", ["all": true, "dryRun": true])
    let stored = try #require(try await bench.history().first)
    #expect(stored["text"] == "pending")
    _ = try await bench.client.call("search/forget", ["id": stored.id, "dryRun": true])
    #expect(try await bench.texts() == ["pending"])
    await bench.daemon.stop()
  }

  @Test("M26 who wants no history has none noted and none offered, and keeps what there was")
  func optOut() async throws {
    let bench = try await Bench()
    try await bench.look("before")
    #expect(try await bench.client.call("search/configure")["history"] == "on")
    for isChanged in [true, false] {
      let off = try await bench.client.call("search/configure", ["history": "off"])
      #expect(off["history"] == "off" && (off["changed"] != false) == isChanged)
    }
    try await bench.look("meanwhile")
    try await bench.look("before", ["count": 9])
    #expect(try await bench.suggest("")["state"] == "prompt")
    #expect(try await bench.history().map { $0["count"] } == [nil])
    _ = try await bench.client.call("search/configure", ["history": "on"])
    try await bench.look("after")
    #expect(try await bench.texts() == ["after", "before"])
    await bench.daemon.stop()
  }

  @Test("M26 others see that the history has changed, and no search can be undone")
  func told() async throws {
    let bench = try await Bench()
    let other = try await bench.daemon.client()
    try await bench.look("one")
    let id = try await bench.history()[0].id
    try await bench.look("ONE")
    _ = try await bench.client.call("search/forget", ["id": id])
    _ = try await other.call("session/sync")
    let changes = other.commits.flatMap { $0["changes"]?.arrayValue ?? [] }
    #expect(changes.map { $0["collection"] } == ["searches", "searches", "searches"])
    #expect(changes.map { $0["kind"] } == ["added", "updated", "removed"])
    #expect(changes.map { $0["id"] } == [id, id, id])
    // A replica that compares revisions sees each of them.
    let revisions = changes.prefix(2).compactMap { $0["revision"]?.integerValue }
    #expect(revisions.count == 2 && revisions[0] < revisions[1], "\(changes)")
    await bench.daemon.stop()
  }

  @Test(
    "M20 M23 typing shows four targets with the word in their order, in the reader's language",
    arguments: [("ko-KR", ["전체", "제목", "내용", "작성자"]), ("en-US", ["All", "Title", "Contents", "Writer"])])
  func targets(_ locale: String, _ labels: [String]) async throws {
    let bench = try await Bench(locale: locale)
    try await bench.look("한강")
    let shown = try await bench.suggest("  한강 ")
    #expect(shown["state"] == "suggest" && shown["text"] == "한강" && shown["history"] == [])
    let targets = shown["targets"]?.arrayValue ?? []
    #expect(targets.map { $0["target"] } == ["all", "title", "contents", "writer"])
    #expect(targets.map { $0["text"] } == ["한강", "한강", "한강", "한강"])
    #expect(targets.map { $0["display"]?["label"] } == labels.map { .string($0) })
    #expect(shown["display"]?["message"] == nil)
    await bench.daemon.stop()
  }

  @Test("M21 M27 nothing typed shows past searches, and where there are none what to type")
  func prompt() async throws {
    let bench = try await Bench(locale: "ko-KR")
    let prompt = try await bench.suggest("")
    #expect(prompt["state"] == "prompt" && prompt["targets"] == [] && prompt["history"] == [])
    #expect(prompt["display"]?["message"] == "게시글의 제목, 내용 또는 작성자에 포함된\n단어 또는 문장을 검색해 주세요.")
    try await bench.look("한강", ["target": "title", "count": 2])
    try await bench.look("책", ["scope": "books"])
    for blank in ["", "  ", "\u{3000}\n"] {
      let shown = try await bench.suggest(blank)
      #expect(shown["state"] == "history" && shown["targets"] == [] && shown["display"]?["message"] == nil)
      #expect(shown["history"]?.arrayValue?.map { $0["text"] } == ["한강"])
      #expect(shown["history"]?.arrayValue?.first?["display"]?["target"] == "제목")
      #expect(shown["history"]?.arrayValue?.first?["display"]?["count"] == "2건")
    }
    await bench.daemon.stop()
  }

  @Test("M27 where there are no targets, past searches that begin as typed are offered")
  func prefixes() async throws {
    let bench = try await Bench()
    for text in ["Swift in depth", "SWIMMING", "100%", "a_b", "axb"] { try await bench.look(text, ["scope": "books"]) }
    func offered(_ text: String) async throws -> [JSONValue?] {
      let shown = try await bench.suggest(text, "books")
      #expect(shown["state"] == "suggest" && shown["targets"] == [])
      return shown["history"]?.arrayValue?.map { $0["text"] } ?? []
    }
    #expect(try await offered("swi") == ["SWIMMING", "Swift in depth"])
    #expect(try await offered("ＳＷＩＦ") == ["Swift in depth"])
    #expect(try await offered("a_") == ["a_b"])
    #expect(try await offered("%") == [])
    await bench.daemon.stop()
  }
}
