import HTTP
import Kit
import Synchronization
import Wire

/// Open Library (https://openlibrary.org/developers/api). It needs no key.
struct OpenLibrary: BookCatalogue {
  static let name = "openLibrary"
  static let title = "Open Library"

  let base: String
  private let covers: String

  init(_ configuration: BooksConfiguration) {
    base = configuration.openLibrary.url
    covers = configuration.openLibrary.covers
  }

  var obstacle: CatalogueObstacle? { nil }

  /// One request a second for anonymous clients, three for those that identify themselves; a book needs several at
  /// once.
  static let budget = RequestBudget(service: name, tokens: 8, refill: .seconds(1), atOnce: 3)

  /// The requested fields of a hit: a page with all fields is ten times as long.
  private static let fields =
    "key,title,subtitle,author_name,author_key,first_publish_year,cover_i,isbn,language,publisher,"
    + "number_of_pages_median,ratings_average,ratings_count"

  // MARK: - Search

  func search(
    _ query: BookQuery, from start: Int, limit: Int, with client: CatalogueClient
  ) async throws -> CataloguePage {
    if let isbn = query.isbn { return try await page(isbn: isbn, from: start, with: client) }
    guard Self.isTooShort(query.text) else { return try await search("q", query.text, start, limit, client) }
    // A title of two syllables is a whole title in Korean, and so is a name: 한강.
    let titles = try await search("title", query.text, start, limit, client)
    guard titles.received == 0, titles.total ?? 0 == 0 else { return titles }
    return try await search("author", query.text, start, limit, client)
  }

  /// `q` refuses fewer than three characters, and this word, with 422. The other parameters accept them.
  private static func isTooShort(_ text: String) -> Bool {
    text.unicodeScalars.count < 3 || text.lowercased() == "the"
  }

  private func search(
    _ parameter: String, _ text: String, _ start: Int, _ limit: Int, _ client: CatalogueClient
  ) async throws -> CataloguePage {
    let url = CatalogueClient.url(
      base, "/search.json",
      [(parameter, text), ("fields", Self.fields), ("limit", String(limit)), ("offset", String(start))])
    guard let answer = try await client.json(url, of: Self.self, mustExist: true)?.json,
      let docs = answer["docs"]?.arrayValue
    else { throw HTTPFailure.badResponse(reason: "answerNoBooks") }
    return CataloguePage(
      books: docs.compactMap { OpenLibraryRecord.book(ofHit: $0, in: self) }, received: docs.count,
      total: answer["numFound"]?.givenInteger ?? answer["num_found"]?.givenInteger)
  }

  // MARK: - Single books

  /// A work, `OL45883W`, or one of its editions, `OL7353617M`.
  func isID(_ id: String) -> Bool {
    id.hasPrefix("OL") && (id.hasSuffix("W") || id.hasSuffix("M")) && (4...16).contains(id.utf8.count)
      && id.utf8.dropFirst(2).dropLast().allSatisfy { (0x30...0x39).contains($0) }
  }

  func book(_ id: String, known: CatalogueBook?, with client: CatalogueClient) async throws -> CatalogueBook? {
    if id.hasSuffix("M") {
      return try await edition(CatalogueClient.url(base, "/books/\(id).json"), with: client)
    }
    guard let work = try await work(id, with: client),
      var book = OpenLibraryRecord.book(ofWork: work, id: id, in: self)
    else { return nil }
    if let known { book.facts.fill(from: known.facts) }
    if book.facts.authors.isEmpty { book.facts.authors = await authors(OpenLibraryRecord.authorKeys(work), client) }
    book.facts.bound()
    return book
  }

  func book(isbn: String, with client: CatalogueClient) async throws -> CatalogueBook? {
    // Answered with a redirect to the edition.
    try await edition(CatalogueClient.url(base, "/isbn/\(isbn).json"), with: client)
  }

  private func edition(_ url: String, with client: CatalogueClient) async throws -> CatalogueBook? {
    guard let edition = try await client.json(url, of: Self.self)?.json else { return nil }
    guard var book = OpenLibraryRecord.book(ofEdition: edition, in: self) else {
      throw HTTPFailure.badResponse(reason: "answerNoBooks")
    }
    var keys = OpenLibraryRecord.authorKeys(edition)
    // The work may supply what an edition lacks; a failed request for it is ignored.
    if keys.isEmpty || book.facts.description == nil, let id = OpenLibraryRecord.id(book.work.map { .string($0) }),
      isID(id), let work = try? await work(id, with: client)
    {
      if keys.isEmpty { keys = OpenLibraryRecord.authorKeys(work) }
      if let whole = OpenLibraryRecord.book(ofWork: work, id: id, in: self) { book.facts.fill(from: whole.facts) }
    }
    if book.facts.authors.isEmpty { book.facts.authors = await authors(keys, client) }
    book.facts.bound()
    return book
  }

  /// A work that was merged into another is a redirect in JSON, which is followed once.
  private func work(_ id: String, with client: CatalogueClient) async throws -> JSONValue? {
    guard let work = try await client.json(CatalogueClient.url(base, "/works/\(id).json"), of: Self.self)?.json
    else { return nil }
    guard work["type"]?["key"]?.givenText == "/type/redirect" else { return work }
    guard let other = OpenLibraryRecord.id(work["location"]), isID(other) else { return nil }
    return try await client.json(CatalogueClient.url(base, "/works/\(other).json"), of: Self.self)?.json
  }

  /// The names of the first three authors; each costs a request. An author whose request fails is skipped.
  private func authors(_ keys: [String], _ client: CatalogueClient) async -> [String] {
    let names = client.services.memory.object(OpenLibraryAuthors.self) { OpenLibraryAuthors() }
    return await withTaskGroup(of: (Int, String?).self) { group in
      for (place, key) in keys.prefix(3).enumerated() {
        group.addTask {
          if let known = names[key] { return (place, known) }
          let url = CatalogueClient.url(base, "/authors/\(key).json")
          let answer = try? await client.json(url, of: Self.self)?.json
          let name = answer?["name"]?.givenText ?? answer?["personal_name"]?.givenText
          if let name { names[key] = name }
          return (place, name)
        }
      }
      var found: [(Int, String?)] = []
      for await one in group { found.append(one) }
      return found.sorted { $0.0 < $1.0 }.compactMap(\.1)
    }
  }

  // MARK: - Covers

  /// Always with `default=false`, since otherwise a missing cover is a picture of one pixel. By the cover's id:
  /// requests by other numbers are rate-limited.
  func coverURL(_ id: Int, _ size: String) -> String { "\(covers)/b/id/\(id)-\(size).jpg?default=false" }

  func isPlaceholder(_ picture: CoverPicture, from url: String) -> Bool {
    picture.width <= 1 || picture.height <= 1
  }
}

/// A cache of authors' names by key; names hardly ever change.
final class OpenLibraryAuthors: Sendable {
  private static let most = 1_000
  private let names = Mutex<[String: String]>([:])

  subscript(key: String) -> String? {
    get { names.withLock { $0[key] } }
    set {
      names.withLock { names in
        if names.count >= Self.most { names.removeAll() }
        names[key] = newValue
      }
    }
  }
}
