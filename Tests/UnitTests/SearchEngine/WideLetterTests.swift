import SearchEngine
import Store
import TestSupport
import Testing

/// One letter of Hangul that very many texts have, each in a hundred pairs: more than the index merges for a question.
@Suite struct WideLetterTests {
  /// The row of a text in the index is its number and one.
  private static func library() throws -> SearchLibrary {
    let library = try SearchLibrary()
    let words = (0..<100).map { "책\(Unicode.Scalar(0xAC00 + $0 * 28)!)" }.joined(separator: " ")
    try library.db.write { db in
      try SearchIndex.put(.diary(0, title: "책장과 물", body: "강물"), in: db)
      try SearchIndex.put(.diary(1, body: "강물 둑의 책"), in: db)
      try SearchIndex.put(.diary(2, body: "느린 강물"), in: db)
      for number in 3..<1_500 { try SearchIndex.put(.diary(number, body: words), in: db) }
      try SearchIndex.put(.diary(1_500, body: "느린 빈책상 river"), in: db)
    }
    return library
  }

  private static func term(_ text: String, inTitle: Bool = false) -> MatchQuery.Node {
    .term(MatchQuery.Term(text, inTitle: inTitle)!)
  }

  private static let wide = term("책")

  @Test("It is found as a word, in titles and in the newest texts, and what is found is told not to be all")
  func newest() throws {
    let library = try Self.library()
    func ranking(_ collections: [String]? = nil) throws -> SearchRanking {
      try library.db.read {
        try SearchIndex.ranking(of: MatchQuery(Self.wide), collections: collections, now: 0, in: $0)
      }
    }
    let all = try ranking()
    #expect(all.found == nil && all.substitute?.query != nil)
    #expect(all.hits.count == SearchIndex.mostHits)
    #expect(all.hits.prefix(4).map(\.row) == [1, 2, 1_501, 1_500])
    #expect(try ranking(["diary"]).hits.map(\.row) == all.hits.map(\.row))
    let nowhere = try ranking(["posts"])
    #expect(nowhere.hits.isEmpty && nowhere.found == 0)
    let counted = try library.db.read { db in
      try all.substitute?.query.map { try SearchIndex.count(matching: $0, in: db) }
    }
    #expect(counted == 2)
  }

  @Test("Without a bound the index itself has it wherever it is, and to passages it says that it is everywhere")
  func exact() throws {
    let library = try Self.library()
    #expect(try library.db.read { try SearchIndex.count(matching: MatchQuery(Self.wide), in: $0) } == 1_500)
    func postings(_ text: String) throws -> SearchPostings {
      try library.db.read {
        try SearchIndex.postings(of: MatchQuery(Self.term(text)), in: "diary", most: 2_000, db: $0)
      }
    }
    let wide = try postings("책")
    #expect(!wide.isWhole && wide.rows == [1, 2] && wide.estimate == 1_501)
    let narrow = try postings("빈책상")
    #expect(narrow.isWhole && narrow.rows == [1_501] && narrow.estimate == 1)
    #expect(try library.problems() == [])
  }

  /// With the numbers of what they find.
  static let questions: [(root: MatchQuery.Node, found: [Int64])] = [
    (.and([term("강물"), wide]), [0, 1]), (.without(term("강물"), wide), [2]),
    (.and([term("느린"), wide]), [1_500]), (.and([wide, term("river")]), [1_500]),
    (.and([term("강물"), .or([wide, term("느린")])]), [0, 1, 2]),
    (.without(.and([term("강물"), wide]), term("둑")), [0]), (term("둑의 책"), [1]), (term("빈 책"), []),
    (term("책", inTitle: true), [0]), (.and([term("강물"), term("책", inTitle: true)]), [0]), (term("둑"), [1]),
    (term("상 river"), [1_500]),
  ]

  @Test(
    "Where few texts have the rest of the question all of them are looked through, whichever way the letter is asked for",
    arguments: WideLetterTests.questions)
  func rest(_ root: MatchQuery.Node, _ expected: [Int64]) throws {
    let library = try Self.library()
    let ranking = try library.db.read { try SearchIndex.ranking(of: MatchQuery(root), now: 0, in: $0) }
    #expect(ranking.hits.map(\.row).sorted() == expected.map { $0 + 1 })
    #expect(ranking.found == expected.count && ranking.substitute == nil)
  }

  @Test("Without something that is asked for beside it, only what is surely found is, and is told not to be all")
  func excluding() throws {
    let library = try Self.library()
    let query = MatchQuery(.without(Self.wide, Self.term("둑")))
    let ranking = try library.db.read { try SearchIndex.ranking(of: query, now: 0, in: $0) }
    #expect(ranking.hits.map(\.row) == [1] && ranking.found == nil)
  }

  @Test("For a list with an order of its own it is bounded as well, within the part that is asked for")
  func rows() throws {
    let library = try Self.library()
    func found(_ root: MatchQuery.Node, _ part: SearchPart? = nil) throws -> (items: Set<String>, isAll: Bool) {
      try #require(try library.listed(root, part))
    }
    let newest = Set((1_501 - MatchingRows.lookedThrough..<1_501).map(String.init))
    var (items, isAll) = try found(Self.wide)
    #expect(items == newest.union(["0", "1"]) && !isAll)
    (items, isAll) = try found(Self.wide, .body)
    #expect(items == newest.union(["1"]) && !isAll)
    (items, isAll) = try found(Self.wide, .title)
    #expect(items == ["0"] && !isAll)
    (items, isAll) = try found(.and([Self.term("강물"), Self.wide]), .body)
    #expect(items == ["1"] && isAll)
  }

  @Test("Whoever would look at all texts is named those that have it, though it takes longer than a question may")
  func items() throws {
    let library = try Self.library()
    func items(_ text: String) throws -> [String]? {
      try library.db.read {
        try SearchIndex.items(matching: MatchQuery(Self.term(text)), of: "diary", in: $0)?.sorted()
      }
    }
    #expect(try items("책")?.count == 1_500)
    #expect(try items("둑") == ["1"])
    #expect(try items("빈책") == ["1500"])
  }
}
