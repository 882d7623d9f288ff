import Exchange
import SQLite
import Store
import Wire

/// The books on the shelf that match books of catalogues: by catalogue id, else by ISBN. Queried once for a whole page
/// of a list.
struct ShelfLookup {
  private let snapshot: Snapshot
  /// The books on the shelf by catalogue id and by ISBN; the first if several have one.
  private let byID: [String: String]
  private let byNumber: [String: String]

  /// Works of a catalogue have the numbers of all their printings; the first few suffice.
  private static let mostNumbers = 20

  init(_ found: [CatalogueBook], in snapshot: Snapshot) throws {
    try self.init(
      snapshot, ids: { found.flatMap(\.ids) },
      isbns: { found.flatMap { $0.facts.isbns.prefix(Self.mostNumbers) } })
  }

  init(ids: [String], isbns: [String], in snapshot: Snapshot) throws {
    try self.init(snapshot, ids: { ids }, isbns: { Array(isbns.prefix(Self.mostNumbers)) })
  }

  private init(_ snapshot: Snapshot, ids: () -> [String], isbns: () -> [String]) throws {
    self.snapshot = snapshot
    // An empty shelf needs no further queries.
    let isEmpty = try snapshot.db.first(Self.first) { _ in false } ?? true
    byID = isEmpty ? [:] : try Self.books("catalogue", ids(), in: snapshot)
    byNumber = isEmpty ? [:] : try Self.books("isbn", isbns(), in: snapshot)
  }

  private static func books(_ kind: String, _ names: [String], in snapshot: Snapshot) throws -> [String: String] {
    var books: [String: String] = [:]
    if names.isEmpty { return books }
    var list = JSONWriter(reservingCapacity: 32 * names.count)
    list.write(byte: UInt8(ascii: "["))
    for (index, name) in names.enumerated() {
      if index > 0 { list.write(byte: UInt8(ascii: ",")) }
      list.write(string: name)
    }
    list.write(byte: UInt8(ascii: "]"))
    let text = String(decoding: list.bytes, as: UTF8.self)
    try snapshot.db.each(
      select,
      {
        $0.add(text)
        $0.add(kind)
      },
      { row in
        let (name, book) = (row.text(0), row.text(1))
        if books[name].map({ book < $0 }) ?? true { books[name] = book }
      })
    return books
  }

  private static let first = CachedStatement("SELECT 1 FROM bookName LIMIT 1")
  private static let select = CachedStatement(
    "SELECT name, book FROM json_each(?) AS wanted CROSS JOIN bookName ON kind = ? AND name = wanted.value")

  func record(of found: CatalogueBook) throws -> BookRecord? { try record(ids: found.ids, isbns: found.facts.isbns) }

  /// Catalogue ids are more reliable than ISBNs.
  func record(ids: [String], isbns: [String]) throws -> BookRecord? {
    guard !byID.isEmpty || !byNumber.isEmpty,
      let book = ids.lazy.compactMap({ byID[$0] }).first
        ?? isbns.prefix(Self.mostNumbers).lazy.compactMap({ byNumber[$0] }).first
    else { return nil }
    return try snapshot.find(BookRecord.self, id: book)
  }
}
