import Client
import Foundation
import HTTP
import Kit
import Synchronization
import System
import TestSupport
import Testing
import Wire

@testable import Books

@Suite("Books: catalogues") struct BookCatalogueTests {
  private static let noKey = CatalogueSample.json(
    [
      "error": [
        "code": 429, "message": "Quota exceeded for quota metric 'Queries' and limit 'Queries per day'.",
        "errors": [["reason": "rateLimitExceeded"]],
        "details": [["reason": "RATE_LIMIT_EXCEEDED", "metadata": ["quota_limit_value": "0"]]],
      ]
    ], status: 429)

  private static func hits(_ request: ScriptedServer.Request) -> ServerReply {
    CatalogueSample.hits([CatalogueSample.hit(1), CatalogueSample.hit(2)], total: 2)
  }

  @Test("G16 without a key Google is not asked: Open Library is, at once, and a warning says how to get one")
  func withoutKey() async throws {
    let bench = try await BookBench(googleNeedsKey: true, answer: Self.hits)
    for catalogue: JSONValue in [.null, "google"] {
      var params: JSONObject = [:]
      if !catalogue.isNull { params["catalogue"] = catalogue }
      let found = try await bench.search("gatsby", params)
      #expect(found["catalogues"] == ["openLibrary"] && found.items.count == 2)
      let warning = found["warnings"]?[0]
      #expect(warning?["kind"] == "keyNeeded" && warning?["catalogue"] == "google")
      #expect(warning?["advice"].text.contains("config.toml") == true)
    }
    #expect(bench.server.requests.allSatisfy { $0.path == "/ol/search.json" })
    #expect(try await bench.refusal("books/get", ["id": "google.zyTCAlFPjgYC"]) == "unauthorized")
    await bench.stop()
  }

  @Test("G16 a service that says that it wants a key is asked once, and not again")
  func refusedWithoutKey() async throws {
    let bench = try await BookBench { $0.path.hasPrefix("/google") ? Self.noKey : Self.hits($0) }
    for query in ["gatsby", "sabriel"] {
      let found = try await bench.search(query)
      #expect(found["catalogues"] == ["openLibrary"] && found.items.count == 2)
      #expect(found["warnings"]?[0]?["kind"] == "keyNeeded")
    }
    #expect(bench.server.requests.count { $0.path.hasPrefix("/google") } == 1)
    await bench.stop()
  }

  @Test(
    "G16 a key without quota is said to be one, also to those who ask for Google by name, until the next day or anew")
  func keyWithoutQuota() async throws {
    let isUsedUp = Mutex(true)
    let server = try ScriptedServer { request in
      guard request.path.hasPrefix("/google") else { return Self.hits(request) }
      return isUsedUp.withLock(\.self) ? Self.noKey : CatalogueSample.google(3)(request)
    }
    let origin = try #require(Origin(server.origin))
    let clock = TestClock()
    let bench = try await BookBench(
      clock: clock, server: server,
      change: { settings in
        settings.credentials = Credentials(
          define: { .init(name: $0, origin: origin) }, read: { _ throws(RPCError) in Secret("abc") })
        settings.configure { $0.books.google.credential = "google" }
      })
    func asked() -> Int { bench.server.requests.count { $0.path.hasPrefix("/google") } }
    let warning = try await bench.search("gatsby")["warnings"]?[0]
    #expect(warning?["kind"] == "closed" && warning?["display"].text.contains("quota") == true)
    #expect(warning?["advice"].text.contains("midnight") == true)
    _ = try await bench.search("sabriel")
    clock.advance(milliseconds: 3_600_000)
    let named = try await bench.search("sabriel", ["catalogue": "google"])
    #expect(asked() == 1 && named["warnings"]?[0]?["display"] == warning?["display"])
    _ = try await bench.search("sabriel", ["refresh": true])
    #expect(asked() == 2)
    clock.advance(milliseconds: 86_400_000)
    _ = try await bench.search("sabriel", ["catalogue": "google"])
    #expect(asked() == 3)
    // One that got more in the middle of the day is found to have it by who asks anew, and serves the others too.
    isUsedUp.withLock { $0 = false }
    #expect(try await bench.search("sabriel", ["refresh": true])["catalogues"] == ["google"])
    #expect(try await bench.search("emma")["catalogues"] == ["google"])
    await bench.stop()
  }

  @Test("G16 a key that is not valid is named, and the service is left alone until it changes")
  func badKey() async throws {
    let bad = CatalogueSample.json(
      [
        "error": [
          "code": 400, "message": "API key not valid.", "errors": [["reason": "badRequest"]],
          "details": [["reason": "API_KEY_INVALID"]],
        ]
      ], status: 400)
    let bench = try await BookBench { $0.path.hasPrefix("/google") ? bad : Self.hits($0) }
    let found = try await bench.search("gatsby")
    #expect(found["warnings"]?[0]?["kind"] == "closed" && found["catalogues"] == ["openLibrary"])
    #expect(found["warnings"]?[0]?["display"].text.contains("key is not valid") == true)
    _ = try await bench.search("sabriel")
    #expect(bench.server.requests.count { $0.path.hasPrefix("/google") } == 1)
    await bench.stop()
  }

  @Test(
    "G16 the usual catalogue does not answer: the other one's books are shown, the answer says why, and the list goes on there"
  )
  func standIn() async throws {
    let isDown = Mutex(true)
    let bench = try await BookBench { request in
      if request.path.hasPrefix("/google") {
        return isDown.withLock(\.self) ? .text("no", status: 503) : CatalogueSample.google(50)(request)
      }
      let first = min(30, Int(request.item("offset")) ?? 0)
      return CatalogueSample.hits((first..<min(30, first + 20)).map { CatalogueSample.hit($0) }, total: 30)
    }
    let found = try await bench.search("gatsby")
    #expect(found.items.count == 20 && found["catalogues"] == ["openLibrary"] && found["state"] == "results")
    let warning = found["warnings"]?[0]
    #expect(warning?["kind"] == "unavailable" && warning?["catalogue"] == "google", "\(found["warnings"] ?? nil)")
    #expect(warning?["display"]?.text.contains("books of Open Library") == true, "\(warning ?? nil)")
    #expect(warning?["display"]?.text.contains("503") == true, "\(warning ?? nil)")
    // Google is back meanwhile; the second part of the list is not the second part of another. A connection of its own
    // has it by the cursor alone, as a command line does.
    isDown.withLock { $0 = false }
    let other = try await bench.daemon.client()
    let rest = try await other.call("books/search", ["query": "gatsby", "after": found["next"] ?? .null])
    #expect(rest["catalogues"] == ["openLibrary"] && rest["offset"] == 20, "\(rest)")
    #expect(rest.items.allSatisfy { $0.id.text.hasPrefix("openLibrary.") } && rest.items.count == 10)
    // Whoever asks anew asks the usual one, and one that was asked for by name is not replaced.
    let again = try await bench.search("gatsby")
    #expect(again["catalogues"] == ["google"] && again["warnings"] == [])
    isDown.withLock { $0 = true }
    #expect(try await bench.refusal("books/search", ["query": "sabriel", "catalogue": "google"]) == "httpStatus")
    await bench.stop()
  }

  @Test("a number that nobody knows is no book that was removed: the answer names whom it asked, and what to do")
  func unknownNumber() async throws {
    let bench = try await BookBench { request in
      request.path.hasPrefix("/google") ? CatalogueSample.page([], total: 0) : .text("{}", status: 404)
    }
    for (method, field) in [("books/get", "id"), ("books/addToShelf", "book")] {
      let refused = try await bench.client.failure(method, .object([field: "isbn.9788936434120"]))
      let message = refused?.message ?? ""
      #expect(refused?.kind == "notFound" && message.contains("9788936434120"), "\(message)")
      #expect(message.contains("Google Books, Open Library") && message.contains("byHand"), "\(message)")
      #expect(!message.contains("removed"), "\(message)")
    }
    let gone = try await bench.client.failure("books/get", ["id": "openLibrary.OL999999W"])
    #expect(gone?.kind == "notFound" && gone?.message.contains("Open Library has no book OL999999W") == true)
    await bench.stop()
  }

  @Test("who gives a title where `byHand.title` is meant is told so")
  func misplacedTitle() async throws {
    let bench = try await BookBench()
    let refused = try await bench.client.failure("books/addToShelf", ["title": "Human Acts"])
    #expect(refused?.message.contains("byHand.title") == true, "\(String(describing: refused))")
    let page = try await bench.client.failure("books/updateOnShelf", ["id": "1", "page": 3])
    #expect(page?.message.contains("progress.page") == true, "\(String(describing: page))")
    await bench.stop()
  }

  @Test("G17 one failure ends no later search, and does not take away what was good")
  func failureThenSuccess() async throws {
    let clock = TestClock()
    let bench = try await BookBench(clock: clock) { request in
      if request.item("q") == "broken" { return .text("no", status: 400) }
      return request.index > 2 ? .text("<html>login</html>") : CatalogueSample.google(3)(request)
    }
    #expect(try await bench.refusal("books/search", ["query": "broken"]) == "httpStatus")
    let good = try await bench.search("good")
    #expect(good.items.count == 3 && good["freshness"] == "live")
    clock.advance(milliseconds: 2 * 86_400_000)
    let kept = try await bench.search("good")
    #expect(kept.items == good.items && kept["freshness"] == "cached")
    #expect(kept["warnings"]?[0]?["kind"] == "unavailable")
    #expect(kept["warnings"]?[0]?["display"].text.contains("web page") == true)
    await bench.stop()
  }

  @Test(
    "G16 what is no answer is an error and not an empty list",
    arguments: [
      ("<html><body>checking your browser</body></html>", "badResponse"), ("", "badResponse"),
      ("{\"items\": [", "badResponse"), ("[1, 2]", "badResponse"), ("{}", "badResponse"), ("null", "badResponse"),
    ])
  func badAnswers(body: String, kind: String) async throws {
    let bench = try await BookBench { _ in .text(body) }
    for catalogue: JSONValue in ["google", "openLibrary", "all"] {
      let refusal = try await bench.refusal("books/search", ["query": "gatsby", "catalogue": catalogue])
      #expect(refusal == kind, "\(catalogue)")
    }
    await bench.stop()
  }

  @Test("G16 errors are told in the client's language")
  func koreanErrors() async throws {
    let bench = try await BookBench(locale: "ko-KR") { _ in .text("no", status: 400) }
    let failure = try await bench.client.failure("books/search", ["query": "gatsby"])
    #expect(failure?.message.unicodeScalars.contains { (0xAC00...0xD7A3).contains($0.value) } == true)
    await bench.stop()
  }

  @Test("G22 values of the wrong type are missing values, and what has no id is no book")
  func wrongTypes() async throws {
    let bench = try await BookBench { _ in
      CatalogueSample.page(
        [
          CatalogueSample.volume(
            1,
            [
              "title": 42, "authors": "Ann", "publisher": ["x"], "publishedDate": 1998, "pageCount": "240",
              "averageRating": 4, "ratingsCount": "12", "industryIdentifiers": "none", "imageLinks": false,
              "categories": [1, "Fiction", .null], "description": ["text": "x"], "language": .bool(true),
            ]),
          ["id": 17, "volumeInfo": ["title": "no id of Google's"]], ["volumeInfo": ["title": "none"]], "text", .null,
          ["id": "zyTCAlFPjgYC", "volumeInfo": "nothing"],
        ], total: 6)
    }
    let items = try await bench.search("odd").items
    #expect(items.map { $0.id.text } == ["google.\(CatalogueSample.id(1))", "google.zyTCAlFPjgYC"])
    let book = items[0]
    #expect(book["title"] == "42" && book["authors"] == ["Ann"] && book["publisher"] == nil)
    #expect(book["year"] == 1998 && book["pageCount"] == 240 && book["rating"]?["halves"] == 8)
    #expect(book["rating"]?["count"] == 12 && book["isbns"] == [] && book["hasCover"] == false)
    #expect(book["categories"] == ["1", "Fiction"] && book["description"] == nil && book["language"] == nil)
    await bench.stop()
  }

  @Test("books/get takes several ids, of the shelf and of catalogues; an unknown one fails alone")
  func several() async throws {
    let volume = CatalogueSample.volume(1)
    let bench = try await BookBench { request in
      guard request.path.hasPrefix("/google") else { return .text("{}", status: 404) }
      return request.path.hasSuffix("volumes") ? CatalogueSample.page([volume], total: 1) : CatalogueSample.json(volume)
    }
    let found = try await bench.search("one").items[0]
    let own = try await bench.client.call("books/addToShelf", ["id": "mine", "byHand": ["title": "Notes"]])
    let reply = try await bench.client.call(
      "books/get", ["ids": .array(["openLibrary.OL999999W", own.id, found.id, "nowhere"])])
    #expect(reply["items"].list.map { $0["title"] } == [own["title"], found["title"]], "\(reply)")
    #expect(reply["failed"].list.map { $0["id"] } == ["openLibrary.OL999999W", "nowhere"], "\(reply)")
    #expect(reply["failed"].list.allSatisfy { $0["failure"]?["kind"] == "notFound" }, "\(reply)")
    // One request has no more than a catalogue may be asked for.
    let ids = (0..<GetBook.mostAtOnce + 2).map { JSONValue.string("nowhere-\($0)") }
    let many = try await bench.client.call("books/get", ["ids": .array(ids)])
    #expect(many["failed"].list.count == GetBook.mostAtOnce && many["rest"].list == Array(ids.suffix(2)))
    await bench.stop()
  }

  @Test("G22 a title of a mebibyte is cut where a list can show it, says so, and is whole in what is kept")
  func longTitle() async throws {
    let title = String(repeating: "가", count: 350_000)
    let bench = try await BookBench { request in
      let volume = CatalogueSample.volume(1, ["title": .string(title)])
      return request.path.hasSuffix("volumes") ? CatalogueSample.page([volume], total: 1) : CatalogueSample.json(volume)
    }
    let item = try await bench.search("long").items[0]
    #expect(item["title"].text.unicodeScalars.count == 1_000 && item["title"].text.hasSuffix("…"))
    #expect(item["shortened"] == ["title"])
    let whole = try await bench.client.call("books/get", ["id": item.id])
    #expect(whole["raw"]?["volumeInfo"]?["title"] == .string(title))
    await bench.stop()
  }

  @Test("G22 everything that the service says of a book is kept; its numbers are found in both forms")
  func raw() async throws {
    let volume = CatalogueSample.volume(
      7,
      [
        "industryIdentifiers": [
          ["type": "OTHER", "identifier": "BL:A0018116962"], ["type": "ISBN_10", "identifier": "0-486-26957-4"],
          ["type": "ISBN_13", "identifier": "978-0486269573"],
        ], "saleInfo": ["retailPrice": ["amount": 9.99]], "plugin": ["new": .bool(true)],
      ])
    let bench = try await BookBench { request in
      request.path.hasSuffix("volumes") ? CatalogueSample.page([volume], total: 1) : CatalogueSample.json(volume)
    }
    let item = try await bench.search("flowers").items[0]
    #expect(item["isbns"] == ["9780486269573"] && item["isbn10"] == "0486269574" && item["raw"] == nil)
    #expect(try await bench.client.call("books/get", ["id": item.id])["raw"] == volume)
    _ = try await bench.client.call("books/addToShelf", ["book": item.id])
    #expect(try await bench.shelf(["query": "9780486269573"]).count == 1)
    await bench.stop()
  }

  @Test("G16 an id that can be none of Google's is refused here, and nobody is asked")
  func malformedID() async throws {
    let bench = try await BookBench()
    for id in [
      "google.short", "google.zyTCAlFPjgY.", "google.zyTCAlFPjgYCx", "openLibrary.OL1A", "openLibrary.W",
      "isbn.9780486269574",
    ] {
      #expect(try await bench.refusal("books/get", ["id": .string(id)]) == "id", "\(id)")
    }
    #expect(try await bench.refusal("books/get", ["id": "nowhere.x"]) == "notFound")
    #expect(bench.asked.isEmpty)
    #expect(try await bench.refusal("books/get", ["id": "google.zyTCAlFPjgYC"]) == "notFound")
    #expect(bench.asked.count == 1)
    // That there is none is known for a day.
    #expect(try await bench.refusal("books/get", ["id": "google.zyTCAlFPjgYC"]) == "notFound")
    #expect(bench.asked.count == 1)
    await bench.stop()
  }

  @Test("G25 short words, which Open Library refuses, are looked for as a title, and then as an author")
  func shortWords() async throws {
    let bench = try await BookBench { request in
      let isAuthor = !request.item("author").isEmpty
      return request.item("title") == "작별" || isAuthor || request.item("q") == "한강의"
        ? CatalogueSample.hits([CatalogueSample.hit(1)], total: 1) : CatalogueSample.hits([], total: 0)
    }
    for query in ["작별", "한강", "the", "한강의"] {
      #expect(try await bench.search(query, ["catalogue": "openLibrary"]).items.count == 1, "\(query)")
    }
    let parameters = bench.server.requests.map { request in
      ["q", "title", "author"].filter { !request.item($0).isEmpty }.map { "\($0)=\(request.item($0))" }.joined()
    }
    #expect(parameters == ["title=작별", "title=한강", "author=한강", "title=the", "author=the", "q=한강의"])
    #expect(
      bench.server.requests.allSatisfy {
        $0.item("offset") == "0" && $0.item("page").isEmpty && !$0.item("fields").isEmpty
      })
    await bench.stop()
  }

  @Test("G25 a number goes to the end point of numbers, whose redirect leads to the edition; authors are asked by name")
  func isbn() async throws {
    let bench = try await BookBench { request in
      switch request.path {
      case "/ol/isbn/9780060273224.json": .redirect(to: "/ol/books/OL22951843M.json")
      case "/ol/books/OL22951843M.json":
        CatalogueSample.json([
          "key": "/books/OL22951843M", "title": "Sabriel", "authors": [["key": "/authors/OL382982A"]],
          "works": [["key": "/works/OL15832982W"]], "publish_date": "March 1996", "number_of_pages": 491,
          "isbn_10": ["0060273224"], "languages": [["key": "/languages/eng"]], "covers": [-1, 12],
        ])
      case "/ol/works/OL15832982W.json":
        CatalogueSample.json([
          "key": "/works/OL15832982W", "description": ["type": "/type/text", "value": "First\r\nof three."],
        ])
      case "/ol/authors/OL382982A.json": CatalogueSample.json(["name": "Garth Nix"])
      default: .text("{}", status: 404)
      }
    }
    let found = try await bench.search("ISBN 0-06-027322-4", ["catalogue": "openLibrary"])
    let book = found.items[0]
    #expect(found["total"] == 1 && found["hasMore"] == false && book.id == "openLibrary.OL22951843M")
    #expect(book["title"] == "Sabriel" && book["authors"] == ["Garth Nix"] && book["year"] == 1996)
    #expect(book["description"] == "First\nof three." && book["language"] == "eng" && book["isbn10"] == "0060273224")
    #expect(found["warnings"] == [])
    let count = bench.asked.count
    let added = try await bench.client.call("books/addToShelf", ["book": "isbn.0060273224", "status": "read"])
    #expect(added["shelf"]?["citationKey"] == "nix1996" && added["title"] == "Sabriel")
    #expect(bench.asked.count > count)
    // The other form of the number is the same question.
    let asked = bench.asked.count
    _ = try await bench.search("978-0-06-027322-4", ["catalogue": "openLibrary"])
    #expect(bench.asked.count == asked)
    let wrong = try await bench.search("9780060273225", ["catalogue": "openLibrary"])
    #expect(wrong["state"] == "noResults" && wrong["warnings"]?[0]?["kind"] == "misprint")
    await bench.stop()
  }

  @Test("G25 with Google a number is asked for by its operator")
  func googleISBN() async throws {
    let bench = try await BookBench(answer: CatalogueSample.google(1))
    _ = try await bench.search("978-0486269573")
    #expect(bench.server.requests.map { $0.item("q") } == ["isbn:9780486269573"])
    await bench.stop()
  }

  @Test("a book that its catalogue has corrected is shown as it is there now, in a search that asks anew")
  func corrected() async throws {
    let title = Mutex("The Great Gatsbi")
    let bench = try await BookBench { _ in
      CatalogueSample.page([CatalogueSample.volume(1, ["title": .string(title.withLock(\.self))])], total: 1)
    }
    #expect(try await bench.search("gatsby").items.map { $0["title"] } == ["The Great Gatsbi"])
    title.withLock { $0 = "The Great Gatsby" }
    let anew = try await bench.search("gatsby", ["refresh": true])
    #expect(anew.items.map { $0["title"] } == ["The Great Gatsby"])
    await bench.stop()
  }

  @Test("G25 by its number comes the book that has it, and never one that Google finds beside it")
  func onlyTheNumber() async throws {
    @Sendable func volume(_ number: Int, _ isbn: String) -> JSONValue {
      CatalogueSample.volume(number, ["industryIdentifiers": [["type": "ISBN_13", "identifier": .string(isbn)]]])
    }
    let bench = try await BookBench { request in
      guard request.path.hasPrefix("/google") else { return .text("{}", status: 404) }
      return CatalogueSample.page([volume(1, "9781101906729"), volume(2, "9780486269573")], total: 2)
    }
    let found = try await bench.client.call("books/addToShelf", ["book": "isbn.9780486269573"])
    #expect(found["title"] == "Book 2" && found["isbn13"] == "9780486269573")
    #expect(try await bench.refusal("books/addToShelf", ["book": "isbn.9788936434120"]) == "notFound")
    #expect(try await bench.shelf().count == 1)
    await bench.stop()
  }

  @Test("G25 a work's description is a text or an object, a merged work leads to the other, −1 is no cover")
  func works() async throws {
    let bench = try await BookBench { request in
      switch request.path {
      case "/ol/works/OL1W.json":
        CatalogueSample.json(["type": ["key": "/type/redirect"], "location": "/works/OL2W"])
      case "/ol/works/OL2W.json":
        CatalogueSample.json([
          "title": "The other", "description": "plain", "covers": [-1],
          "authors": [["author": ["key": "/authors/OL3A"]]],
        ])
      default: .text("{}", status: 404)
      }
    }
    let book = try await bench.client.call("books/get", ["id": "openLibrary.OL1W"])
    #expect(book["title"] == "The other" && book["description"] == "plain" && book["hasCover"] == false)
    // The author could not be had, and the book is a book all the same.
    #expect(book["authors"] == [] && book["display"]?["authors"] == "Author unknown")
    await bench.stop()
  }

  @Test("G25 the year that only the search knew stays with the work that is then asked, after a restart too")
  func yearOfWork() async throws {
    let folder = TemporaryFolder()
    let bench = try await BookBench(in: folder) { request in
      request.path == "/ol/works/OL1W.json"
        ? CatalogueSample.json(["title": "Work 1", "description": "told"])
        : CatalogueSample.hits([CatalogueSample.hit(1, ["first_publish_year": 1954])], total: 1)
    }
    let found = try await bench.search("works", ["catalogue": "openLibrary"]).items[0]
    #expect(found["year"] == 1954)
    await bench.daemon.stop()
    let next = try await BookBench(in: folder, server: bench.server)
    let book = try await next.client.call("books/get", ["id": found.id])
    #expect(book["year"] == 1954 && book["description"] == "told")
    let shelved = try await next.client.call("books/addToShelf", ["book": found.id])
    #expect(shelved["year"] == 1954 && shelved["description"] == "told")
    await next.stop()
  }

  @Test("G25 of all catalogues together a book is one, by its number and by its work; one that fails leaves the others")
  func all() async throws {
    let bench = try await BookBench { request in
      if request.path.hasPrefix("/google") {
        if request.item("q") == "half" { return .text("no", status: 400) }
        return CatalogueSample.page(
          [
            CatalogueSample.volume(1, ["industryIdentifiers": [["type": "ISBN_13", "identifier": "9780486269573"]]]),
            CatalogueSample.volume(2, ["title": "Sabriel", "authors": ["Garth Nix"]]),
            CatalogueSample.volume(3, ["title": "Only here"]),
          ], total: 3)
      }
      return CatalogueSample.hits(
        [
          CatalogueSample.hit(1, ["isbn": ["0486269574"], "first_publish_year": 1992]),
          CatalogueSample.hit(2, ["title": "Sabriel", "author_name": ["Nix, Garth"]]),
          CatalogueSample.hit(3, ["title": "Sabriel", "author_name": ["Garth Nix"]]),
          CatalogueSample.hit(4, ["title": "Only there"]),
        ], total: 4)
    }
    let found = try await bench.search("books", ["catalogue": "all"])
    let titles = found.items.map { $0["title"].text }
    #expect(found["catalogues"] == ["google", "openLibrary"])
    #expect(found.items[0]["sameAs"].list.map(\.text) == ["google.\(CatalogueSample.id(1))", "openLibrary.OL1W"])
    #expect(found.items[0]["year"] == 1992, "what one does not say the other does")
    #expect(titles.filter { $0 == "Sabriel" }.count == 2, "\(titles): Google's and one of two works are one")
    #expect(titles.contains("Only here") && titles.contains("Only there"))
    let half = try await bench.search("half", ["catalogue": "all"])
    #expect(half.items.count == 4 && half["warnings"]?[0]?["catalogue"] == "google")
    await bench.stop()
  }

  @Test("G25 a catalogue names no other: adding one touches only the list of them")
  func apart() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/Books/Catalogues")
    let files =
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
    var users: [String: [String]] = [:]
    for file in files where file.pathExtension == "swift" {
      let code = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.contains("//") }
      for name in ["GoogleBooks", "OpenLibrary"] {
        let word = try Regex("\\b\(name)\\b").wordBoundaryKind(.simple)
        guard code.contains(where: { $0.firstMatch(of: word) != nil }) else { continue }
        let inside = file.path().contains("/\(name)/")
        if !inside { users[name, default: []].append(file.lastPathComponent) }
      }
    }
    #expect(users == ["GoogleBooks": ["BookCatalogues.swift"], "OpenLibrary": ["BookCatalogues.swift"]])
  }
}
