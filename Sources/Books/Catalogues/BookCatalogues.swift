import Contract
import Kit

/// All catalogues, one per line. The first that can be requested is the default.
enum BookCatalogues {
  static let types: [any BookCatalogue.Type] = [
    GoogleBooks.self,
    Aladin.self,
    OpenLibrary.self,
    NDLSearch.self,
  ]

  static func all(_ configuration: BooksConfiguration) -> [any BookCatalogue] {
    types.map { $0.init(configuration) }
  }

  /// The catalogues for requests that name none.
  static func usual(_ configuration: BooksConfiguration) -> [any BookCatalogue] {
    all(configuration).filter(\.isUsual)
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
