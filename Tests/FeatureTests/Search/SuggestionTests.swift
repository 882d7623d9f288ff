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
    _ text: String, _ scope: String = "library", of bench: QueryBench
  ) async throws -> JSONValue {
    try await bench.client.call("search/suggest", ["scope": .string(scope), "text": .string(text)])
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
      ("is:ov", ["is:overdue"], "overdue"),
      ("(swift NOT is:do", ["(swift NOT is:doing", "(swift NOT is:done"], "doing"),
      ("after:2026", ["after:2026-11-21", "after:2026-11"], "from 2026-11-21 on"),
      ("before:2026-", ["before:2026-11-21", "before:2026-11"], "before 2026-11-21, without it"), ("in:zzz", [], nil),
      ("in:di ", [], nil),
      ("din:di", [], nil), ("title:swi", [], nil),
    ] as [(String, [String], String?)])
  func conditions(_ text: String, _ expected: [String], _ label: String?) async throws {
    let bench = try await Self.library()
    let shown = try await Self.suggest(text, of: bench)
    #expect(shown["state"] == "suggest" && shown["conditions"].list.map { $0["text"].text } == expected)
    #expect(shown["conditions"].list.first?["display"]?["label"].text == label)
    #expect(shown["tags"] == [])
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
    _ = try await bench.ask("swift river")
    let everywhere = try await Self.suggest("Swift", of: bench)
    #expect(everywhere["history"].list.map { $0["text"] } == ["swift river"])
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
}
