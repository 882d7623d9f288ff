import Contract
import HTTP
import Kit
import Wire

/// A service that knows books. A further one is a folder beside this file and a line in `BookCatalogues`.
protocol BookCatalogue: Sendable {
  /// Its name on the wire, and the part of its books' ids before the dot.
  static var name: String { get }
  /// Its name for people.
  static var title: String { get }

  init(_ configuration: BooksConfiguration)

  /// Where it is asked, without a slash at its end. What one address answered is not what another would.
  var base: String { get }

  /// Why it cannot be asked at all as it is configured; nil if it can.
  var obstacle: CatalogueObstacle? { get }

  /// The books from the place `start` on, at most `limit`.
  func search(_ query: BookQuery, from start: Int, limit: Int, with client: CatalogueClient) async throws
    -> CataloguePage

  /// One book by its own id, without the catalogue's name. `known` is what a search said of it, if one did.
  func book(_ id: String, known: CatalogueBook?, with client: CatalogueClient) async throws -> CatalogueBook?

  /// The book that has this number.
  func book(isbn: String, with client: CatalogueClient) async throws -> CatalogueBook?

  /// Whether a text can be one of its own ids. What cannot is never sent: services answer it with errors that look like
  /// outages.
  func isID(_ id: String) -> Bool

  /// Where pictures of a cover are, the best first.
  func covers(_ covers: BookCovers, _ size: CoverSize) -> [String]

  /// Whether a picture is what the service sends where it has none.
  func isPlaceholder(_ picture: CoverPicture, from url: String) -> Bool
}

extension BookCatalogue {
  var name: String { Self.name }

  /// The id here of one of its books.
  func id(_ own: String) -> String { "\(Self.name).\(own)" }

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

/// Every catalogue, a line each. The first that can be asked is the usual one.
enum BookCatalogues {
  static let types: [any BookCatalogue.Type] = [
    GoogleBooks.self,
    OpenLibrary.self,
  ]

  static func all(_ configuration: BooksConfiguration) -> [any BookCatalogue] {
    types.map { $0.init(configuration) }
  }

  /// The name of a catalogue for people.
  static func title(of name: String) -> String { types.first { $0.name == name }?.title ?? name }
}

/// The name of a catalogue, or `all` of them together.
struct CatalogueName: Choice {
  let rawValue: String

  init?(rawValue: String) {
    guard Self.names.contains(rawValue) else { return nil }
    self.rawValue = rawValue
  }

  private init(_ name: String) { rawValue = name }

  static let all = CatalogueName("all")
  static var allCases: [CatalogueName] { names.map(CatalogueName.init) }
  private static var names: [String] { BookCatalogues.types.map { $0.name } + ["all"] }
}

/// Why a catalogue is left out, and what a person can do about it.
struct CatalogueObstacle: Error, Equatable {
  /// `keyNeeded`: it answers nobody without a key. `closed`: it has said that it will not answer for a while.
  /// `unavailable`: it could not be reached, or did not make sense. `misprint`: not the catalogue, but what was asked.
  /// `configuration`: config.toml has a mistake, so that what it says of catalogues does not count.
  enum Kind: String, Choice {
    case closed, configuration, keyNeeded, misprint, unavailable
  }

  var kind: Kind
  var text: Text
  /// When the catalogue may be asked again, where that is known; see `text(at:)`.
  var endsAt: Instant?
}

/// One answer of a catalogue.
struct CataloguePage: Codable, Sendable {
  var books: [CatalogueBook]
  /// How many there were in it, also those that could not be read.
  var received: Int
  /// How many the service says there are; a guess.
  var total: Int?
  /// The service's own sign that nothing follows.
  var isLast = false
  /// The address that gave it, of one that is kept.
  var base: String?
}

/// How large a picture of a cover should be.
enum CoverSize: String, Choice {
  case small, medium, large
}
