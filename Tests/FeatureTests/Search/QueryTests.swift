import Client
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Search: one question to the whole library") struct QueryTests {
  /// Something of every collection, all of which speak of 독서.
  private static func library(_ clock: TestClock = TestClock()) async throws -> QueryBench {
    let bench = try await QueryBench(clock: clock)
    try await bench.write("독서 모임\n강가에서 책을 읽었다.", id: "entry", day: "2026-11-20")
    try await bench.card("독서 계획", id: "card", ["body": "slow reading", "tags": ["책", "여행 길"]])
    try await bench.book("독서의 역사", id: "book", ["tags": ["책"], "note": "slow"])
    let sample = SamplePDF(["Nothing here."], ["The slow reading club", "meets by the river."])
    _ = try await bench.client.call(
      "documents/add", ["data": .string(sample.base64), "title": "독서 클럽", "id": "paper"])
    _ = try await bench.client.indexed("paper")
    _ = try await bench.client.call(
      "documents/setMemo", ["id": "paper", "page": 1, "text": "독서 메모"])
    return bench
  }

  @Test("every collection answers, each hit says what it is and leads there, and all are counted by collection")
  func everything() async throws {
    let bench = try await Self.library()
    let found = try await bench.ask("독서")
    #expect(found["state"] == "results" && found["total"] == 5 && found["totalIsEstimate"] == false)
    #expect(Set(found.items.map { $0["collection"].text }) == ["diary", "projects", "books", "documents", "memos"])
    #expect(
      found["counts"].list.map { "\($0["collection"].text) \($0["count"]?.integerValue ?? 0)" }.sorted()
        == ["books 1", "diary 1", "documents 1", "memos 1", "projects 1"])
    let labels = found["counts"].list.map { $0["display"]?["label"].text }
    #expect(labels.contains("Diary"))
    let entry = try #require(found.items.first { $0["collection"] == "diary" })
    #expect(entry.id == "entry" && entry["title"] == "독서 모임" && entry["link"] == "commonplace:/diary/entry")
    #expect(entry["titleRanges"] == [["offset": 0, "length": 2]] && entry["ranges"] == [])
    #expect(entry["snippet"] == "강가에서 책을 읽었다." && entry["display"]?["date"] == "Nov 20, 2026")
    let memo = try #require(found.items.first { $0["collection"] == "memos" })
    #expect(memo["of"] == "paper" && memo["page"] == 1 && memo["title"] == "독서 클럽")
    #expect(memo["snippet"] == "독서 메모" && memo["ranges"] == [["offset": 0, "length": 2]])
    #expect(memo["link"] == "commonplace:/documents/paper#page=1")
    let paper = try #require(found.items.first { $0["collection"] == "documents" })
    #expect(paper.id == "paper" && paper["page"] == nil && paper["link"] == "commonplace:/documents/paper")
    await bench.stop()
  }

  @Test("what is no more than a title shows what stands around the words in it, also where that is a whole paragraph")
  func titleAlone() async throws {
    let bench = try await QueryBench()
    let before = String(repeating: "It rained all day. ", count: 40)
    try await bench.write(before + "Then a heron stood in the river.", id: "paragraph")
    try await bench.write("heron\nin the reeds", id: "both")
    let hits = try await bench.ask("heron").items
    let paragraph = try #require(hits.first { $0.id == "paragraph" })
    #expect(paragraph["field"] == "text" && paragraph["snippet"].text.hasSuffix("Then a heron stood in the river."))
    #expect(paragraph["cutBefore"] == true && paragraph["snippet"].text.utf8.count <= 240)
    let offset = paragraph["snippet"].text.range(of: "heron").map {
      $0.lowerBound.utf16Offset(in: paragraph["snippet"].text)
    }
    #expect(paragraph["ranges"] == [["offset": .integer(Int64(offset ?? -1)), "length": 5]])
    let both = try #require(hits.first { $0.id == "both" })
    #expect(both["field"] == "text" && both["snippet"] == "in the reeds" && both["ranges"] == [])
    await bench.stop()
  }

  @Test("a page of a document is a hit of its own, with the places of the words on it")
  func pages() async throws {
    let bench = try await Self.library()
    let hits = try await bench.ask("\"slow reading\" in:documents").items
    #expect(hits.count == 1 && hits[0]["page"] == 1 && hits[0]["display"]?["page"] == "p. 2")
    #expect(hits[0]["title"] == "독서 클럽" && hits[0]["link"] == "commonplace:/documents/paper#page=1")
    let place = try await bench.client.call("documents/find", ["id": "paper", "text": "slow reading"]).items[0]
    func corners(_ item: JSONValue) -> [[Double?]] {
      item["quads"].list.map { $0.arrayValue?.map(\.doubleValue) ?? [] }
    }
    #expect(corners(hits[0]) == corners(place) && corners(place).count == 1)
    #expect(hits[0]["ranges"] == [["offset": 4, "length": 12]])
    let wrapped = try await bench.ask("club river in:documents").items
    #expect(wrapped.count == 1 && wrapped[0]["quads"].list.count == 2)
    await bench.stop()
  }

  @Test("a word that is broken at a line end of a page is found whole, with its places on both lines")
  func brokenWords() async throws {
    let bench = try await QueryBench()
    let sample = SamplePDF(["A lake of slow eutrophi-", "cation and a self-", "made man"])
    _ = try await bench.client.call("documents/add", ["data": .string(sample.base64), "title": "Lakes", "id": "lake"])
    _ = try await bench.client.indexed("lake")
    for (text, marked) in [
      ("eutrophication", "eutrophi-\ncation"), ("cation", "cation"), ("self-made", "self-\nmade"),
      ("\"slow eutrophication and\"", "slow eutrophi-\ncation and"),
    ] {
      let hits = try await bench.ask("\(text) in:documents").items
      try #require(hits.count == 1, "\(text)")
      let snippet = Array(hits[0]["snippet"].text.utf16)
      let range = hits[0]["ranges"].list.first
      let (start, length) = (range?["offset"]?.integerValue ?? 0, range?["length"]?.integerValue ?? 0)
      #expect(String(decoding: snippet[Int(start)..<Int(start + length)], as: UTF16.self) == marked, "\(text)")
      #expect(hits[0]["quads"].list.count == (marked.contains("\n") ? 2 : 1), "\(text)")
      let found = try await bench.client.call("documents/find", ["id": "lake", "text": .string(text)])
      #expect(text.hasPrefix("\"") || found.items.count == 1, "\(text)")
    }
    await bench.stop()
  }

  @Test("words, phrases, operators and filters narrow what is found")
  func narrowing() async throws {
    let bench = try await Self.library()
    let cases: [(String, Set<String>)] = [
      ("독서 NOT in:diary NOT in:books", ["card", "paper", "memo"]), ("in:diary 독서", ["entry"]),
      ("in:일기 독서", ["entry"]), ("in:Diary", ["entry"]), ("독서 (in:diary OR in:books)", ["entry", "book"]),
      ("title:독서 in:projects", ["card"]), ("title:(계획 OR 역사) in:(projects OR books)", ["card", "book"]),
      ("title:(slow OR 역사)", ["book"]), ("tag:(책 \"여행 길\")", ["card"]), ("title:slow", []), ("slow in:books", ["book"]),
      ("\"reading slow\"", []), ("모임 OR 역사", ["entry", "book"]), ("독서 NOT (모임 OR 역사) NOT in:memos", ["card", "paper"]),
      ("tag:책", ["card", "book"]), ("tag:\"여행 길\"", ["card"]), ("tag:여행", []), ("tag:여행*", ["card"]),
      ("tag:\"여행 g\"*", []), ("tag:책*", ["card", "book"]), ("독서 NOT tag:책 in:projects", []),
      ("slo* in:projects", ["card"]), ("slo in:projects", []),
      ("sl* in:projects", ["card"]),
      ("s* in:projects", ["card"]), ("\"slow r\"* in:projects", ["card"]), ("NOT 독서 in:projects", []),
      ("in:diary is:overdue", []), ("독서모임", ["entry"]), ("\"독서모임\"", []), ("독서모임 NOT 강가에서", []),
    ]
    for (text, expected) in cases {
      let found = try await bench.ask(text).items.map { $0["collection"] == "memos" ? "memo" : $0.id.text }
      #expect(Set(found) == expected && found.count == expected.count, "\(text)")
    }
    let elsewhere = try await bench.ids("독서", ["collections": ["diary", "books"]])
    #expect(Set(elsewhere) == ["entry", "book"])
    let strange = try await bench.client.failure("search/query", ["text": "a", "collections": ["diary", "dairy"]])
    #expect(strange?.code == -32602 && strange?.data?["field"] == "collections[1]")
    await bench.stop()
  }

  @Test("J9 what a thing is can be asked for: overdue, done, being read, a highlight, a memo")
  func states() async throws {
    let bench = try await Self.library()
    try await bench.card("late", id: "late", ["deadline": "2020-01-01"])
    try await bench.card("late but done", id: "done", ["deadline": "2020-01-01"])
    _ = try await bench.client.call("projects/move", ["id": "done", "state": "done"])
    #expect(try await bench.found("is:overdue") == ["late"])
    #expect(try await bench.found("late NOT is:overdue") == ["done"])
    // By its deadline, and not by when it was written: what is late longest comes first.
    try await bench.card("later", id: "later", ["deadline": "2019-12-31"])
    try await bench.card("latest", id: "latest", ["deadline": "2020-01-02"])
    let overdue = try await bench.ask("is:overdue").items
    #expect(overdue.map { $0.id.text } == ["later", "late", "latest"])
    #expect(overdue.map { $0["display"]?["date"] } == ["Dec 31, 2019", "Jan 1, 2020", "Jan 2, 2020"])
    for id in ["later", "latest"] { _ = try await bench.client.call("projects/remove", ["id": .string(id)]) }
    #expect(try await bench.found("is:done") == ["done"])
    #expect(try await bench.found("is:open late") == ["late"])
    #expect(try await bench.found("is:want") == ["book"])
    #expect(try await bench.ask("is:memo").items.map { $0["snippet"] } == ["독서 메모"])
    _ = try await bench.client.call(
      "documents/toggleHighlight", ["id": "paper", "page": 1, "lines": ["The slow reading club"]])
    let highlight = try await bench.ask("slow is:highlight").items
    #expect(highlight.count == 1 && highlight[0]["of"] == "paper" && highlight[0]["page"] == 1)
    #expect(highlight[0]["link"].text == "commonplace:/documents/paper#highlight=\(highlight[0].id.text)")
    let resolved = try await bench.client.call("documents/resolve", ["link": highlight[0]["link"] ?? .null])
    #expect(resolved["page"] == 1)
    await bench.stop()
  }

  @Test("before and after hold for all by when they came, for a page by when its document did")
  func moments() async throws {
    let clock = TestClock()
    let bench = try await Self.library(clock)
    clock.advance(milliseconds: 3 * 86_400_000)
    _ = try await bench.client.call("documents/update", ["id": "paper", "title": "독서 늦게"])
    for (text, expected) in [
      ("slow after:2026-11-21", ["card", "book", "paper"]), ("slow before:2026-11-21", []),
      ("slow before:2026-11-22", ["card", "book", "paper"]), ("slow after:2026-11-22", []),
      ("독서 after:2026-11-22", ["paper"]), ("독서 NOT before:2026-11-22", ["paper"]),
      ("독서 before:2026-11-21", ["entry"]), ("NOT in:memos before:2026-11-22", ["entry", "card", "book"]),
      ("slow NOT (in:books OR before:2026-11-21)", ["card", "paper"]),
    ] as [(String, Set<String>)] {
      #expect(try await bench.found(text) == expected, "\(text)")
    }
    await bench.stop()
  }

  @Test("before and after take days, months, years and words; an entry of the diary is of the day that it is about")
  func days() async throws {
    let clock = TestClock()
    let bench = try await QueryBench(clock: clock)
    try await bench.write("river one", id: "a", day: "2019-12-31")
    try await bench.write("river two", id: "b", day: "2020-01-01")
    try await bench.write("river three", id: "c", day: "2020-02-10")
    for (text, expected) in [
      ("river before:2020", ["a"]), ("river after:2020", ["b", "c"]), ("river after:2020-02", ["c"]),
      ("river before:2020-01-01", ["a"]), ("river after:2020-01-01 before:2020-02", ["b"]),
      ("after:yesterday river", []), ("river NOT after:2020", ["a"]),
      ("after:2020", ["b", "c"]), ("river before:\"February 2020\"", ["a", "b"]), ("river after:\"2020년 2월\"", ["c"]),
      ("river after:2020年2月", ["c"]), ("river before:2020년", ["a"]), ("river before:3월", ["a", "b", "c"]),
      ("river after:March", []), ("river after:작년", []), ("river before:\"last year\"", ["a", "b", "c"]),
    ] as [(String, Set<String>)] {
      #expect(try await bench.found(text) == expected, "\(text)")
    }
    // Typed in the other way round, it comes by its day all the same.
    clock.advance(milliseconds: 60_000)
    try await bench.write("brook late", id: "late", day: "2020-03-02")
    clock.advance(milliseconds: 60_000)
    try await bench.write("brook soon", id: "soon", day: "2020-03-01")
    for text in ["brook", "in:diary after:2020-03"] {
      let hits = try await bench.ask(text).items
      #expect(hits.map { $0.id.text } == ["late", "soon"], "\(text)")
      #expect(hits.map { $0["display"]?["date"] } == ["Mar 2, 2020", "Mar 1, 2020"])
      #expect(hits[0]["at"].text < hits[1]["at"].text)
    }
    let wrong = try await bench.client.failure("search/query", ["text": "river before:someday"])
    #expect(wrong?.data?["reason"] == "search.unreadableDay" && wrong?.data?["offset"] == 6)
    await bench.stop()
  }

  @Test(
    "the words of a hit are marked in title and text in the client's units",
    arguments: [("utf-8", 9), ("utf-16", 5), ("utf-32", 4)])
  func marks(_ encoding: String, _ offset: Int64) async throws {
    let bench = try await QueryBench(positionEncoding: encoding)
    _ = try await bench.client.call("projects/add", ["title": "😀 강 river", "body": "😀 강 river"])
    let hit = try #require(try await bench.client.call("search/query", ["text": "river"]).items.first)
    let mark: JSONValue = [["offset": .integer(offset), "length": 5]]
    #expect(hit["title"] == "😀 강 river" && hit["titleRanges"] == mark)
    #expect(hit["snippet"] == "😀 강 river" && hit["ranges"] == mark)
    await bench.stop()
  }

  @Test(
    "a question that cannot be read is an error that points at the place in the client's units, never an empty result",
    arguments: [("utf-8", 9), ("utf-16", 5), ("utf-32", 4)])
  func errors(_ encoding: String, _ offset: Int64) async throws {
    let bench = try await QueryBench(positionEncoding: encoding)
    func refusal(_ text: String) async throws -> JSONValue {
      try await bench.client.failure("search/query", ["text": .string(text)])?.data ?? .null
    }
    let quote = try await refusal("😀 강 \"slow")
    #expect(quote["field"] == "text" && quote["reason"] == "search.unclosedQuote")
    #expect(quote["offset"] == .integer(offset) && quote["length"] == 5 && quote["advice"] != nil)
    let first = try await bench.client.failure("search/query", ["text": "AND"])
    #expect(first?.data?["offset"] == 0 && first?.message.contains("(character 1)") == true)
    // All of them, also where they are many.
    let states = try await refusal("is:purple")["advice"].text
    #expect(states.contains("abandoned") && states.contains("want") && !states.contains("…"))
    for (text, reason) in [
      ("AND", "search.nothingBefore"), ("a OR", "search.nothingBehind"), ("(a", "search.unclosedGroup"),
      ("++ **", "search.nothingToFind"), ("in:kitchen a", "search.unknownCollection"),
      ("is:purple", "search.unknownState"),
      ("a OR in:diary", "search.mixed"),
      ("in:notes journal:a", "search.neverInJournal"), ("in:memos tag:a", "search.untagged"),
      ("b tag:a is:highlight", "search.untagged"),
      ("tag: a", "search.nothingAsked"),
      (String(repeating: "a ", count: 1_000), "search.tooManyTerms"),
      (String(repeating: "독서", count: 2_000), "search.tooLong"),
    ] {
      #expect(try await refusal(text)["reason"].text == reason, "\(text.prefix(20))")
    }
    let long = String(repeating: "a ", count: 50_000)
    #expect(try await refusal(long)["field"] == "text")
    #expect(try await bench.client.failure("search/query", ["text": "a", "after": "1/2"])?.code == -32602)
    await bench.stop()
  }

  @Test(
    "a name that is misspelled or not whole is refused with the one that is meant, and several at once with how to ask",
    arguments: [
      ("in:dairy a", "search.unknownCollectionNearest", "in:diary?"),
      ("in:DAIRY", "search.unknownCollectionNearest", "in:diary?"),
      ("in:di", "search.unknownCollectionNearest", "in:diary?"),
      ("in:프로잭트", "search.unknownCollectionNearest", "in:프로젝트?"),
      ("is:overdu", "search.unknownStateNearest", "is:overdue?"),
      ("a in:diary,books", "search.several", "(in:diary OR in:books)"),
      ("in:일기,book", "search.several", "(in:일기 OR in:books)"),
      ("is:done,overdue", "search.several", "(is:done OR is:overdue)"),
      ("in:diary,kitchen", "search.unknownCollection", "memos"),
    ])
  func misspelled(_ text: String, _ reason: String, _ advice: String) async throws {
    let bench = try await QueryBench()
    let data = try await bench.client.failure("search/query", ["text": .string(text)])?.data ?? .null
    #expect(data["reason"].text == reason)
    #expect(data["advice"].text.contains(advice), "\(data)")
    await bench.stop()
  }

  @Test("a field that is misspelled is text, and what may be meant is told beside the hits or that there are none")
  func misspelledField() async throws {
    let bench = try await QueryBench()
    try await bench.write("A note\ntilte:slow is no field", id: "entry")
    let found = try await bench.ask("tilte:slow")
    #expect(found.items.map { $0.id.text } == ["entry"] && found["display"]?["heading"] == "1 found")
    #expect(
      found["display"]?["hint"] == "There is no “tilte:”; it was searched as text. Did you mean “title:”?")
    let none = try await bench.ask("note befor:2026")
    #expect(none["state"] == "noResults" && none["display"]?["message"] != nil)
    #expect(none["display"]?["hint"] == "There is no “befor:”; it was searched as text. Did you mean “before:”?")
    #expect(try await bench.ask("title:note")["display"]?["hint"] == nil)
    #expect(
      try await bench.ask("note -slow")["display"]?["hint"]
        == "“-slow” was searched as text. To exclude the word, write NOT slow.")
    let korean = try await bench.daemon.client(locale: "ko-KR")
    let asked = try await korean.call("search/query", ["text": "재목:강"])
    #expect(asked["display"]?["hint"] == "‘재목:’ 조건은 없어 글자 그대로 찾았습니다. ‘제목:’ 조건을 쓰려던 것입니까?")
    await bench.stop()
  }

  @Test("a beginning of very many words is answered from titles and the newest texts, and the total says so")
  func wideBeginning() async throws {
    let bench = try await QueryBench()
    try await bench.card("Bread", id: "bread")
    try await bench.card("River bank", id: "bank")
    for number in 0..<30 {
      let words = (0..<4_000).map { "b" + String(number * 4_000 + $0, radix: 36) + "x" }
      try await bench.write("entry\n" + words.joined(separator: " "), id: "entry-\(number)")
    }
    let few = try await bench.ask("b*")
    #expect(few["total"] == 32 && few["totalIsEstimate"] == false)
    try await bench.write((0..<480).map { ("nothing", "other-\($0)") })
    let found = try await bench.ask("b*")
    #expect(found["total"] == 22 && found["totalIsEstimate"] == true && found["state"] == "results")
    #expect(Set(found.items.prefix(2).map { $0.id.text }) == ["bread", "bank"])
    #expect(found["counts"].list.map { $0["isEstimate"] } == [true, true])
    let narrowed = try await bench.ask("river b*")
    #expect(narrowed.items.map { $0.id.text } == ["bank"] && narrowed["totalIsEstimate"] == false)
    let entries = try await bench.ask("b* in:diary")
    #expect(entries["total"] == 20 && entries.items.allSatisfy { $0["collection"] == "diary" })
    await bench.stop()
  }

  @Test(
    "G5 white space asks nothing and says so; what has no hits is another state",
    arguments: ["", "  \n", "\u{3000}"])
  func nothing(_ text: String) async throws {
    let bench = try await Self.library()
    let asked = try await bench.ask(text)
    #expect(
      asked["state"] == "prompt" && asked["total"] == 0 && asked.items.isEmpty && asked["display"]?["message"] != nil)
    let none = try await bench.ask("zzz")
    #expect(none["state"] == "noResults" && none["total"] == 0 && none["display"]?["message"] != nil)
    #expect(try await bench.client.call("search/history").items.map { $0["text"] } == ["zzz"])
    await bench.stop()
  }

  @Test("a search right after a write finds it, and what was removed or changed is not found any more")
  func current() async throws {
    let bench = try await Self.library()
    let written = bench.client.send("diary/update", ["id": "entry", "text": "새 글\n달밤"])
    let asked = bench.client.send("search/query", ["text": "달밤"])
    _ = try await written.value()
    #expect(try await asked.value().items.map { $0.id.text } == ["entry"])
    #expect(try await bench.found("모임") == [])
    _ = try await bench.client.call("projects/remove", ["id": "card"])
    #expect(try await bench.found("계획") == [])
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.found("계획") == ["card"])
    await bench.stop()
  }
}
