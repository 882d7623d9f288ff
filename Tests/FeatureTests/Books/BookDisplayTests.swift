import Client
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Books: how they are shown") struct BookDisplayTests {
  /// Shows a volume as a list does, to a client of this locale.
  private func shown(_ info: JSONObject, locale: String = "ko-KR") async throws -> JSONValue {
    let bench = try await BookBench(locale: locale) { _ in
      CatalogueSample.page([CatalogueSample.volume(1, info)], total: 1)
    }
    let item = try await bench.search("x y").items[0]
    await bench.stop()
    return item
  }

  @Test("G10 a row has the title, the first author and how many more, and the year")
  func row() async throws {
    let item = try await shown(["title": "소년이 온다", "authors": ["한강", "A", "B"], "publishedDate": "2014-05-19"])
    #expect(item["display"]?["title"] == "소년이 온다" && item["display"]?["authors"] == "한강 외 2인")
    #expect(item["display"]?["year"] == "2014" && item["year"] == 2014 && item["published"] == "2014-05-19")
    let two = try await shown(["authors": ["A", "B"], "publishedDate": "1998"], locale: "en-US")
    #expect(two["display"]?["authors"] == "A and 1 other" && two["display"]?["year"] == "1998")
    let one = try await shown(["authors": ["A"]], locale: "en-US")
    #expect(one["display"]?["authors"] == "A")
  }

  @Test("G11 five stars with a half from .5 on, and how many said so")
  func stars() async throws {
    for (average, halves, stars) in [
      (4.5, 9, "★★★★½"), (4.4, 8, "★★★★"), (4, 8, "★★★★"), (0, 0, ""), (5, 10, "★★★★★"), (2.9, 5, "★★½"),
    ] as [(Double, Int, String)] {
      let item = try await shown(["averageRating": .number(average), "ratingsCount": 12])
      #expect(item["rating"]?["halves"] == json(halves) && item["display"]?["stars"] == .string(stars), "\(average)")
    }
    let rated = try await shown(["averageRating": 4.5, "ratingsCount": 12])
    #expect(rated["display"]?["rating"] == "4.5 (12건)" && rated["display"]?["ratingInPoints"] == "4.5점 (12건)")
    let whole = try await shown(["averageRating": 4, "ratingsCount": 1_234])
    #expect(whole["display"]?["rating"] == "4.0 (1,234건)")
    let unrated = try await shown([:])
    #expect(unrated["display"]?["rating"] == "(0건)" && unrated["rating"] == nil)
    let odd = try await shown(["averageRating": 17])
    #expect(odd["rating"] == nil)
  }

  @Test("G11 an average that nobody counts stands alone, and each says whose it is: the readers' or the reader's own")
  func whose() async throws {
    for count: JSONObject in [[:], ["ratingsCount": 0]] {
      var info = count
      info["averageRating"] = 4.17
      let item = try await shown(info)
      #expect(item["display"]?["rating"] == "4.2" && item["display"]?["ratingInPoints"] == "4.2점", "\(count)")
      #expect(item["display"]?["readersRating"] == "독자 평점 4.2", "\(count)")
      #expect(item["rating"]?["count"] == count["ratingsCount"], "a count that nobody told is none, and not 0")
    }
    let bench = try await BookBench { _ in
      CatalogueSample.page([CatalogueSample.volume(1, ["averageRating": 4.5, "ratingsCount": 12])], total: 1)
    }
    let found = try await bench.search("x y").items[0]
    #expect(found["display"]?["readersRating"] == "readers 4.5 (12)" && found["display"]?["ownStars"] == nil)
    let added = try await bench.client.call("books/addToShelf", ["book": found.id])
    #expect(added["display"]?["ownStars"] == nil, "the readers' stars are not the reader's own")
    let rated = try await bench.client.call("books/updateOnShelf", ["id": added.id, "rating": 2])
    #expect(rated["display"]?["ownStars"] == "★★" && rated["display"]?["readersRating"] == "readers 4.5 (12)")
    let unrated = try await bench.add("Nobody's")
    #expect(unrated["display"]?["readersRating"] == nil)
    await bench.stop()
  }

  @Test("two printings of a book are told apart by their year, publisher and number, as far as they are known")
  func editions() async throws {
    let whole = try await shown([
      "publishedDate": "2017-01-17", "publisher": "Hogarth",
      "industryIdentifiers": [["type": "ISBN_13", "identifier": "9781101906729"]],
    ])
    #expect(whole["display"]?["edition"] == "2017, Hogarth, 9781101906729")
    #expect(try await shown(["publishedDate": "190?"])["display"]?["edition"] == "190?")
    #expect(try await shown([:])["display"]?["edition"] == nil)
  }

  @Test("G12 G32 a page about a book has its lines with their words, and the description from its beginning")
  func details() async throws {
    let volume = CatalogueSample.volume(
      1,
      [
        "title": "흰", "subtitle": "소설", "authors": ["한강", "Deborah Smith"], "publisher": "난다",
        "publishedDate": "2016-05", "description": "<p>첫 &amp; <b>굵은</b> 줄</p><p>둘째<br>셋째</p>", "averageRating": 4.5,
        "ratingsCount": 12,
      ])
    let bench = try await BookBench(locale: "ko-KR") { _ in CatalogueSample.json(volume) }
    let book = try await bench.client.call("books/get", ["id": "google.\(CatalogueSample.id(1))".json])
    #expect(
      book["display"]?["details"] == ["부제 : 소설", "저자 : 한강, Deborah Smith", "출판사 : 난다", "출판일자 : 2016-05"])
    #expect(book["display"]?["ratingInPoints"] == "4.5점 (12건)")
    #expect(book["description"] == "첫 & 굵은 줄\n\n둘째\n셋째")
    #expect(book["display"]?["catalogue"] == "Google Books")
    await bench.stop()
  }

  @Test("G13 every field may be missing: data has nothing then, and only the words for people say so")
  func missing() async throws {
    let nothing: JSONObject = ["title": .null, "authors": .null]
    let korean = try await shown(nothing)
    for field in [
      "title", "subtitle", "publisher", "published", "year", "description", "rating", "isbn13", "pageCount", "language",
    ] {
      #expect(korean[field] == nil, "\(field)")
    }
    #expect(korean["authors"] == [] && korean["hasCover"] == false)
    let words = [
      "title": "제목 없음", "subtitle": "부제 없음", "authors": "저자 정보 없음", "allAuthors": "저자 정보 없음",
      "publisher": "출판사 정보 없음", "published": "출간일 정보 없음", "year": "출간일 정보 없음", "description": "상세설명 정보 없음",
    ]
    for (field, word) in words { #expect(korean["display"]?[field] == .string(word), "\(field)") }
    let english = try await shown(nothing, locale: "en-US")
    #expect(english["display"]?["title"] == "No title" && english["display"]?["authors"] == "Author unknown")
  }

  @Test("G13 years are told from dates of every kind, and not from those that have none")
  func years() async throws {
    for (date, year) in [("1925", 1925), ("2009-03", 2009), ("1998*", 1998), ("190?", nil), ("March 2009", 2009)]
      as [(String, Int?)]
    {
      let item = try await shown(["publishedDate": .string(date)])
      #expect(item["year"]?.integerValue.map { Int($0) } == year, "\(date)")
      #expect(item["published"] == .string(date))
    }
  }
}

extension String {
  var json: JSONValue { .string(self) }
}
