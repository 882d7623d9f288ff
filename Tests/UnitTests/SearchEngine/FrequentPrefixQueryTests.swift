import SearchEngine
import Store
import TestSupport
import Testing

@Suite struct FrequentPrefixQueryTests {
  /// Texts of which each has a hundred words with one beginning: more than the index merges for a question.
  private static func library() throws -> SearchLibrary {
    let library = try SearchLibrary()
    let words = (0..<100).map { "b\($0)" }.joined(separator: " ")
    try library.db.write { db in
      try SearchIndex.put(.diary(0, title: "Bread and water", body: "river"), in: db)
      try SearchIndex.put(.diary(1, body: "river bank"), in: db)
      try SearchIndex.put(.diary(2, body: "a slow river"), in: db)
      for number in 3..<1_500 { try SearchIndex.put(.diary(number, body: words), in: db) }
      try SearchIndex.put(.diary(1_500, body: "slow bébé"), in: db)
    }
    return library
  }

  /// With what they find.
  static let questions: [(root: MatchQuery.Node, found: [String])] = [
    (.and([term("river"), wide]), ["0", "1"]), (.without(term("river"), wide), ["2"]),
    (.without(term("river"), .or([term("slow"), wide])), []), (.and([term("slow"), wide]), ["1500"]),
    (.and([term("river"), .or([wide, term("slow")])]), ["0", "1", "2"]),
    (.without(.and([term("river"), wide]), term("bank")), ["0"]), (term("river b", true), ["1"]),
    (term("slow be", true), ["1500"]),
  ]

  private static func term(_ text: String, _ isPrefix: Bool = false) -> MatchQuery.Node {
    .term(MatchQuery.Term(text, isPrefix: isPrefix)!)
  }

  private static let wide = term("b", true)

  @Test(
    "A beginning of very many words is found in titles and in the newest texts, and what is found is told not to be all"
  )
  func newest() throws {
    let library = try Self.library()
    let ranking = try library.db.read { try SearchIndex.ranking(of: MatchQuery(Self.wide), now: 0, in: $0) }
    #expect(ranking.found == nil && ranking.substitute?.query != nil)
    #expect(ranking.hits.count == SearchIndex.mostHits)
    #expect(try library.db.read { try ranking.items(in: $0) }.prefix(3) == ["0", "1500", "1499"])
    let within = try library.db.read {
      try SearchIndex.ranking(of: MatchQuery(Self.wide), collections: ["diary"], now: 0, in: $0)
    }
    #expect(within.hits.map(\.row) == ranking.hits.map(\.row))
    let nowhere = try library.db.read {
      try SearchIndex.ranking(of: MatchQuery(Self.wide), collections: ["posts"], now: 0, in: $0)
    }
    #expect(nowhere.hits.isEmpty && nowhere.found == 0)
  }

  @Test(
    "Where few texts have the rest of the question all of them are looked through, whichever way the beginning is asked for",
    arguments: FrequentPrefixQueryTests.questions)
  func rest(_ root: MatchQuery.Node, _ expected: [String]) throws {
    let library = try Self.library()
    let ranking = try library.db.read { try SearchIndex.ranking(of: MatchQuery(root), now: 0, in: $0) }
    #expect(try library.db.read { try ranking.items(in: $0) }.sorted() == expected.sorted())
    #expect(ranking.found == expected.count && ranking.substitute == nil)
  }

  @Test("An alternative that is not wide is found wherever it is, beside the newest texts with one that is")
  func alternatives() throws {
    let library = try Self.library()
    let ranking = try library.db.read {
      try SearchIndex.ranking(of: MatchQuery(.or([Self.wide, Self.term("river")])), now: 0, in: $0)
    }
    let items = Set(try library.db.read { try ranking.items(in: $0) })
    #expect(items.isSuperset(of: ["0", "1", "2", "1500", "1499"]) && ranking.found == nil)
  }

  @Test("A beginning of few words is asked of the index, and all that has it is found")
  func narrow() throws {
    let library = try Self.library()
    let ranking = try library.db.read {
      try SearchIndex.ranking(of: MatchQuery(Self.term("ban", true)), now: 0, in: $0)
    }
    #expect(try library.db.read { try ranking.items(in: $0) } == ["1"] && ranking.found == 1)
    let many = try library.db.read {
      try SearchIndex.ranking(of: MatchQuery(Self.term("b77", true)), now: 0, in: $0)
    }
    #expect(many.found == 1_497 && many.substitute == nil)
  }

  @Test(
    "A beginning of few words is asked of the index also where the word beside them in it is one of nearly every text")
  func neighbours() throws {
    let library = try SearchLibrary("anecdote ancient andante", "anecdote")
    let often = String(repeating: "and ", count: 400)
    try library.db.write { db in
      for number in 2..<1_400 { try SearchIndex.put(.diary(number, body: often), in: db) }
    }
    func ranking(_ text: String) throws -> SearchRanking {
      try library.db.read { try SearchIndex.ranking(of: MatchQuery(Self.term(text, true)), now: 0, in: $0) }
    }
    for (text, count) in [("ane", 2), ("anc", 1), ("anda", 1), ("az", 0)] {
      let ranking = try ranking(text)
      #expect(ranking.found == count && ranking.substitute == nil, "\(text)")
    }
    for text in ["a", "an", "and"] { #expect(try ranking(text).substitute?.query != nil, "\(text)") }
  }

  @Test("For a list with an order of its own it is bounded as well, within the part that is asked for")
  func rows() throws {
    let library = try Self.library()
    /// The items, and whether these are all.
    func found(_ root: MatchQuery.Node, _ part: SearchPart? = nil) throws -> (items: Set<String>, isAll: Bool) {
      try #require(try library.listed(root, part))
    }
    let newest = Set((1_501 - MatchingRows.lookedThrough..<1_501).map(String.init))
    var (items, isAll) = try found(Self.wide)
    #expect(items == newest.union(["0"]) && !isAll)
    (items, isAll) = try found(Self.wide, .body)
    #expect(items == newest && !isAll)
    (items, isAll) = try found(Self.wide, .title)
    #expect(items == ["0"] && !isAll)
    (items, isAll) = try found(.and([Self.term("river"), Self.wide]))
    #expect(items == ["0", "1"] && isAll)
    (items, isAll) = try found(.and([Self.term("river"), Self.wide]), .body)
    #expect(items == ["1"] && isAll)
    (items, isAll) = try found(Self.term("b77", true))
    #expect(items.count == 1_497 && isAll)
    let nothing = try library.db.read { try MatchingRows(MatchQuery(nil), in: ["diary"], db: $0) == nil }
    #expect(nothing)
  }

  @Test(
    "What is looked up in a text is what the index finds there",
    arguments: [
      ("slow r", "A SLOW  River", true), ("slow r", "slow a river", false), ("caf", "le Café", true),
      ("afé", "Café", false),
      ("독서 r", "늦은 독서 river", true), ("독서r", "늦은 독서 river", true), ("b b b", "b b c b b babel", true),
      ("책", "빈책상", true), ("책", "공책 river", true), ("서 책", "독서 책장", true), ("독 책", "독서 책장", false),
      ("독 책", "독책", false), ("river책", "river 책장", true), ("ก", "กิน", false), ("กิ", "นกิน", true),
      ("", "a", false), ("++", "++", false), ("كتا", "الكتاب", true), ("الكت", "الكتاب", true),
      (String(repeating: "a ", count: 65), String(repeating: "a ", count: 65), false),
    ])
  func lookingUp(_ words: String, _ text: String, _ isThere: Bool) throws {
    let library = try SearchLibrary(text)
    let found = try library.db.read {
      try $0.integer("SELECT cp_begins(?, NULL, ?)", [.text(words), .text(text)]).map { $0 != 0 }
    }
    #expect(found == isThere)
    guard let term = MatchQuery.Term(words, isPrefix: true), term.units <= 64 else { return }
    let query = MatchQuery(.term(term))
    #expect(try library.db.read { try SearchIndex.count(matching: query, in: $0) } == (isThere ? 1 : 0))
  }
}
