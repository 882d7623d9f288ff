import Display
import Synchronization

/// Books of catalogues as they were last shown in a language. Whoever types or scrolls is shown the same ones again and
/// again, and most of a book's words are sentences that must be put together.
final class MadeBooks: Sendable {
  private struct Key: Hashable {
    var id: String
    var language: Language
  }

  private struct Made {
    /// What it was made of: a catalogue may say something else tomorrow.
    var facts: BookFacts
    var sameAs: [String]
    var book: Book
  }

  /// The pages of some fifty searches.
  private static let most = 1_024

  private let made = Mutex<[Key: Made]>([:])

  /// The book, without what the reader does with it.
  func book(_ found: CatalogueBook, in language: Language, make: () -> Book) -> Book {
    let key = Key(id: found.id, language: language)
    let known = made.withLock { $0[key] }
    if let known, known.facts == found.facts, known.sameAs == found.sameAs { return known.book }
    let book = make()
    made.withLock { made in
      if made.count >= Self.most { made.removeAll() }
      made[key] = Made(facts: found.facts, sameAs: found.sameAs, book: book)
    }
    return book
  }
}

extension Services {
  var madeBooks: MadeBooks { memory.object(MadeBooks.self) { MadeBooks() } }
}
