import Client
import Contract
import SearchEngine
import Store
import TestSupport
import Testing
import Wire

@Suite("Diary: what stands in the text") struct EntrySearchTests {
  private static let texts = [
    "The river\nDriven by rain, the boat was thrivingly late.", "강가를 걸었다\n한국어 공부, 그리고 파이썬3 연습",
    "東京の夜\n新宿でラーメンを食べた。", "Crème brûlée\nÄrger mit C++ und o'clock, e-mail@example.org", "ＦＵＬＬ　ｗｉｄｔｈ\nＡＢＣ and ﬁne",
    "Emoji 🙂🙃\nfamily 👨‍👩‍👧 and a\ttab\r\nline two of it", "title only",
    "K팝 night\n2026-11-21 10:30, 50% off; #tag under_score",
    "\n\n  blank lines first\n\nwalk", "Aa Bb aabb abab ababa",
  ]

  /// Every text of up to `length` scalars that stands in the entries.
  private func substrings(upTo length: Int, step: Int) -> Set<String> {
    var found: Set<String> = []
    for text in Self.texts {
      let scalars = Array(text.unicodeScalars)
      for start in stride(from: 0, to: scalars.count, by: step) {
        for end in (start + 1)...max(start + 1, min(scalars.count, start + length)) where end <= scalars.count {
          found.insert(String(String.UnicodeScalarView(scalars[start..<end])))
        }
      }
    }
    return found
  }

  @Test("every substring is found, of one letter and of many, within words and over them, in every script")
  func substrings() async throws {
    let bench = try await DiaryBench()
    for (number, text) in Self.texts.enumerated() { try await bench.add(text, id: "e\(number)") }
    // What the scan of all texts, which needs no index, finds of each.
    let folded = Self.texts.map(foldedText)
    var count = 0
    for query in substrings(upTo: 9, step: 2) {
      let wanted = foldedText(query)
      let expected =
        wanted.isEmpty ? Set(Self.texts.indices) : Set(folded.indices.filter { contains(folded[$0], wanted) })
      let found = try await bench.client.call("diary/list", ["query": .string(query)])
      let ids = Set(found.items.compactMap { Int($0["id"].text.dropFirst()) })
      #expect(ids == expected, "\(query)")
      #expect(found["total"] == .integer(Int64(expected.count)), "\(query)")
      count += 1
    }
    #expect(count > 500)
    for query in ["zebra", "riverx", "xriver", "한강", "京東", "らーめん", "++C", "rain the", "🙁"] {
      #expect(try await bench.client.call("diary/list", ["query": .string(query)])["total"] == 0, "\(query)")
    }
    await bench.stop()
  }

  @Test("a paragraph without a title is text: its beginning is what it is called, and words far in it are no title's")
  func paragraph() async throws {
    let bench = try await DiaryBench()
    let words = (0..<60).map { "w\($0)" }.joined(separator: " ")
    try await bench.add("lantern", id: "title")
    try await bench.add("\n" + words + " [[lantern]]", id: "words")
    try await bench.add(String(repeating: "강", count: 120) + "등불", id: "letters")
    let called = (0...26).map { "w\($0)" }.joined(separator: " ") + "…"
    for (text, expected, title) in [
      ("lantern", ["title", "words"], "lantern"), ("w3", ["words"], called), ("\"w26 w27\"", ["words"], called),
      ("title:w20", ["words"], called), ("title:w30", [], ""),
      ("강등불", ["letters"], String(repeating: "강", count: 100) + "…"), ("title:등불", [], ""),
    ] as [(String, [String], String)] {
      let found = try await bench.client.call("search/query", ["text": .string(text)]).items
      #expect(found.map { $0["id"].text } == expected && found.first?["title"].text ?? "" == title, "\(text)")
    }
    for (text, expected) in [("lant", ["title"]), ("w2", ["words"])] {
      let offered = try await bench.client.call("search/suggest", ["scope": "library", "text": .string(text)])
      #expect(offered["titles"].list.map { $0["id"].text } == expected, "\(text)")
    }
    let listed = try await bench.client.call("diary/list", ["query": "w26 w27"])
    #expect(listed.items.map { $0["id"].text } == ["words"])
    let linked = try await bench.client.call("links/to", ["id": "title", "collection": "diary"])
    #expect(linked.items.map { $0["title"].text } == [called])
    await bench.stop()
  }

  @Test("one letter is looked for in what entries say now: added, changed, removed and brought back ones")
  func letters() async throws {
    let bench = try await DiaryBench()
    /// The entries that have each letter.
    func found(_ letters: String) async throws -> [Set<String>] {
      var found: [Set<String>] = []
      for letter in letters {
        let listed = try await bench.client.call("diary/list", ["query": .string(String(letter))])
        found.append(Set(listed.items.map { $0["id"].text }))
      }
      return found
    }
    for (number, text) in ["abc", "bcd", "cde", "한글 5"].enumerated() { try await bench.add(text, id: "e\(number)") }
    #expect(try await found("Ac5zｅ") == [["e0"], ["e0", "e1", "e2"], ["e3"], [], ["e2"]])
    _ = try await bench.client.call("diary/update", ["id": "e0", "text": "z"])
    try await bench.add("ab", id: "e4")
    _ = try await bench.client.call("diary/remove", ["id": "e2"])
    #expect(try await found("acze") == [["e4"], ["e1"], ["e0"], []])
    _ = try await bench.client.call("changes/undo")
    #expect(try await found("ec") == [["e2"], ["e1", "e2"]])
    let listed = try await bench.client.call("diary/list", ["query": "b", "limit": 1])
    #expect(listed["total"] == 2 && listed.items.count == 1)
    await bench.stop()
  }

  /// By bytes.
  private func contains(_ text: String, _ part: String) -> Bool {
    let (text, part) = (Array(text.utf8), Array(part.utf8))
    guard text.count >= part.count else { return false }
    return (0...(text.count - part.count)).contains { text[$0..<($0 + part.count)].elementsEqual(part) }
  }

  @Test("what is added, changed, removed and taken back is found at once, or no more")
  func follows() async throws {
    let bench = try await DiaryBench()
    try await bench.add("The river", id: "a")
    #expect(try await bench.titles(["query": "ive"]) == ["The river"])
    try await bench.add("Driven snow", id: "b")
    #expect(try await bench.client.call("diary/list", ["query": "ive"])["total"] == 2)
    _ = try await bench.client.call("diary/update", ["id": "a", "text": "A hive, 벌집"])
    #expect(try await bench.titles(["query": "hiv"]) == ["A hive, 벌집"])
    #expect(try await bench.titles(["query": "집"]) == ["A hive, 벌집"])
    #expect(try await bench.titles(["query": "iver"]) == [])
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.titles(["query": "iver"]) == ["The river"])
    #expect(try await bench.titles(["query": "집"]) == [])
    _ = try await bench.client.call("diary/remove", ["id": "a"])
    #expect(try await bench.titles(["query": "iver"]) == [])
    #expect(try await bench.titles(["query": "ive"]) == ["Driven snow"])
    await bench.stop()
    let next = try await DiaryBench(in: bench.daemon.folder)
    #expect(try await next.titles(["query": "rive"]) == ["Driven snow"])
    await next.stop()
  }

  @Test("more words than can be asked for, and more entries than a part has, are still all found")
  func many() async throws {
    let bench = try await DiaryBench()
    try await bench.client.calls(
      "diary/add",
      (0..<150).map { ["text": .string("entry\($0)x of many"), "day": .string("2026-01-0\($0 % 9 + 1)")] })
    for query in ["ntry", "entry1", "of ma", "x of many", "y", "e"] {
      let found = try await bench.client.call("diary/list", ["query": .string(query), "limit": 7, "to": "2026-01-05"])
      let expected = (0..<150).filter { $0 % 9 < 5 && "entry\($0)x of many".contains(query) }.count
      #expect(found["total"] == .integer(Int64(expected)) && found.items.count == 7, "\(query)")
      let rest = try await bench.client.call(
        "diary/list", ["query": .string(query), "limit": 1_000, "to": "2026-01-05", "after": found["next"]!])
      #expect(rest.items.count == expected - 7, "\(query)")
    }
    await bench.stop()
  }
}
