import Testing
import Wire

@testable import Books
@testable import Kit

@Suite("Books: items of Aladin") struct AladinItemTests {
  private static let aladin = Aladin(BooksConfiguration())

  @Test(
    "the writers of an item are told from its translators",
    arguments: [
      ("한강 (지은이)", ["한강"]), ("", []),
      ("한강 (지은이), 이예원, 데보라 스미스 (옮긴이)", ["한강"]),
      ("프란츠 카프카 (지은이), 루이스 스카파티 (그림), 이재황 (옮긴이)", ["프란츠 카프카", "루이스 스카파티"]),
      ("김 아무개, 이 아무개 (엮은이)", ["김 아무개", "이 아무개"]), ("이예원 (옮긴이)", ["이예원"]), (" , (지은이)", []),
    ])
  func authors(text: String, authors: [String]) {
    #expect(AladinItem.authors(text) == authors)
  }

  @Test("an item of nothing but a number is a book, and one without a number is none")
  func lenient() throws {
    let book = try #require(AladinItem.book(["itemId": "12", "subInfo": 3, "customerReviewRank": 0], in: Self.aladin))
    #expect(book.id == "aladin.12" && book.facts.title == nil && book.facts.averageRating == nil)
    #expect(book.facts.authors.isEmpty && book.facts.categories.isEmpty && book.facts.covers.isEmpty)
    for item in [["title": "x"], ["itemId": "../1"], ["itemId": 0.5], .null, []] as [JSONValue] {
      #expect(AladinItem.book(item, in: Self.aladin) == nil, "\(item)")
    }
  }
}
