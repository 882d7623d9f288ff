import SearchEngine
import Store
import TestSupport
import Testing

@Suite struct HangulTypingTests {
  private static let titles = ["독서 모임", "도서관", "강독회", "한강", "넉살", "Swift in depth", "ㅋㅋㅋ 웃음"]

  private func library() throws -> SearchLibrary {
    let library = try SearchLibrary()
    try library.db.write { db in
      for (number, title) in Self.titles.enumerated() {
        try SearchIndex.put(.diary(number, title: title, body: "가나다"), in: db)
      }
      try SearchIndex.put(.diary(90, title: "글", body: "독서 도서관 Swift"), in: db)
    }
    return library
  }

  private func found(_ text: String, isTyped: Bool = true, in library: SearchLibrary) throws -> [Int] {
    let term = try #require(MatchQuery.Term(text, isPrefix: isTyped, isTyped: isTyped))
    return try library.db.read { db in
      try SearchIndex.candidates(matching: MatchQuery(.term(term)), limit: 99, now: 0, in: db).map { Int($0.item)! }
        .filter { $0 < 90 }.sorted()
    }
  }

  @Test(
    "a title is found by its initials, and at every step on which a keyboard shows it half-typed",
    arguments: [
      ("ㄷㅅ", [0, 1]), ("ㄷ", [0, 1, 2]), ("ㅎㄱ", [3]), ("도", [0, 1, 2]), ("독", [0, 2]), ("독ㅅ", [0]),
      ("독서", [0]), ("독서 ㅁ", [0]), ("돗", [1]), ("도섯", []), ("도서ㄱ", [1]), ("넋", [4]), ("하", [3]), ("항", []),
      ("ㅋㅋ", [6]), ("s", [5]), ("sw", [5]), ("swi", [5]), ("\u{1103}\u{1169}", [0, 1, 2]),
      ("\u{1103}\u{1169}\u{11BA}", [1]), ("in d", [5]), ("i d", []),
    ])
  func typed(_ text: String, _ expected: [Int]) throws {
    #expect(try found(text, in: library()) == expected)
  }

  @Test(
    "the titles that begin with what is half-typed lie between two texts",
    arguments: [
      ("ㄷㅅ", ["다", "독서", "딯 가"], ["나", "라", "따"]), ("도", ["도서", "독"], ["다", "돼"]),
      ("독", ["독서", "독"], ["도서", "돈"]), ("돗", ["돗자리", "도서"], ["도가", "돈"]), ("swi", ["swi", "swift"], ["sw", "swj"]),
    ])
  func beginnings(_ typed: String, _ inside: [String], _ outside: [String]) {
    func holds(_ title: String) -> Bool {
      HangulTyping.beginnings(of: foldedText(typed)).contains { bounds in
        !title.utf8.lexicographicallyPrecedes(bounds.start.utf8)
          && title.utf8.lexicographicallyPrecedes(bounds.end.utf8)
      }
    }
    #expect(inside.allSatisfy(holds) && !outside.contains(where: holds))
  }

  @Test("what is whole is not taken for half of something, and bodies are never found so")
  func whole() throws {
    let library = try library()
    #expect(try found("도", isTyped: false, in: library) == [1])
    #expect(try found("ㄷㅅ", isTyped: false, in: library) == [])
    let term = try #require(MatchQuery.Term("ㄷㅅ", isTyped: true))
    let all = try library.db.read { db in
      try SearchIndex.candidates(matching: MatchQuery(.term(term)), limit: 99, now: 0, in: db).map(\.item)
    }
    #expect(!all.contains("90"))
    #expect(try library.problems() == [])
  }

  @Test(
    "the letters that were typed half are marked whole, in titles alone",
    arguments: [("ㄷㅅ", "독서"), ("독ㅅ", "독서"), ("도", "독"), ("독서ㅁ", "독서모")])
  func marked(_ typed: String, _ marked: String) throws {
    let query = MatchQuery(.term(try #require(MatchQuery.Term(typed, isTyped: true))))
    let title = "옛 독서모임"
    let ranges = TextRanges(of: query, in: title, isTitle: true).ranges
    #expect(ranges.map { String(decoding: Array(title.utf8)[$0], as: UTF8.self) } == [marked])
    #expect(TextRanges(of: query, in: title).ranges == [])
  }

  @Test(
    "an initial is one that no vowel follows, however its letters are written",
    arguments: [
      ("ㄷㅅ", true), ("독ㅅ", true), ("독서", false), ("\u{1103}\u{1169}\u{11A8}", false), ("\u{1103}", true), ("ㄷㅏ", false),
      ("abc", false), ("", false),
    ])
  func initials(_ text: String, _ has: Bool) {
    #expect(HangulTyping.hasInitial(text) == has)
  }
}
