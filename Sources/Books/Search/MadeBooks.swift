import Display
import Kit
import Synchronization

/// Books of catalogues as they were last written in a language, for lists. Whoever types or scrolls is shown the same ones
/// again and again, and most of a book's words are sentences that must be put together.
final class MadeBooks: Sendable {
  private struct Key: Hashable {
    var id: String
    var language: Language
  }

  private struct Made {
    /// What it was made of: a catalogue may say something else tomorrow.
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
  var madeBooks: MadeBooks { memory.object(MadeBooks.self) { MadeBooks() } }
}
