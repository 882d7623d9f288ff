import Store
import TestSupport
import Testing

@testable import SearchEngine

@Suite("Texts with the words in their titles") struct RepeatedTitleTests {
  @Test("a text that is one of the newest matches and has the words in its title, too, is found once")
  func once() throws {
    let library = try SearchLibrary()
    try library.db.write { db in
      for number in 0..<8 { try SearchIndex.put(.diary(number, title: "Tea \(number)", body: ""), in: db) }
    }
    let looked = try library.db.read { db in
      var filter: FilterRows?
      return try SearchIndex.lookTwice(
        for: MatchQuery(userText: "tea"), in: nil, where: &filter, among: 3, keeping: 3, enough: 3, now: 0, in: db)
    }
    let hits = try #require(looked)
    let rows = hits.hits.map(\.row)
    #expect(!hits.isAll && rows.count == 8 && Set(rows).count == 8, "\(rows)")
  }
}
