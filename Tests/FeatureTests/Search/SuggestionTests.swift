import Client
import TestSupport
import Testing
import Wire

@Suite("Search: what is offered while somebody types") struct SuggestionTests {
  private static func library(locale: String = "en-US") async throws -> QueryBench {
    let bench = try await QueryBench(locale: locale)
    try await bench.write("독서 모임\nSwift in the body", id: "entry")
    try await bench.card("도서관 가기", id: "card", ["tags": ["Errands", "책 읽기"]])
    try await bench.card("Swift in depth", id: "swift", ["tags": ["errands", "code"]])
    try await bench.book("The Swift", id: "book", ["tags": ["Essays"]])
    return bench
  }

  private static func suggest(
    _ text: String, _ scope: String = "library", limit: Int64 = 10, of bench: QueryBench
  ) async throws -> JSONValue {
    try await bench.client.call(
      "search/suggest", ["scope": .string(scope), "text": .string(text), "limit": .integer(limit)])
  }

  @Test(
    "M27 titles of the whole library are offered as somebody types them, Korean ones by initials and half a syllable too",
    arguments: [
      ("s", ["book", "swift"]), ("swi", ["book", "swift"]), ("swift d", ["swift"]), ("ㄷㅅ", ["card", "entry"]),
      ("도", ["card", "entry"]), ("독ㅅ", ["entry"]), ("독서 ㅁ", ["entry"]), ("zzz", []), ("\"(swi", ["book", "swift"]),
    ])
  func titles(_ text: String, _ expected: [String]) async throws {
    let bench = try await Self.library()
    let shown = try await Self.suggest(text, of: bench)
    #expect(shown["state"] == "suggest")
    #expect(shown["titles"].list.map { $0.id.text }.sorted() == expected)
    for title in shown["titles"].list {
      #expect(title["ranges"].list.isEmpty == false && title["link"].text.hasPrefix("commonplace:/"), "\(title)")
    }
    await bench.stop()
  }

  @Test("tags that begin so are offered with how many have them, and as a question that finds these")
  func tags() async throws {
    let bench = try await Self.library()
    let shown = try await Self.suggest("E", of: bench)["tags"].list
    #expect(shown.map { $0["tag"].text.lowercased() } == ["errands", "essays"] && shown.map { $0["count"] } == [2, 1])
    for tag in shown {
      #expect(try await bench.ask(tag["text"].text)["total"] == tag["count"])
    }
    let blank = try await Self.suggest("책 읽", of: bench)["tags"].list
    #expect(blank.map { $0["text"] } == ["tag:\"책 읽기\""])
    #expect(try await bench.ids(blank[0]["text"].text) == ["card"])
    await bench.stop()
  }

  @Test(
    "a field that is being typed is ended with what it may say, in the place of what was typed of it",
    arguments: [
      ("in:di", ["in:diary"], "Diary"), ("river in:일", ["river in:일기"], "Diary"), ("in:Diary", [], nil),
      ("is:ov", ["is:overdue"], "overdue"), ("is:기한", ["is:기한지남"], "overdue"),
      ("(swift NOT is:do", ["(swift NOT is:doing", "(swift NOT is:done"], "doing"),
      ("after:2026", ["after:2026-11-21", "after:2026-11"], "from 2026-11-21 on"), ("in:zzz", [], nil),
      ("in:di ", [], nil),
      (
        "after:2026-1", ["after:2026-11-21", "after:2026-11", "after:2026-10", "after:2026-12"], "from 2026-11-21 on"
      ),
      ("after:2026-09-3", ["after:2026-09-30"], "from 2026-09-30 on"),
      ("before:yes", ["before:yesterday"], "before Nov 20, 2026, without it"), ("before:last w", [], nil),
      ("before:\"last w", ["before:\"last week\""], "before Nov 14, 2026, without it"),
      ("before:내", ["before:내일", "before:내년"], "before Nov 22, 2026, without it"), ("태그:e", [], nil),
      ("due:tom", ["due:tomorrow"], "due Nov 22, 2026"), ("기한:내", ["due:내일", "due:내년"], "due Nov 22, 2026"),
      ("due:2026-09-3", ["due:2026-09-30"], "due 2026-09-30"),
      ("due:\"next w", ["due:\"next week\""], "due from Nov 23, 2026 to Nov 29, 2026"),
      ("start:tom", ["start:tomorrow"], "starts Nov 22, 2026"),
      ("din:di", [], nil), ("title:swi", [], nil),
    ] as [(String, [String], String?)])
  func conditions(_ text: String, _ expected: [String], _ label: String?) async throws {
    let bench = try await Self.library()
    let shown = try await Self.suggest(text, of: bench)
    #expect(shown["state"] == "suggest" && shown["conditions"].list.map { $0["text"].text } == expected)
    #expect(shown["conditions"].list.first?["display"]?["label"].text == label)
    #expect(shown["tags"] == [] || text.hasPrefix("태그"))
    let elsewhere = try await Self.suggest(text, "books", of: bench)
    #expect(elsewhere["conditions"] == [])
    await bench.stop()
  }

  @Test("tags are offered behind tag:, in an open quotation too, as the question that they would make")
  func taggedFields() async throws {
    let bench = try await Self.library()
    for (text, expected) in [
      ("tag:err", ["tag:errands"]), ("swift tag:E", ["swift tag:errands", "swift tag:essays"]),
      ("tag:책", ["tag:\"책 읽기\""]), ("swift tag:\"책 읽", ["swift tag:\"책 읽기\""]),
      ("tag:", ["tag:errands", "tag:code", "tag:essays", "tag:\"책 읽기\""]), ("in:books tag:e", ["in:books tag:essays"]),
    ] {
      let shown = try await Self.suggest(text, of: bench)["tags"].list.map { $0["text"].text }
      #expect(shown.map { $0.lowercased() } == expected, "\(text)")
      for question in shown {
        #expect(try await bench.client.failure("search/query", ["text": .string(question)]) == nil)
      }
    }
    await bench.stop()
  }

  @Test("a tag is found and offered whichever way its letters are written, as titles are")
  func writtenOtherwise() async throws {
    let bench = try await QueryBench()
    try await bench.card("one", id: "simple", ["tags": ["读书"]])
    try await bench.card("two", id: "full", ["tags": ["讀書"]])
    try await bench.card("three", id: "kana", ["tags": ["ラジオ", "读"]])
    for (text, expected) in [
      ("tag:讀書", ["simple", "full"]), ("tag:读书", ["simple", "full"]), ("tag:讀*", ["simple", "full", "kana"]),
      ("tag:らじお", ["kana"]), ("tag:書", []),
    ] as [(String, Set<String>)] {
      #expect(try await bench.found(text) == expected, "\(text)")
    }
    for text in ["讀書", "tag:读书", "tag:讀書"] {
      let shown = try await Self.suggest(text, of: bench)["tags"].list
      #expect(shown.map { $0["count"] } == [2], "\(text)")
      #expect(try await bench.ask(shown[0]["text"].text)["total"] == 2)
    }
    await bench.stop()
  }

  @Test(
    "titles are offered by the words beside fields, in the collections that the question names",
    arguments: [
      ("title:swi", ["book", "swift"]), ("in:books swi", ["book"]), ("swift in:projects ", ["swift"]),
      ("NOT in:books title:swi", ["swift"]),
      ("swift in:di", ["book", "swift"]), ("in:di", []), ("in:diary title:독", ["entry"]),
    ])
  func titlesBesideFields(_ text: String, _ expected: [String]) async throws {
    let bench = try await Self.library()
    #expect(try await Self.suggest(text, of: bench)["titles"].list.map { $0.id.text }.sorted() == expected)
    await bench.stop()
  }

  @Test(
    "M20 M27 past questions are offered in every scope but on boards, where the targets are; each scope has its titles")
  func scopes() async throws {
    let bench = try await Self.library()
    _ = try await bench.ask("swift depth")
    // It found nothing, so nobody is sent there again; the history has it.
    _ = try await bench.ask("swift zzz")
    let everywhere = try await Self.suggest("Swift", of: bench)
    #expect(everywhere["history"].list.map { $0["text"] } == ["swift depth"])
    #expect(try await bench.client.call("search/history").items.map { $0["text"] } == ["swift zzz", "swift depth"])
    #expect(everywhere["targets"] == [] && everywhere["titles"].list.count == 2)
    let books = try await Self.suggest("Swift", "books", of: bench)
    #expect(books["titles"].list.map { $0.id } == ["book"] && books["history"] == [] && books["tags"] == [])
    let boards = try await Self.suggest("Swift", "boards", of: bench)
    #expect(boards["targets"].list.count == 4 && boards["titles"] == [] && boards["tags"] == [])
    let prompt = try await Self.suggest(" ", "boards", of: bench)
    #expect(prompt["state"] == "prompt" && prompt["titles"] == [] && prompt["tags"] == [])
    let history = try await Self.suggest("", of: bench)
    #expect(history["state"] == "history" && history["titles"] == [])
    await bench.stop()
  }

  @Test("titles that begin with what was typed are first, then those of which a word does, then others")
  func order() async throws {
    let bench = try await QueryBench()
    for (id, title) in [
      ("begins", "Sunflower seeds"), ("word", "Late sunflower"), ("war", "독소 전쟁"), ("language", "언어 독서"),
      ("alone", "고독 독백가"),
      ("inside", "해독제"), ("boy", "소년이 온다"), ("fire", "연소 소설"), ("nights", "ألف ليلة وليلة"), ("book", "الكتاب أول"),
    ] {
      try await bench.card(title, id: id)
    }
    // The newest are the best where nothing else tells them apart.
    for number in 0..<12 { try await bench.write("강 소리 \(number)", id: "e\(number)") }
    func first(_ text: String, _ count: Int) async throws -> [String] {
      try await Self.suggest(text, limit: 5, of: bench)["titles"].list.prefix(count).map { $0.id.text }
    }
    #expect(try await first("sun", 2) == ["begins", "word"])
    #expect(try await first("SUN", 2) == ["begins", "word"])
    #expect(try await first("독", 1) == ["war"])
    #expect(try await first("독", 4).last == "inside")
    #expect(try await first("소", 1) == ["boy"])
    #expect(try await first("أ", 1) == ["nights"])
    #expect(try await first("독소 ㅈ", 1) == ["war"])
    await bench.stop()
  }

  @Test("a title that many items of a collection have is offered once, for the newest, with how many have it")
  func sameTitles() async throws {
    let bench = try await QueryBench()
    try await bench.card("Reading", id: "card")
    try await bench.write((0..<120).map { ("Reading\nnumber \($0)", "e\($0)") })
    try await bench.write("Reading list", id: "list")
    let shown = try await Self.suggest("Rea", limit: 5, of: bench)["titles"].list
    #expect(Set(shown.map { $0["collection"].text + " " + $0["title"].text }).count == shown.count && shown.count == 3)
    let counts = Dictionary(
      uniqueKeysWithValues: shown.map { ($0["collection"].text + " " + $0["title"].text, $0["count"]) })
    #expect(counts == ["projects Reading": 1, "diary Reading": 120, "diary Reading list": 1])
    await bench.stop()
  }

  @Test("an old title that begins so is offered among very many that have such a word", .timeLimit(.minutes(10)))
  func oldTitle() async throws {
    let bench = try await QueryBench()
    try await bench.card("Sunflower", id: "whole")
    try await bench.card("Sun and moon", id: "old")
    try await bench.write((0..<520).map { ("Late sunflower \($0)", "e\($0)") })
    for (text, id) in [("s", "old"), ("sun", "old"), ("sun an", "old"), ("sunfl", "whole"), ("sunflower", "whole")] {
      #expect(try await Self.suggest(text, limit: 3, of: bench)["titles"].list.first?.id.text == id, "\(text)")
    }
    await bench.stop()
  }

  @Test("whatever may stand behind is: is offered, however few titles are asked for, by its names in Korean too")
  func states() async throws {
    let bench = try await Self.library(locale: "ko-KR")
    let all = try await Self.suggest("is:", limit: 1, of: bench)["conditions"].list
    #expect(all.count == 27 && all.contains { $0["value"] == "overdue" && $0["display"]?["label"] == "기한 지남" })
    for text in ["is:할일", "is:\"할 일\"", "is:todo", "제목:swift in:프로젝트", "태그:errands swift"] {
      #expect(try await bench.ids(text).contains("swift"), "\(text)")
    }
    #expect(
      try await Self.suggest("태그:err", of: bench)["tags"].list.map { $0["text"].text.lowercased() } == ["tag:errands"])
    let refusal = try await bench.client.failure("search/query", ["text": "in:부엌 a"])?.data?["advice"].text ?? ""
    #expect(refusal.contains("일기") && !refusal.contains("diary"), "\(refusal)")
    await bench.stop()
  }
}
