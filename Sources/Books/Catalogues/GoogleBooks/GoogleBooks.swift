import HTTP
import Kit
import Wire

/// Google Books, API v1 (https://developers.google.com/books/docs/v1/reference).
struct GoogleBooks: BookCatalogue {
  static let name = "google"
  static let title = "Google Books"

  let base: String
  private let credential: String?

  init(_ configuration: BooksConfiguration) {
    base = configuration.google.url
    credential = configuration.google.credential
  }

  /// Google itself answers only with a key: its quota without one is zero. Another base URL has rules of its own.
  var obstacle: CatalogueObstacle? {
    guard credential == nil, let origin = Origin(base), origin.host == "www.googleapis.com" else { return nil }
    return CatalogueObstacle(kind: .keyNeeded, text: Text("books.keyNeeded", ["origin": origin.description]))
  }

  /// Bursts are limited by the minute (429); a hundred requests per minute are far below the limit of a key.
  static let budget = RequestBudget(service: name, tokens: 20, refill: .milliseconds(600), atOnce: 2)

  func search(
    _ query: BookQuery, from start: Int, limit: Int, with client: CatalogueClient
  ) async throws -> CataloguePage {
    // A plus sign and quotation marks are sent unchanged, so that operators such as `inauthor:` work.
    let words = query.isbn.map { "isbn:\($0)" } ?? query.text
    let answer = try await ask(
      "/volumes", [("q", words), ("startIndex", String(start)), ("maxResults", String(limit))], mustExist: true,
      with: client)
    guard let answer, answer["kind"] != nil || answer["items"] != nil || answer["totalItems"] != nil else {
      throw HTTPFailure.badResponse(reason: "answerNoBooks")
    }
    // The list is missing, not empty, if there are no results.
    guard let items = answer["items"]?.arrayValue else {
      return CataloguePage(books: [], received: 0, total: answer["totalItems"]?.givenInteger, isLast: true)
    }
    return CataloguePage(
      books: items.compactMap { GoogleVolume.book($0, in: self) }, received: items.count,
      total: answer["totalItems"]?.givenInteger)
  }

  func book(_ id: String, known: CatalogueBook?, with client: CatalogueClient) async throws -> CatalogueBook? {
    guard let answer = try await ask("/volumes/\(id)", [], with: client) else { return nil }
    guard var book = GoogleVolume.book(answer, in: self) else {
      throw HTTPFailure.badResponse(reason: "answerNoBooks")
    }
    if let known { book.facts.snippet = book.facts.snippet ?? known.facts.snippet }
    return book
  }

  func book(isbn: String, with client: CatalogueClient) async throws -> CatalogueBook? {
    guard let query = BookQuery(isbn) else { return nil }
    // The operator finds other books too. A book with other ISBNs is not a match; some old books have none at all.
    let found = try await search(query, from: 0, limit: 5, with: client).books
    return found.first { $0.facts.isbns.contains(isbn) } ?? found.first { $0.facts.isbns.isEmpty }
  }

  /// Twelve characters. Other ids are answered with 503, as if the service were down.
  func isID(_ id: String) -> Bool {
    id.utf8.count == 12 && id.utf8.allSatisfy { Character(Unicode.Scalar($0)).isIDCharacter }
  }

  private func ask(
    _ path: String, _ query: [(String, String)], mustExist: Bool = false, with client: CatalogueClient
  ) async throws -> JSONValue? {
    let hasKey = credential != nil
    return try await client.json(
      CatalogueClient.url(base, path, query), of: Self.self, credential: credential, mustExist: mustExist,
      judge: { GoogleErrorResponse.judgement(of: $0, hasKey: hasKey, now: client.services.now()) })?.json
  }

  // MARK: - Covers

  /// "Image not available", in its two known forms (calibre has the same list of MD5 sums). It has the size 575 × 750
  /// and replaces any picture that is neither the thumbnail (`zoom=1`) nor the small one (5).
  func isPlaceholder(_ picture: CoverPicture, from url: String) -> Bool {
    if ["0de4383ebad0adad5eeb8975cd796657", "a64fa89d7ebc97075c1d363fc5fea71f"].contains(picture.md5) { return true }
    let isRealSize =
      url.contains("zoom=1&") || url.contains("zoom=5&") || url.hasSuffix("zoom=1") || url.hasSuffix("zoom=5")
    return !isRealSize && picture.width == 575 && picture.height == 750
  }
}

extension Character {
  fileprivate var isIDCharacter: Bool { isASCII && (isLetter || isNumber) || self == "-" || self == "_" }
}
