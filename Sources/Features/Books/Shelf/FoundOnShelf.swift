import Store
import Wire

/// Which books of a catalogue are on the shelf: by what a catalogue calls them, else by their numbers. Asked once for a
/// whole page of a list.
struct FoundOnShelf {
  private let snapshot: Snapshot
  /// The books of the shelf by kind of name and name, the first where several have one.
  private let books: [Name: String]

  private struct Name: Hashable {
    var kind: String
    var name: String
  }

  /// Works of a catalogue have the numbers of all their printings; the first few will do.
  private static let mostNumbers = 20

  init(_ found: [CatalogueBook], in snapshot: Snapshot) throws {
    try self.init(found.flatMap { Self.names(ids: $0.ids, isbns: $0.facts.isbns) }, in: snapshot)
  }

  init(ids: [String], isbns: [String], in snapshot: Snapshot) throws {
    try self.init(Self.names(ids: ids, isbns: isbns), in: snapshot)
  }

  private init(_ names: [Name], in snapshot: Snapshot) throws {
    self.snapshot = snapshot
    var books: [Name: String] = [:]
    for (kind, names) in Dictionary(grouping: names, by: \.kind) {
      let list = String(decoding: JSONWriter.bytes(of: .array(names.map { .string($0.name) })), as: UTF8.self)
      try snapshot.db.each(
        Self.select,
        {
          $0.add(list)
          $0.add(kind)
        },
        { row in
          let name = Name(kind: kind, name: row.text(0))
          let book = row.text(1)
          if books[name].map({ book < $0 }) ?? true { books[name] = book }
        })
    }
    self.books = books
  }

  private static let select = KeptStatement(
    "SELECT name, book FROM json_each(?) AS wanted CROSS JOIN bookName ON kind = ? AND name = wanted.value")

  /// What a book may be known by here, the surest first.
  private static func names(ids: [String], isbns: [String]) -> [Name] {
    ids.map { Name(kind: "catalogue", name: $0) } + isbns.prefix(mostNumbers).map { Name(kind: "isbn", name: $0) }
  }

  func record(of found: CatalogueBook) throws -> BookRecord? { try record(ids: found.ids, isbns: found.facts.isbns) }

  func record(ids: [String], isbns: [String]) throws -> BookRecord? {
    guard !books.isEmpty,
      let book = Self.names(ids: ids, isbns: isbns).lazy.compactMap({ books[$0] }).first
    else { return nil }
    return try snapshot.find(BookRecord.self, id: book)
  }
}
