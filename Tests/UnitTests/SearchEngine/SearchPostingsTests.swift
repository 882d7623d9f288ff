import SearchEngine
import Store
import TestSupport
import Testing

@Suite struct SearchPostingsTests {
  private static func postings(_ texts: [String], of term: String, most: Int) throws -> SearchPostings {
    let library = try SearchLibrary(texts: texts)
    let query = MatchQuery(MatchQuery.Term(term).map(MatchQuery.Node.term))
    return try library.db.read { try SearchIndex.postings(of: query, in: "diary", most: most, db: $0) }
  }

  @Test("The texts that have a word come oldest first, and it is said whether these are all")
  func rows() throws {
    let texts = ["café one", "two", "one cafe", "CAFÉ", "cafés"]
    let all = try Self.postings(texts, of: "cafe", most: 3)
    #expect(all.rows == [1, 3, 4] && all.isWhole && all.estimate == 3)
    let first = try Self.postings(texts, of: "cafe", most: 2)
    #expect(first.rows == [1, 3] && !first.isWhole)
    #expect(try Self.postings(texts, of: "three", most: 2).rows == [])
    #expect(try Self.postings(texts, of: "cafe one", most: 9).rows == [1])
  }

  @Test("How common a word is is told by how far its first texts reach")
  func estimate() throws {
    let texts = (0..<400).map { "every \($0.isMultiple(of: 4) ? "fourth" : "other")" }
    let fourth = try Self.postings(texts, of: "fourth", most: 20)
    #expect(!fourth.isWhole && (90...110).contains(fourth.estimate))
    let every = try Self.postings(texts, of: "every", most: 20)
    #expect(!every.isWhole && (360...400).contains(every.estimate))
  }

  @Test("Letters of scripts without blanks are found within longer runs too")
  func runs() throws {
    #expect(try Self.postings(["인용문의출처를찾는다", "출처"], of: "출처를", most: 9).rows == [1])
    #expect(try Self.postings(["인용문의출처를찾는다", "출처"], of: "출처", most: 9).rows == [1, 2])
  }

  @Test("Another collection, the last row and what a row is a text of")
  func entries() throws {
    let library = try SearchLibrary("one", "two")
    try library.db.read { db in
      let query = MatchQuery(MatchQuery.Term("two").map(MatchQuery.Node.term))
      #expect(try SearchIndex.postings(of: query, in: "documents", most: 9, db: db).rows == [])
      let row = try #require(try SearchIndex.postings(of: query, in: "diary", most: 9, db: db).rows.first)
      let entry = try #require(try SearchIndex.entry(of: row, in: db))
      #expect(entry.item == "1" && entry.part == 0)
      #expect(try SearchIndex.lastRow(in: db) == 2)
      #expect(try SearchIndex.entry(of: 99, in: db) == nil)
    }
    #expect(try SearchLibrary().db.read { try SearchIndex.lastRow(in: $0) } == 0)
  }
}
