import SearchEngine
import Store
import TestSupport
import Testing

@Suite struct MatchQueryTests {
  @Test(
    "FTS5 syntax and control characters that a user types are text",
    arguments: [
      ("독서*", [0]), ("-독서", [0]), ("^독서", [0]), ("\"독서", [0]), ("“독서”", [0]), ("\u{2}독서", [0]), ("독\u{0}서", [0]),
      ("NEAR(", [1]), ("OR", [1]), ("{a b}:c", [1]), ("a+b", [1]), ("'; DROP TABLE", [1]),
      ("NEAR(독서 모임)", []), ("title:독서", []), ("독서 AND", []), ("NOT 독서", []), ("(((", []), ("\"\"\"", []),
      ("\u{3}\u{4}diary", []), ("\u{1}", []), ("*", []),
    ])
  func syntax(text: String, expected: [Int]) throws {
    let library = try SearchLibrary("독서 모임", "near and or not title a b c drop table")
    #expect(try library.find(text) == expected)
  }

  @Test("Every word is wanted, in any order; a phrase as it stands")
  func words() throws {
    let library = try SearchLibrary("slow reading club", "club of slow reading", "slow club", "slow, reading club")
    #expect(try library.find("club  slow\treading").sorted() == [0, 1, 3])
    #expect(try library.find("\"reading club\" slow").sorted() == [0, 3])
    #expect(try library.find("“slow reading” of") == [1])
  }

  @Test(
    "White space and punctuation ask for nothing", arguments: ["", "  \n\u{3000}", "++ -- \"\"", "\u{0}", "\u{301}"])
  func nothing(text: String) throws {
    #expect(try MatchQuery(userText: text).root == nil)
    #expect(try SearchLibrary("++ text").find(text) == [])
  }

  @Test("A question too large is refused with the place where it became so")
  func bounds() throws {
    let words = String(repeating: "독 ", count: 1000)
    #expect(throws: MatchQuery.Failure.tooManyTerms(limit: 64, offset: 64 * 4)) { try MatchQuery(userText: words) }
    let run = "독 " + String(repeating: "독서", count: 20_000)
    #expect(throws: MatchQuery.Failure.tooLong(limit: 512, offset: 4)) { try MatchQuery(userText: run) }
    let most = Array(repeating: "독", count: 64).joined(separator: " ")
    #expect(try SearchLibrary("독서").find(most) == [0])
    #expect(try SearchLibrary(String(repeating: "독서", count: 300)).find(String(repeating: "독서", count: 256)) == [0])
  }

  @Test("Only texts of the wanted collections are found, and none where none is wanted")
  func collections() throws {
    let library = try SearchLibrary("독서 모임", "독서")
    let query = try MatchQuery(userText: "독서")
    for (collections, count) in [(nil, 2), (["diary"], 2), (["notes"], 0), (["notes", "diary"], 2), ([], 0)] {
      let found = try library.db.read { db in
        try SearchIndex.candidates(matching: query, collections: collections, limit: 9, now: 0, in: db)
      }
      #expect(found.count == count, "\(collections ?? ["all"])")
    }
  }

  @Test("A tree of conditions becomes one expression, and terms may be kept to titles")
  func tree() throws {
    let library = try SearchLibrary("독서 모임", "독서 여행", "여행", "모임")
    try library.db.write { try SearchIndex.put(.diary(4, title: "여행", body: "모임"), in: $0) }
    func find(_ node: MatchQuery.Node) throws -> [Int] {
      try library.db.read { db in
        try SearchIndex.candidates(matching: MatchQuery(node), limit: 9, now: 0, in: db).map { Int($0.item)! }.sorted()
      }
    }
    func term(_ text: String, inTitle: Bool = false) throws -> MatchQuery.Node {
      .term(try #require(MatchQuery.Term(text, inTitle: inTitle)))
    }
    #expect(try find(.or([try term("독서"), term("여행")])) == [0, 1, 2, 4])
    #expect(try find(.without(try term("여행"), term("독서"))) == [2, 4])
    #expect(try find(.and([.or([try term("독서"), term("여행")]), term("모임")])) == [0, 4])
    #expect(try find(try term("여행", inTitle: true)) == [4])
    #expect(MatchQuery.Term("++") == nil)
  }
}
