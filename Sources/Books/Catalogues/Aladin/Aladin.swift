import HTTP
import Kit
import Wire

/// Aladin, a bookshop whose catalogue has nearly all Korean books (https://blog.aladin.co.kr/openapi). It answers only
/// with a key, and is requested only if the configuration names one.
struct Aladin: BookCatalogue {
  static let name = "aladin"
  static let title = "Aladin"

  let base: String
  private let credential: String?

  init(_ configuration: BooksConfiguration) {
    base = configuration.aladin.url
    credential = configuration.aladin.credential
  }

  var obstacle: CatalogueObstacle? {
    guard credential == nil, let origin = Origin(base) else { return nil }
    return CatalogueObstacle(kind: .keyNeeded, text: Text("books.aladinKeyNeeded", ["origin": origin.description]))
  }

  var isUsual: Bool { credential != nil }

  /// A key has five thousand requests a day.
  static let budget = RequestBudget(service: name, tokens: 20, refill: .milliseconds(600), atOnce: 2)
  /// A search has no more results than this, whatever total it states.
  private static let mostResults = 200
  private static let longestPage = 50

  func search(
    _ query: BookQuery, from start: Int, limit: Int, with client: CatalogueClient
  ) async throws -> CataloguePage {
    if let isbn = query.isbn { return try await page(isbn: isbn, from: start, with: client) }
    let size = min(max(limit, 1), Self.longestPage)
    guard start < Self.mostResults else { return CataloguePage(books: [], received: 0, isLast: true) }
    // Pages are counted from 1.
    let answer = try await ask(
      "/ItemSearch.aspx",
      [
        ("Query", query.text), ("QueryType", "Keyword"), ("SearchTarget", "Book"), ("start", String(start / size + 1)),
        ("MaxResults", String(size)), ("Cover", "Big"),
      ], with: client)
    guard let items = answer["item"]?.arrayValue else {
      throw HTTPFailure.badResponse(reason: "answerNoBooks")
    }
    let wanted = items.dropFirst(start % size)
    return CataloguePage(
      books: wanted.compactMap { AladinItem.book($0, in: self) }, received: wanted.count,
      total: answer["totalResults"]?.givenInteger.map { min($0, Self.mostResults) })
  }

  func book(_ id: String, known: CatalogueBook?, with client: CatalogueClient) async throws -> CatalogueBook? {
    try await lookUp(id, by: "ItemId", with: client)
  }

  func book(isbn: String, with client: CatalogueClient) async throws -> CatalogueBook? {
    try await lookUp(isbn, by: "ISBN13", with: client)
  }

  /// The number of an item: digits.
  func isID(_ id: String) -> Bool {
    (1...12).contains(id.utf8.count) && id.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  private func lookUp(_ id: String, by kind: String, with client: CatalogueClient) async throws -> CatalogueBook? {
    let answer = try await ask(
      "/ItemLookUp.aspx", [("ItemIdType", kind), ("ItemId", id), ("Cover", "Big")], with: client)
    if answer["errorCode"]?.givenInteger == Self.unknownItem { return nil }
    guard let items = answer["item"]?.arrayValue else { throw HTTPFailure.badResponse(reason: "answerNoBooks") }
    return items.lazy.compactMap { AladinItem.book($0, in: self) }.first
  }

  private func ask(
    _ path: String, _ query: [(String, String)], with client: CatalogueClient
  ) async throws -> JSONValue {
    let answer = try await client.json(
      CatalogueClient.url(base, path, query + [("output", "js"), ("Version", "20131101")]), of: Self.self,
      credential: credential, parameter: "ttbkey", mustExist: true, judge: Self.judgement)
    guard let json = answer?.json else { throw HTTPFailure.badResponse(reason: "answerNoBooks") }
    return json
  }

  private static let wrongKey = 100
  private static let unknownItem = 8

  /// Errors come with the status 200.
  private static func judgement(of response: HTTPResponse) -> ServiceDecision {
    // An answer with books is longer.
    guard response.status == 200, response.body.count < 1_000,
      let error = try? JSONParser.parse([UInt8](response.body))["errorCode"]?.givenInteger
    else { return .usual(response) }
    return error == wrongKey ? .refused(reason: "aladinKeyInvalid") : .answer
  }
}
