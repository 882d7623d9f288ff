import Exchange

/// The books of the rows of one file, by ISBN: Goodreads and similar programs may have one printing under two ids,
/// which only the common ISBN shows.
///
/// Not used for our own formats: the user may keep two books with one ISBN.
struct NumberedRows: Sendable {
  struct Book: Sendable {
    /// The id on the shelf; in a dry run, the id that it would have.
    var id: String
    var facts: BookFacts
    /// The content of its rows.
    var content: ShelfContent
  }

  private var books: [String: Book] = [:]

  /// The book of an earlier row that shares an ISBN with this one.
  func first(with row: ImportedBook) -> Book? {
    Self.counts(row) ? row.facts.isbns.lazy.compactMap { books[$0] }.first : nil
  }

  /// Notes which book a row is.
  mutating func note(_ row: ImportedBook, as id: String) throws {
    guard Self.counts(row) else { return }
    var book = first(with: row) ?? Book(id: id, facts: row.facts, content: row.content)
    book.content = try book.content.filled(from: row.content)
    for isbn in row.facts.isbns { books[isbn] = book }
  }

  private static func counts(_ row: ImportedBook) -> Bool {
    row.program.map { [.goodreads, .storygraph].contains($0) } ?? false
  }
}

extension ImportedBook {
  /// The format of the file that it was imported from.
  var program: BookFormat? { origin.split(separator: "/").first.flatMap { BookFormat(rawValue: String($0)) } }
}
