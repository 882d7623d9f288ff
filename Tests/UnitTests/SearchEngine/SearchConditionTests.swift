import SearchEngine
import Store
import TestSupport
import Testing

@Suite struct SearchConditionTests {
  @Test("What must hold beside the words narrows what is ranked, found and counted, and what is unknown does not hold")
  func conditions() throws {
    let library = try SearchLibrary()
    try library.db.write { db in
      for number in 0..<30 { try SearchIndex.put(.diary(number, at: Int64(number), body: "독서"), in: db) }
      try SearchIndex.put(SearchEntry(collection: "posts", item: "p", at: 5, title: "", body: "독서"), in: db)
      let query = try MatchQuery(userText: "독서")
      func found(_ condition: SearchCondition) throws -> [String] {
        let ranking = try SearchIndex.ranking(of: query, where: condition, now: 0, in: db)
        #expect(ranking.found == ranking.hits.count)
        #expect(try SearchIndex.count(matching: query, where: condition, in: db) == ranking.hits.count)
        #expect(ranking.counts.values.reduce(0, +) == ranking.hits.count)
        return try ranking.items(in: db).sorted()
      }
      let late = SearchCondition("entry.at >= ?", [.integer(28)])
      #expect(try found(late) == ["28", "29"])
      #expect(try found(.all([late, .within(["posts"])])) == [])
      #expect(try found(.any([late, .within(["posts"])])) == ["28", "29", "p"])
      #expect(try found(.all([!late, !.within(["diary"])])) == ["p"])
      #expect(try found(!SearchCondition("NULL")).count == 31)
      #expect(try found(.any([])) == [] && found(.all([])).count == 31)
      #expect(try found(.all([SearchCondition("0 OR 1"), SearchCondition("0")])) == [])
    }
  }

  @Test("All that is in some collections can be asked for, and some of it left out")
  func everything() throws {
    let library = try SearchLibrary("독서", "여행", "")
    try library.db.write { db in
      try SearchIndex.put(SearchEntry(collection: "posts", item: "p", at: 5, title: "", body: "여행"), in: db)
    }
    func found(_ node: MatchQuery.Node) throws -> [String] {
      try library.db.read { db in
        try SearchIndex.candidates(matching: MatchQuery(node), limit: 9, now: 0, in: db).map(\.item).sorted()
      }
    }
    let trip = MatchQuery.Node.term(try #require(MatchQuery.Term("여행")))
    #expect(try found(.within(["diary"])) == ["0", "1", "2"])
    #expect(try found(.without(.within(["diary", "posts"]), trip)) == ["0", "2"])
    #expect(try found(.and([trip, .within(["posts"])])) == ["p"])
    #expect(try found(.within([])) == [])
  }
}
