import Contract
import Foundation
import Testing
import Wire

@testable import Books
@testable import HTTP
@testable import Kit

@Suite("Books: records and errors of catalogues") struct CatalogueRecordTests {
  private static let google = GoogleBooks(BooksConfiguration())
  private static let openLibrary = OpenLibrary(BooksConfiguration())

  @Test("each field of a volume of Google Books is that of a book")
  func volume() throws {
    let volume: JSONValue = [
      "id": "zyTCAlFPjgYC", "searchInfo": ["textSnippet": "an <b>excerpt</b>"],
      "volumeInfo": [
        "title": "T", "subtitle": "S", "authors": ["A", "B"], "publisher": "P", "publishedDate": "2009-03",
        "description": "<p>D</p>",
        "industryIdentifiers": [
          ["type": "ISBN_10", "identifier": "0486269574"], ["type": "OTHER", "identifier": "9791162540640"],
          ["type": "ISBN_13", "identifier": "9780975229804"],
        ],
        "pageCount": 240, "categories": ["C"], "language": "en", "averageRating": 4.5, "ratingsCount": "12",
        "previewLink": "https://a.example/p", "canonicalVolumeLink": "https://a.example/c",
        "infoLink": "https://a.example/i",
        "imageLinks": [
          "smallThumbnail": "1", "thumbnail": "2", "small": "3", "medium": "4", "large": "5", "extraLarge": "6",
        ],
      ],
    ]
    let book = try #require(GoogleVolume.book(volume, in: Self.google))
    #expect(book.id == "google.zyTCAlFPjgYC" && book.raw == volume && book.work == nil && book.sameAs == [])
    var facts = BookFacts(
      title: "T", subtitle: "S", authors: ["A", "B"], publisher: "P", published: "2009-03", description: "D",
      snippet: "an excerpt", isbns: ["9780975229804", "9780486269573"], pageCount: 240, categories: ["C"],
      language: "en", averageRating: 4.5, ratingCount: 12, previewLink: "https://a.example/p",
      infoLink: "https://a.example/c", covers: BookCovers(small: "1", thumbnail: "2", medium: "4", large: "6"))
    #expect(book.facts == facts)
    let bare: JSONValue = [
      "id": "zyTCAlFPjgYC",
      "volumeInfo": ["infoLink": "https://a.example/i", "imageLinks": ["small": "3", "large": "5"]],
    ]
    facts = BookFacts(infoLink: "https://a.example/i", covers: BookCovers(medium: "3", large: "5"))
    #expect(GoogleVolume.book(bare, in: Self.google)?.facts == facts)
    #expect(GoogleVolume.book(["volumeInfo": ["title": "T"]], in: Self.google) == nil)
    #expect(GoogleVolume.book(["id": "short"], in: Self.google) == nil)
  }

  @Test("each field of a hit, an edition and a work of Open Library is that of a book")
  func openLibraryRecords() throws {
    let hit: JSONValue = [
      "key": "/works/OL45883W", "title": "T", "subtitle": "S", "author_name": ["A"], "first_publish_year": 1925,
      "isbn": ["0486269574", "9780486269573", "097522980X"], "language": ["eng"], "publisher": ["P", "Q"],
      "number_of_pages_median": 240, "ratings_average": 4.5, "ratings_count": 12, "cover_i": 7,
    ]
    let covers = BookCovers(
      small: "https://covers.openlibrary.org/b/id/7-S.jpg?default=false",
      thumbnail: "https://covers.openlibrary.org/b/id/7-M.jpg?default=false",
      medium: "https://covers.openlibrary.org/b/id/7-M.jpg?default=false",
      large: "https://covers.openlibrary.org/b/id/7-L.jpg?default=false")
    let found = try #require(OpenLibraryRecord.book(ofHit: hit, in: Self.openLibrary))
    #expect(found.id == "openLibrary.OL45883W" && found.work == "/works/OL45883W" && found.raw == hit)
    #expect(
      found.facts
        == BookFacts(
          title: "T", subtitle: "S", authors: ["A"], published: "1925", isbns: ["9780486269573", "9780975229804"],
          pageCount: 240, language: "eng", averageRating: 4.5, ratingCount: 12,
          infoLink: "https://openlibrary.org/works/OL45883W", covers: covers))
    #expect(OpenLibraryRecord.book(ofHit: ["title": "T"], in: Self.openLibrary) == nil)

    let edition: JSONValue = [
      "key": "/books/OL7353617M", "title": "T", "subtitle": "S", "description": ["type": "/type/text", "value": "D"],
      "subjects": ["C"], "covers": [-1, 7], "publish_date": "March 2009", "publishers": ["P", "Q"],
      "isbn_10": ["0486269574"], "isbn_13": ["9780975229804"], "number_of_pages": 240,
      "languages": [["key": "/languages/eng"], ["key": "/languages/kor"]], "works": [["key": "/works/OL45883W"]],
      "series": ["Discworld ; 4", "Penguin classics", 7],
    ]
    let printed = try #require(OpenLibraryRecord.book(ofEdition: edition, in: Self.openLibrary))
    #expect(printed.id == "openLibrary.OL7353617M" && printed.work == "/works/OL45883W")
    #expect(
      printed.facts
        == BookFacts(
          title: "T", subtitle: "S", publisher: "P", published: "March 2009", description: "D",
          isbns: ["9780975229804", "9780486269573"], pageCount: 240,
          series: [
            BookSeries(name: "Discworld", number: 4), BookSeries(name: "Penguin classics"), BookSeries(name: "7"),
          ], categories: ["C"], language: "eng",
          infoLink: "https://openlibrary.org/books/OL7353617M", covers: covers))

    let work: JSONValue = ["title": "T", "first_publish_date": "1925", "description": "D", "covers": [-1]]
    let whole = try #require(OpenLibraryRecord.book(ofWork: work, id: "OL45883W", in: Self.openLibrary))
    #expect(whole.id == "openLibrary.OL45883W" && whole.work == "/works/OL45883W")
    #expect(
      whole.facts
        == BookFacts(
          title: "T", published: "1925", description: "D", infoLink: "https://openlibrary.org/works/OL45883W"))
    #expect(OpenLibraryRecord.book(ofWork: "none", id: "OL45883W", in: Self.openLibrary) == nil)
    let authors: JSONValue = [
      "authors": [
        ["key": "/authors/OL1A"], ["author": ["key": "/authors/OL2A"]], ["author": "/authors/OL3A"],
        ["key": "/authors/x"], ["key": "/works/OL4W"],
      ]
    ]
    #expect(OpenLibraryRecord.authorKeys(authors) == ["OL1A", "OL2A", "OL3A"])
  }

  @Test("only what can be an id of a catalogue is sent to it")
  func ids() {
    for id in ["zyTCAlFPjgYC", "-_0000000000"] { #expect(Self.google.isID(id), "\(id)") }
    for id in ["", "zyTCAlFPjgY", "zyTCAlFPjgYCx", "zyTCAlFPjg/C", "zyTCAlFPjgé"] {
      #expect(!Self.google.isID(id), "\(id)")
    }
    for id in ["OL1M", "OL45883W", "OL1234567890123W"] { #expect(Self.openLibrary.isID(id), "\(id)") }
    for id in ["", "OLW", "OL1A", "XL1W", "OL1xW", "OL12345678901234W", "OL45883"] {
      #expect(!Self.openLibrary.isID(id), "\(id)")
    }
  }

  @Test("a cover of each size is the nearest that a catalogue has, and Google's own service needs a key")
  func coversAndKeys() {
    let covers = BookCovers(small: "s", thumbnail: "t", medium: "m", large: "l")
    #expect(Self.google.covers(covers, .small) == ["s", "t"])
    #expect(Self.google.covers(covers, .medium) == ["m", "t", "s"])
    #expect(Self.google.covers(covers, .large) == ["l", "m", "t", "s"])
    #expect(Self.google.covers(BookCovers(small: "s"), .large) == ["s"])
    #expect(Self.google.obstacle?.kind == .keyNeeded && Self.openLibrary.obstacle == nil)
    var configuration = BooksConfiguration()
    configuration.google.credential = "books"
    #expect(GoogleBooks(configuration).obstacle == nil)
    configuration.google = BooksConfiguration.Google(url: "https://books.example/v1")
    #expect(GoogleBooks(configuration).obstacle == nil)
  }

  @Test("values that no field of a book holds are left out, and what is shortened is named")
  func bounds() {
    var facts = BookFacts(
      title: String(repeating: "t", count: 1_001), authors: (0..<101).map { "A  \($0)" }, pageCount: 1_000_001,
      language: String(repeating: "l", count: 36), averageRating: 5.1, ratingCount: -1)
    facts.bound()
    #expect(facts.title?.count ?? 0 <= 1_001 && facts.title?.hasSuffix("…") == true)
    #expect(facts.authors.count == 100 && facts.authors[99] == "A 99")
    #expect(facts.pageCount == nil && facts.averageRating == nil && facts.ratingCount == nil)
    #expect(facts.shortened == ["title", "language", "authors"])
    var fitting = BookFacts(
      title: String(repeating: "t", count: 1_000), authors: (0..<100).map { "A \($0)" }, pageCount: 1_000_000,
      averageRating: 5, ratingCount: 0)
    let before = fitting
    fitting.bound()
    #expect(fitting == before)
    var none = BookFacts(pageCount: 0, averageRating: -0.1)
    none.bound()
    #expect(none == BookFacts())
  }

  @Test("a value of another type than usual is read where it means the same")
  func lenient() {
    #expect(JSONValue.string("12").givenInteger == 12 && JSONValue.string("x").givenInteger == nil)
    #expect(JSONValue.integer(12).givenInteger == 12 && JSONValue.bool(true).givenInteger == nil)
    #expect(JSONValue.string("4.5").givenNumber == 4.5 && JSONValue.integer(4).givenNumber == 4)
    #expect(JSONValue.string("nan").givenNumber == nil && JSONValue.string("inf").givenNumber == nil)
    #expect(JSONValue.integer(7).givenText == "7" && JSONValue.string(" ").givenText == nil)
    #expect(JSONValue.bool(true).givenText == nil && JSONValue.string("a").givenTexts == ["a"])
    #expect(JSONValue.array([.string("a"), .null, .integer(1)]).givenTexts == ["a", "1"])
    #expect((["value": "v"] as JSONValue).valueText == "v" && JSONValue.string("v").valueText == "v")
  }

  private static func error(_ members: JSONObject) -> JSONValue { ["error": .object(members)] }
  private static func named(_ reason: String) -> JSONValue {
    error(["errors": [["reason": .string(reason)]]])
  }
  private static func detailed(_ detail: JSONValue) -> JSONValue { error(["details": [detail]]) }
  private static let quota = ServiceDecision.closed(for: .seconds(12 * 3_600), reason: "googleQuota")

  private static let errors: [(status: Int, body: JSONValue, withKey: ServiceDecision, without: ServiceDecision)] = [
    (200, named("keyInvalid"), .answer, .answer), (404, [:], .answer, .answer), (403, [:], .answer, .answer),
    (503, [:], .retryLater(after: nil), .retryLater(after: nil)),
    (
      400, named("keyInvalid"), .refused(reason: "googleKeyInvalid"), .refused(reason: "googleKeyInvalid")
    ),
    (
      400, named("keyExpired"), .refused(reason: "googleKeyInvalid"), .refused(reason: "googleKeyInvalid")
    ),
    (
      400, detailed(["reason": "API_KEY_INVALID"]), .refused(reason: "googleKeyInvalid"),
      .refused(reason: "googleKeyInvalid")
    ),
    (
      403, named("accessNotConfigured"), .refused(reason: "googleServiceDisabled"),
      .refused(reason: "googleServiceDisabled")
    ),
    (
      403, detailed(["reason": "SERVICE_DISABLED"]), .refused(reason: "googleServiceDisabled"),
      .refused(reason: "googleServiceDisabled")
    ),
    (
      403, named("dailyLimitExceededUnreg"), .refused(reason: "googleKeyQuota"), .refused(reason: "googleKeyNeeded")
    ),
    (
      429, detailed(["metadata": ["quota_limit_value": "0"]]), .refused(reason: "googleKeyQuota"),
      .refused(reason: "googleKeyNeeded")
    ),
    (403, named("rateLimitExceeded"), .retryLater(after: nil), .retryLater(after: nil)),
    (403, named("userRateLimitExceeded"), .retryLater(after: nil), .retryLater(after: nil)),
    (429, [:], .retryLater(after: nil), .retryLater(after: nil)),
    (
      429, detailed(["metadata": ["quota_unit": "1/min/{project}"]]), .retryLater(after: nil), .retryLater(after: nil)
    ),
    (403, named("dailyLimitExceeded"), quota, quota), (403, named("quotaExceeded"), quota, quota),
    (429, error(["message": "Quota of queries per day is used up"]), quota, quota),
    (429, detailed(["metadata": ["quota_unit": "1/d/{project}"]]), quota, quota),
  ]

  @Test(
    "G16 an error of Google Books is a wrong key, a used-up quota or a burst, whatever its status", arguments: errors)
  func judgement(
    _ row: (status: Int, body: JSONValue, withKey: ServiceDecision, without: ServiceDecision)
  ) throws {
    let response = HTTPResponse(
      status: row.status, headers: [:], body: Data(row.body.description.utf8),
      finalURL: try WebURL("https://www.googleapis.com/"))
    let now = Instant("2026-11-21T20:00:00.000Z")!
    #expect(GoogleErrorResponse.judgement(of: response, hasKey: true, now: now) == row.withKey)
    #expect(GoogleErrorResponse.judgement(of: response, hasKey: false, now: now) == row.without)
  }

  @Test("a failure of a catalogue is what a person can do about it, with the time of the next request if it is known")
  func obstacles() {
    let now = Instant("2026-11-21T20:00:00.000Z")!
    let (origin, later) = (
      "https://a.example", { (seconds: Int64) in Instant(milliseconds: now.milliseconds + seconds * 1_000) }
    )
    let known: [(any Error, CatalogueObstacle.Kind, String, Instant?)] = [
      (HTTPFailure.refused(origin: origin, reason: "googleKeyNeeded"), .keyNeeded, "books.keyNeeded", nil),
      (HTTPFailure.refused(origin: origin, reason: "googleKeyQuota"), .closed, "books.keyQuota", later(12 * 3_600)),
      (HTTPFailure.refused(origin: origin, reason: "googleKeyInvalid"), .closed, "books.refused", nil),
      (
        HTTPFailure.closed(origin: origin, reason: "googleQuota", retryAfter: .seconds(60)), .closed, "books.closed",
        nil
      ),
    ]
    for (failure, kind, key, endsAt) in known {
      let obstacle = CatalogueObstacle(failure: failure, catalogue: "Google Books", at: now)
      #expect(obstacle.kind == kind && obstacle.text.key == key && obstacle.endsAt == endsAt, "\(failure)")
      #expect(obstacle.isRefusal && CatalogueObstacle(failure: obstacle, catalogue: "", at: now) == obstacle)
    }
    let passing: [(HTTPFailure, Instant?)] = [
      (.timedOut(origin: origin), nil), (.rateLimited(origin: origin, retryAfter: .seconds(30)), later(30)),
      (.resting(origin: origin, retryAfter: .seconds(60)), later(60)),
    ]
    for (failure, endsAt) in passing {
      let obstacle = CatalogueObstacle(failure: failure, catalogue: "Google Books", at: now)
      #expect(obstacle.kind == .unavailable && obstacle.endsAt == endsAt && !obstacle.isRefusal, "\(failure)")
    }
  }
}
