import HTTP
import Kit
import Markup
import Wire

/// The search of Japan's National Diet Library, which also has the books of other Japanese libraries, by OpenSearch
/// (https://ndlsearch.ndl.go.jp/help/api/specifications). It needs no key, and is requested by those who name it, or by all
/// if the configuration says so.
struct NDLSearch: BookCatalogue {
  static let name = "ndl"
  static let title = "NDL Search"

  let base: String
  let isUsual: Bool

  init(_ configuration: BooksConfiguration) {
    (base, isUsual) = (configuration.ndl.url, configuration.ndl.isUsual)
  }

  var obstacle: CatalogueObstacle? { nil }

  /// The library asks not to be burdened, and states no numbers.
  static let budget = RequestBudget(service: name, tokens: 10, refill: .seconds(1), atOnce: 1)
  /// It answers no more results of a search, whatever total it states.
  private static let mostResults = 500

  func search(
    _ query: BookQuery, from start: Int, limit: Int, with client: CatalogueClient
  ) async throws -> CataloguePage {
    guard start < Self.mostResults else { return CataloguePage(books: [], received: 0, isLast: true) }
    let words = query.isbn.map { ("isbn", $0) } ?? ("any", query.text)
    let count = min(limit, Self.mostResults - start)
    // Records are counted from 1. Without a media type there are articles, records and maps too.
    let answer = try await client.xml(
      CatalogueClient.url(
        base, "/opensearch",
        [words, ("mediatype", "books"), ("cnt", String(count)), ("idx", String(start + 1))]), of: Self.self)
    guard let channel = answer.root?.children.first(where: { $0.name == "channel" }) else {
      throw HTTPFailure.badResponse(reason: "answerNoBooks")
    }
    let items = channel.children.filter { $0.name == "item" }
    let total = channel.children.first { $0.name == "totalResults" }.flatMap { Int($0.content) }
    return CataloguePage(
      books: items.compactMap { NDLItem.book($0, in: self) }, received: items.count,
      total: total.map { min($0, Self.mostResults) }, isLast: items.count < count)
  }

  /// A search returns all that the library has of a book, which no request has by its id.
  func book(_ id: String, known: CatalogueBook?, with client: CatalogueClient) async throws -> CatalogueBook? { known }

  func book(isbn: String, with client: CatalogueClient) async throws -> CatalogueBook? {
    guard let query = BookQuery(isbn) else { return nil }
    let found = try await search(query, from: 0, limit: 5, with: client).books
    return found.first { $0.facts.isbns.contains(isbn) }
  }

  /// `R100000002-I029096886`: the database and the number in it.
  func isID(_ id: String) -> Bool {
    id.utf8.count <= 64 && id.wholeMatch(of: /R[0-9]+-I[0-9A-Za-z]+(?:-[0-9]+)?/) != nil
  }
}
