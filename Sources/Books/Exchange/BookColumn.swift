/// A column of a table of books: its name, and what a book has in it.
struct BookColumn: Sendable {
  let name: String
  /// Nil for an empty cell.
  let cell: @Sendable (ExportedBook) throws -> String?

  init(_ name: String, _ cell: @escaping @Sendable (ExportedBook) throws -> String?) {
    (self.name, self.cell) = (name, cell)
  }
}

extension [BookColumn] {
  func cells(of book: ExportedBook) throws -> [String] { try map { try $0.cell(book) ?? "" } }
}
