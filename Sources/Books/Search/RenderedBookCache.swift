import Display
import Kit
import Synchronization

/// A cache of catalogue books rendered in a language, for lists. While a person types or scrolls, the same books are
/// shown again and again, and rendering most of a book means formatting sentences.
final class RenderedBookCache: Sendable {
  private struct Key: Hashable {
    var id: String
    var language: Language
  }

  private struct Made {
    /// The source data: a catalogue may change it.
    var facts: BookFacts
    var ids: [String]
    var book: Book
  }

  /// The pages of some fifty searches.
  private static let most = 1_024

  private let made = Mutex<[Key: Made]>([:])

  /// A book that is not on the shelf.
  func book(_ found: CatalogueBook, in language: Language, make: () throws -> Book) rethrows -> Book {
    let key = Key(id: found.id, language: language)
    let known = made.withLock { $0[key] }
    if let known, known.facts == found.facts, known.ids == found.ids { return known.book }
    let book = try make()
    made.withLock { made in
      if made.count >= Self.most { made.removeAll() }
      made[key] = Made(facts: found.facts, ids: found.ids, book: book)
    }
    return book
  }
}

extension Services {
  var renderedBooks: RenderedBookCache { memory.object(RenderedBookCache.self) { RenderedBookCache() } }
}
