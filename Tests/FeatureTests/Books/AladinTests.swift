import Books
import Client
import Contract
import HTTP
import Kit
import TestSupport
import Testing
import Wire

@Suite("Books: the catalogue of Aladin") struct AladinTests {
  private static let human: JSONValue = [
    "title": "소년이 온다 - 한강 장편소설", "link": "https://www.aladin.co.kr/shop/wproduct.aspx?ItemId=40869703&amp;start=api",
    "author": "한강 (지은이), 이예원, 데보라 스미스 (옮긴이)", "pubDate": "2014-05-19",
    "description": "섬세한 감수성과 &lt;치밀한&gt; 문장력", "isbn": "8936434128", "isbn13": "9788936434120",
    "itemId": 40_869_703, "cover": "https://image.aladin.co.kr/product/4086/97/cover200/8936434128_2.jpg",
    "categoryName": "국내도서>소설/시/희곡>한국소설", "publisher": "창비", "customerReviewRank": 9,
    "seriesInfo": ["seriesId": 1, "seriesName": "창비시선"], "subInfo": ["subTitle": "한강 장편소설", "itemPage": 216],
  ]

  private static func answer(_ items: [JSONValue], total: Int) -> ServerReply {
    CatalogueSample.json([
      "version": "20131101", "totalResults": .integer(Int64(total)), "startIndex": 1, "itemsPerPage": 20,
      "item": .array(items),
    ])
  }

  private static func shelf(_ request: ScriptedServer.Request) -> ServerReply {
    guard request.item("ttbkey") == "good" else {
      return CatalogueSample.json(["errorCode": 100, "errorMessage": "잘못된 TTB KEY입니다."])
    }
    if request.path == "/aladin/ItemLookUp.aspx" {
      guard [human["isbn13"]?.text, "40869703"].contains(request.item("ItemId")) else {
        return CatalogueSample.json(["errorCode": 8, "errorMessage": "존재하지 않는 ISBN13입니다."])
      }
      return answer([human], total: 1)
    }
    let (page, size) = (Int(request.item("start")) ?? 0, Int(request.item("MaxResults")) ?? 0)
    let numbers = min((page - 1) * size, 45)..<min(page * size, 45)
    return answer(
      numbers.map { ["itemId": .integer(Int64($0) + 1), "title": .string("Book \($0)"), "author": "한강 (지은이)"] },
      total: 45)
  }

  private func bench(key: String? = "good") async throws -> BookBench {
    let server = try ScriptedServer { request in
      switch request.path {
      case let path where path.hasPrefix("/aladin"): Self.shelf(request)
      // The other catalogues have nothing.
      case let path where path.hasPrefix("/google") || path.hasPrefix("/ol/search"):
        CatalogueSample.json(["totalItems": 0, "numFound": 0, "num_found": 0, "start": 0, "docs": []])
      default: .text("{}", status: 404)
      }
    }
    let origin = try #require(Origin(server.origin))
    return try await BookBench(
      server: server,
      change: { settings in
        settings.credentials = Credentials(
          define: { .init(name: $0, origin: origin) }, read: { _ throws(RPCError) in Secret(key ?? "") })
        settings.configure {
          $0.books.aladin.url = server.origin + "/aladin"
          if key != nil { $0.books.aladin.credential = "aladin" }
        }
      })
  }

  @Test("a Korean book is found by its number, with its writers, pages, series and cover, and comes to the shelf")
  func number() async throws {
    let bench = try await bench()
    let found = try await bench.search("8936434128", ["catalogue": "aladin"])
    #expect(found["catalogues"] == ["aladin"] && found.items.map(\.id) == ["aladin.40869703"], "\(found)")
    let book = try await bench.client.call("books/addToShelf", ["book": "isbn.9788936434120"])
    #expect(book["title"] == "소년이 온다" && book["subtitle"] == "한강 장편소설" && book["authors"] == ["한강"])
    #expect(book["publisher"] == "창비" && book["published"] == "2014-05-19" && book["pageCount"] == 216)
    #expect(book["isbn13"] == "9788936434120" && book["series"] == [["name": "창비시선"]])
    #expect(book["description"] == "섬세한 감수성과 <치밀한> 문장력" && book["categories"] == ["한국소설"])
    #expect(book["rating"]?["average"] == 4.5 && book["hasCover"] == true && book["catalogue"] == "aladin")
    #expect(book["infoLink"] == "https://www.aladin.co.kr/shop/wproduct.aspx?ItemId=40869703&start=api")
    #expect(book["display"]?["catalogue"] == "Aladin")
    for (book, refusal) in [("isbn.9780262046305", "notFound"), ("aladin.abc", "book")] {
      let said = try await bench.refusal("books/addToShelf", ["book": .string(book)])
      #expect(said == refusal)
    }
    await bench.stop()
  }

  @Test("results come page by page, each book once")
  func pages() async throws {
    let bench = try await bench()
    var ids: [String] = []
    for offset in stride(from: 0, to: 60, by: 15) {
      ids += try await bench.ids("한강", ["catalogue": "aladin", "offset": .integer(Int64(offset)), "limit": 15])
    }
    #expect(ids == (1...45).map { "aladin.\($0)" })
    #expect(bench.asked.contains { $0.contains("Query=한강&QueryType=Keyword") }, "\(bench.asked)")
    await bench.stop()
  }

  @Test("without a key nobody is asked unless Aladin is named, and then what to do is said")
  func keyless() async throws {
    let bench = try await bench(key: nil)
    let all = try await bench.search("한강", ["catalogue": "all"])
    #expect(all["warnings"].list.allSatisfy { $0["catalogue"] != "aladin" }, "\(all)")
    let warning = try await bench.search("한강", ["catalogue": "aladin"])["warnings"].list.first
    #expect(warning?["kind"] == "keyNeeded" && warning?["advice"].text.contains("[credentials.aladin]") == true)
    #expect(!bench.asked.contains { $0.hasPrefix("/aladin") })
    await bench.stop()
  }

  @Test("a wrong key is said to be one, and is in no answer")
  func wrongKey() async throws {
    let bench = try await bench(key: "wrong-secret")
    let found = try await bench.search("한강", ["catalogue": "aladin"])
    let warning = found["warnings"].list.first
    #expect(warning?["kind"] == "closed" && warning?["display"].text.contains("key is not valid") == true, "\(found)")
    #expect(!found.description.contains("wrong-secret"))
    await bench.stop()
  }
}
