import Contract
import Exchange
import HTTP
import Kit
import Wire

/// An online catalogue of books. Another one is a folder beside this file and a line in `BookCatalogues`.
protocol BookCatalogue: Sendable {
  /// Its name on the wire, and the part of its books' ids before the dot.
  static var name: String { get }
  /// Its name for people.
  static var title: String { get }

  /// How often it may be asked.
  static var budget: RequestBudget { get }

  init(_ configuration: BooksConfiguration)

  /// The base URL of its service, without a slash at its end. Answers of one base are not used for another.
  var base: String { get }

  /// The reason why the configuration does not allow requests to it; nil if it does.
  var obstacle: CatalogueObstacle? { get }

  /// Whether it is requested by those who name no catalogue.
  var isUsual: Bool { get }

  /// At most `limit` books from the index `start` on.
  func search(_ query: BookQuery, from start: Int, limit: Int, with client: CatalogueClient) async throws
    -> CataloguePage

  /// One book by its own id, without the catalogue's name. `known` is the book as a search returned it, if one did.
  func book(_ id: String, known: CatalogueBook?, with client: CatalogueClient) async throws -> CatalogueBook?

  /// The book with this ISBN.
  func book(isbn: String, with client: CatalogueClient) async throws -> CatalogueBook?

  /// Whether a text can be one of its own ids. Other texts are never sent: services answer them with errors that look
  /// like outages.
  func isID(_ id: String) -> Bool

  /// The URLs of pictures of a cover, the best first.
  func covers(_ covers: BookCovers, _ size: CoverSize) -> [String]

  /// Whether a picture is the placeholder that the service sends for a missing cover.
  func isPlaceholder(_ picture: CoverPicture, from url: String) -> Bool
}

extension BookCatalogue {
  var name: String { Self.name }
  var isUsual: Bool { true }

  /// The id here of one of its books.
  func id(_ own: String) -> String { "\(Self.name).\(own)" }

  /// The page of a search for an ISBN, which one book has at most.
  func page(isbn: String, from start: Int, with client: CatalogueClient) async throws -> CataloguePage {
    let book = start == 0 ? try await book(isbn: isbn, with: client) : nil
    let books = book.map { [$0] } ?? []
    return CataloguePage(books: books, received: books.count, total: books.count, isLast: true)
  }

  func covers(_ covers: BookCovers, _ size: CoverSize) -> [String] {
    let order: [String?] =
      switch size {
      case .small: [covers.small, covers.thumbnail]
      case .medium: [covers.medium, covers.thumbnail, covers.small]
      case .large: [covers.large, covers.medium, covers.thumbnail, covers.small]
      }
    return order.compactMap(\.self)
  }

  func isPlaceholder(_ picture: CoverPicture, from url: String) -> Bool { false }
}

/// The reason why a catalogue was not used, and what a person can do about it.
struct CatalogueObstacle: Error, Equatable {
  /// `keyNeeded`: it answers only with a key. `closed`: it has refused to answer for a while. `unavailable`: it could
  /// not be reached, or its answer was invalid. `misprint`: the query is wrong, not the catalogue. `configuration`:
  /// config.toml has a mistake, so that its settings for catalogues are ignored.
  enum Kind: String, Choice {
    case closed, configuration, keyNeeded, misprint, unavailable
  }

  var kind: Kind
  var text: Text
  /// When the catalogue may be requested again, if known; see `text(at:)`.
  var endsAt: Instant?
}

/// One page of a catalogue's answer.
struct CataloguePage: Codable, Sendable {
  var books: [CatalogueBook]
  /// The number of books in it, including those that could not be parsed.
  var received: Int
  /// The total number of books that the service states; an estimate.
  var total: Int?
  /// Whether the service states that this is the last page.
  var isLast = false
  /// The base URL of its service, for a cached page.
  var base: String?
}

/// The size of a picture of a cover.
enum CoverSize: String, Choice {
  case small, medium, large
}
