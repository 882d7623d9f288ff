import Books
import Client
import HTTP
import Kit
import TestSupport
import Testing
import Wire

@Suite("Books: the catalogue of the National Diet Library") struct NDLTests {
  /// The RSS that it answers, with a part of the elements of an item.
  private static func answer(_ items: String, total: Int) -> ServerReply {
    let text = """
      <rss xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:openSearch="http://a9.com/-/spec/opensearchrss/1.0/" \
      xmlns:dcndl="http://ndl.go.jp/dcndl/terms/" xmlns:dcterms="http://purl.org/dc/terms/" \
      xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" version="2.0">
      <channel><title>NDL OpenSearch</title><openSearch:totalResults>\(total)</openSearch:totalResults>
      \(items)
      </channel></rss>
      """
    return .text(text, [("Content-Type", "application/xml")])
  }

  private static let architecture = """
    <item><title>Clean Architecture : 達人に学ぶソフトウェアの構造と設計</title>
    <link>https://ndlsearch.ndl.go.jp/books/R100000002-I029096886</link>
    <category>図書</category>
    <dc:title>Clean Architecture : 達人に学ぶソフトウェアの構造と設計</dc:title>
    <dc:creator>Martin, Robert C</dc:creator><dc:creator>角, 征典, 1978-</dc:creator>
    <dcndl:seriesTitle>角川文庫 ; 12</dcndl:seriesTitle>
    <dc:publisher>ドワンゴ</dc:publisher><dc:publisher>KADOKAWA (発売)</dc:publisher>
    <dc:date xsi:type="dcterms:W3CDTF">2018</dc:date><dcterms:issued>2018.7</dcterms:issued>
    <dc:extent>349p ; 21cm</dc:extent>
    <dc:identifier xsi:type="dcndl:NDLBibID">029096886</dc:identifier>
    <dc:identifier xsi:type="dcndl:ISBN">978-4-04-893065-9</dc:identifier>
    <dc:subject>システム設計</dc:subject><dc:subject xsi:type="dcndl:NDC10">007.63</dc:subject></item>
    """

  private static func item(_ number: Int) -> String {
    "<item><title>Book \(number)</title><dcndl:volume>3</dcndl:volume>"
      + "<link>https://ndlsearch.ndl.go.jp/books/R100000001-I\(number)</link><dc:date xsi:type=\"dcterms:W3CDTF\">2016-03</dc:date></item>"
  }

  private static func library(_ request: ScriptedServer.Request) -> ServerReply {
    guard request.path == "/ndl/opensearch", request.item("mediatype") == "books" else { return .text("", status: 404) }
    let isbn = request.item("isbn")
    if !isbn.isEmpty {
      return isbn == "9784048930659" ? answer(architecture, total: 1) : answer("", total: 0)
    }
    if request.item("any") == "broken" { return .text("<html><body>Maintenance</body></html>") }
    let (first, count) = (Int(request.item("idx")) ?? 0, Int(request.item("cnt")) ?? 0)
    let numbers = first..<max(first, min(first + count, 31))
    // One of them cannot be opened again.
    let items = numbers.map { $0 == 2 ? "<item><title>Without a link</title></item>" : item($0) }
    return answer(items.joined(), total: 30)
  }

  private func bench(isUsual: Bool = false) async throws -> BookBench {
    let server = try ScriptedServer { request in
      switch request.path {
      case let path where path.hasPrefix("/ndl"): Self.library(request)
      // The other catalogues have nothing.
      case let path where path.hasPrefix("/google") || path.hasPrefix("/ol/search"):
        CatalogueSample.json(["totalItems": 0, "numFound": 0, "num_found": 0, "start": 0, "docs": []])
      default: .text("{}", status: 404)
      }
    }
    return try await BookBench(
      server: server,
      change: { settings in
        settings.configure {
          $0.books.ndl.url = server.origin + "/ndl"
          $0.books.ndl.isUsual = isUsual
        }
      })
  }

  @Test("a Japanese book is found by its number, with its writers, pages and series, and comes to the shelf")
  func number() async throws {
    let bench = try await bench()
    let found = try await bench.search("978-4-04-893065-9", ["catalogue": "ndl"])
    #expect(found["catalogues"] == ["ndl"] && found.items.map(\.id) == ["ndl.R100000002-I029096886"], "\(found)")
    let book = try await bench.client.call("books/addToShelf", ["book": "ndl.R100000002-I029096886"])
    #expect(book["title"] == "Clean Architecture" && book["subtitle"] == "達人に学ぶソフトウェアの構造と設計")
    #expect(book["authors"] == ["Robert C Martin", "角征典"] && book["publisher"] == "ドワンゴ")
    #expect(book["published"] == "2018-07" && book["pageCount"] == 349 && book["isbn13"] == "9784048930659")
    #expect(book["series"] == [["name": "角川文庫", "number": 12]] && book["categories"] == ["システム設計"])
    #expect(book["infoLink"] == "https://ndlsearch.ndl.go.jp/books/R100000002-I029096886")
    #expect(book["display"]?["catalogue"] == "NDL Search")
    #expect(try await bench.refusal("books/addToShelf", ["book": "ndl.R100000002-I1"]) == "notFound")
    await bench.stop()
  }

  @Test("a list goes on page by page, and books of a set have their volume in the title")
  func pages() async throws {
    let bench = try await bench()
    let first = try await bench.search("book", ["catalogue": "ndl", "limit": 20])
    #expect(
      first.items.count >= 19 && first.items[0]["title"] == "Book 1 3" && first.items[0]["published"] == "2016-03")
    let next = try #require(first["next"])
    let rest = try await bench.search("book", ["catalogue": "ndl", "limit": 20, "after": next])
    let titles = (first.items + rest.items).map { $0["title"].text }
    #expect(titles == (1...30).filter { $0 != 2 }.map { "Book \($0) 3" }, "\(titles)")
    await bench.stop()
  }

  @Test("it is asked by those who name it, or by all if the configuration says so", arguments: [false, true])
  func usual(isUsual: Bool) async throws {
    let bench = try await bench(isUsual: isUsual)
    _ = try? await bench.client.call("books/get", ["id": "isbn.9784048930659"])
    #expect(bench.asked.contains { $0.hasPrefix("/ndl") } == isUsual, "\(bench.asked)")
    await bench.stop()
  }

  @Test("an answer that is no list of books is a failure that names the catalogue")
  func broken() async throws {
    let bench = try await bench()
    let failure = try await bench.client.failure("books/search", ["query": "broken", "catalogue": "ndl"])
    #expect(failure?.message.contains("NDL Search") == true, "\(String(describing: failure))")
    await bench.stop()
  }
}
