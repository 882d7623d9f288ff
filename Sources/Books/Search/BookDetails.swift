import Contract
import Exchange
import HTTP
import Kit
import Store
import Wire

/// Single books of catalogues: fetched at most once a day, once for all concurrent requests, and cached.
final class BookDetails: Sendable {
  private let work = SharedWork<CatalogueBook?>()

  /// A book of a catalogue. `nil` if the catalogue has no such book.
  ///
  /// - Parameter summaryWillDo: whether the fields of a search result are enough, so that cached ones need no request.
  func book(_ reference: CatalogueReference, summaryWillDo: Bool, with services: Services) async throws
    -> CatalogueBook?
  {
    let now = services.now()
    let bases = Self.bases(of: reference, services.settings().books)
    let key = "book/\(bases)/\(reference.key)"
    let able = reference.catalogues(with: services).able.map(\.name)
    let cached = services.answerCache.find(CachedBook.self, key, at: now).flatMap {
      $0.value.holds(for: able) ? $0 : nil
    }
    let isFresh = cached.map { abs(now.milliseconds - $0.fetchedAt) < BookListing.freshFor } ?? false
    if let book = cached?.value.book, summaryWillDo || isFresh { return book }
    let known = reference.id.flatMap { services.bookSearches.book($0) }
    // A service may list a book in a search and not return it by id: then the search result is all that there is.
    if summaryWillDo, let book = known ?? services.foundBook(reference.id, at: now) { return book }
    if cached != nil, summaryWillDo || isFresh { return nil }
    do {
      return try await work.value(for: key) { _ in
        // Includes search results of an earlier daemon: a search may state more about a book, such as its year, than
        // its record.
        let known = known ?? services.foundBook(reference.id, at: now)
        let book = try await self.fetch(reference, known: known, with: CatalogueClient(services: services))
        // A missing book is cached too.
        services.answerCache.store(CachedBook(book: book, asked: able), key, at: now, part: services.newID())
        if let book {
          let own = Self.bases(
            of: .book(catalogue: String(book.id.prefix { $0 != "." }), own: ""), services.settings().books)
          services.answerCache.store(
            CachedBook(book: book, asked: able), "book/\(own)/\(book.id)", at: now, part: services.newID())
        }
        return book
      }
    } catch {
      if Task.isCancelled { throw error }
      if let cached { return cached.value.book }
      if let book = known ?? services.foundBook(reference.id, at: now) { return book }
      throw RPCError(catalogue: error, named: reference.catalogue.map(BookCatalogues.title) ?? "")
    }
  }

  /// The base URLs that are requested: answers of one are not valid for another.
  fileprivate static func bases(of reference: CatalogueReference, _ configuration: BooksConfiguration) -> String {
    reference.catalogues(configuration).map(\.base).joined(separator: " ")
  }

  private struct CachedBook: Codable, Sendable {
    var book: CatalogueBook?
    /// The names of the catalogues that could be requested.
    var asked: [String]?

    /// A missing book is unconfirmed for catalogues that could not be requested then.
    func holds(for able: [String]) -> Bool { book != nil || Set(able).isSubset(of: asked ?? []) }
  }

  private func fetch(
    _ reference: CatalogueReference, known: CatalogueBook?, with client: CatalogueClient
  ) async throws -> CatalogueBook? {
    let (catalogues, obstacles) = reference.catalogues(with: client.services)
    switch reference {
    case .book(_, let own):
      if let obstacle = obstacles.first { throw obstacle.failure }
      guard let catalogue = catalogues.first else { return nil }
      return try await catalogue.book(own, known: known, with: client)
    case .number(let isbn):
      // The first catalogue that has it; failures of others do not prevent that.
      var failures: [(catalogue: String, failure: any Error)] = []
      for catalogue in catalogues {
        do {
          if let book = try await catalogue.book(isbn: isbn, with: client) { return book }
        } catch {
          if Task.isCancelled { throw error }
          failures.append((type(of: catalogue).title, error))
        }
      }
      if !failures.isEmpty { throw CatalogueFailures(failures: failures) }
      return nil
    }
  }
}

/// The parsed form of an id that is not from the shelf.
enum CatalogueReference: Sendable {
  case book(catalogue: String, own: String)
  /// `isbn.9788936434120`
  case number(String)

  /// `nil` for an id of the shelf.
  ///
  /// - Throws: `invalidParams` for an id that no catalogue can have; such an id is never sent.
  init?(_ id: BookID, in configuration: BooksConfiguration) throws(RPCError) {
    guard let dot = id.text.firstIndex(of: ".") else { return nil }
    let (name, own) = (String(id.text[..<dot]), String(id.text[id.text.index(after: dot)...]))
    if name == "isbn" {
      guard let isbn = ISBN(own) else {
        throw .invalidParams(field: "id", reason: Text("books.badISBN", ["isbn": own]))
      }
      self = .number(isbn.digits)
      return
    }
    guard let catalogue = BookCatalogues.all(configuration).first(where: { $0.name == name }) else { return nil }
    guard catalogue.isID(own) else {
      throw .invalidParams(
        field: "id", reason: Text("books.badID", ["id": own, "catalogue": type(of: catalogue).title]))
    }
    self = .book(catalogue: name, own: own)
  }

  /// The whole id, for a book of one catalogue.
  var id: String? {
    if case .book(let catalogue, let own) = self { "\(catalogue).\(own)" } else { nil }
  }

  /// The name of its catalogue, for a book of one catalogue.
  var catalogue: String? {
    if case .book(let catalogue, _) = self { catalogue } else { nil }
  }

  var key: String {
    switch self {
    case .book(let catalogue, let own): "\(catalogue).\(own)"
    case .number(let isbn): "isbn.\(isbn)"
    }
  }
}

extension CatalogueReference {
  /// The catalogues that may have it, in the order of requests.
  fileprivate func catalogues(_ configuration: BooksConfiguration) -> [any BookCatalogue] {
    guard let catalogue else { return BookCatalogues.usual(configuration) }
    return BookCatalogues.all(configuration).filter { $0.name == catalogue }
  }

  /// The catalogues that can be requested now, and the obstacles of the others.
  fileprivate func catalogues(
    with services: Services
  ) -> (able: [any BookCatalogue], obstacles: [(catalogue: String, failure: any Error)]) {
    var able: [any BookCatalogue] = []
    var obstacles: [(catalogue: String, failure: any Error)] = []
    for catalogue in catalogues(services.settings().books) {
      if let obstacle = services.obstacle(of: catalogue) {
        obstacles.append((type(of: catalogue).title, obstacle))
      } else {
        able.append(catalogue)
      }
    }
    return (able, obstacles)
  }

  /// The error that no catalogue has the book, with the obstacles of catalogues that could not be requested.
  func unknown(with services: Services) -> RPCError {
    switch self {
    case .book(let catalogue, let own):
      return RPCError(
        .notFound, text: Text("books.unknownID", ["catalogue": BookCatalogues.title(of: catalogue), "id": own]))
    case .number(let isbn):
      let (asked, obstacles) = catalogues(with: services)
      let names = asked.map { type(of: $0).title }.joined(separator: ", ")
      let unknown = RPCError(.notFound, text: Text("books.unknownNumber", ["isbn": isbn, "catalogues": names]))
      var failures = obstacles
      if !asked.isEmpty { failures.insert((names, unknown), at: 0) }
      return RPCError(CatalogueFailures(failures: failures))
    }
  }
}

extension Services {
  var bookDetails: BookDetails { memory.object(BookDetails.self) { BookDetails() } }

  /// A book in a cached search result. Reads all of them.
  fileprivate func foundBook(_ id: String?, at now: Instant) -> CatalogueBook? {
    guard let id else { return nil }
    let base = BookDetails.bases(of: .book(catalogue: String(id.prefix { $0 != "." }), own: ""), settings().books)
    let page = answerCache.newest(CataloguePage.self, containing: "\"\(id)\"", at: now) { $0.base == base }
    return page?.value.books.first { $0.id == id }
  }
}
