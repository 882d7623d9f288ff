/// The books that rows of one file have become, by their numbers: Goodreads and its like have one printing under two of
/// their ids, and say so by the number alone.
///
/// Of our own formats this says nothing: two books that the reader keeps apart may have one number.
struct NumberedRows: Sendable {
  struct Book: Sendable {
    /// On the shelf; of a dry run, where it would be.
    var id: String
    var facts: BookFacts
    /// What its rows say of it.
    var content: ShelfContent
  }

  private var books: [String: Book] = [:]

  /// The book of an earlier row that has a number of this one.
  func first(with row: ForeignBook) -> Book? {
    Self.counts(row) ? row.facts.isbns.lazy.compactMap { books[$0] }.first : nil
  }

  /// Notes which book a row is.
  mutating func note(_ row: ForeignBook, as id: String) throws {
    guard Self.counts(row) else { return }
    var book = first(with: row) ?? Book(id: id, facts: row.facts, content: row.content)
    book.content = try book.content.filled(from: row.content)
    for isbn in row.facts.isbns { books[isbn] = book }
  }

  private static func counts(_ row: ForeignBook) -> Bool {
    row.program.map { [.goodreads, .storygraph].contains($0) } ?? false
  }
}

extension ForeignBook {
  /// Whose file it is of.
  var program: BookFormat? { origin.split(separator: "/").first.flatMap { BookFormat(rawValue: String($0)) } }
}
