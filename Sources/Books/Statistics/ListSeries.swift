import Contract
import Kit
import SearchEngine
import Store
import Wire

enum ListSeries: ReadMethod {
  static let name = "books/series"
  static let summary = "The series of the books on the shelf, by name, each with the number of its books."
  static let effects: Effects = .reads

  struct Params: Payload {
    var offset: Int?
    var limit: Int?
    static let example = Params(offset: nil, limit: 50)
    static let fields = ["offset": "The number of series to skip.", "limit": PartFields.limitNote(usually: 50)]
    static let limits: [String: FieldLimits] = ["offset": .atLeast(0), "limit": .range(1...1_000)]
  }

  /// A series on the shelf.
  struct Series: Payload {
    var name: String
    var books: Int
    var read: Int
    static let example = Series(name: "Earthsea", books: 6, read: 4)
    static let fields = [
      "name": "The name, for `books/shelf`.", "books": "The number of its books on the shelf.",
      "read": "How many of them are read.",
    ]
  }

  struct Result: Payload {
    var items: [Series]
    var total: Int
    var hasMore: Bool
    static let example = Result(items: [.example], total: 1, hasMore: false)
    static let fields = [
      "items": "The series, by name.", "total": "The number of series.", "hasMore": "Whether more follow.",
    ]
  }

  private static let select = """
    SELECT name, count(*), sum(status = 'read'), min(facts) FROM bookName JOIN book ON id = book WHERE kind = 'series'
    GROUP BY name ORDER BY name LIMIT ? OFFSET ?
    """

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    let (limit, offset) = (params.limit ?? 50, params.offset ?? 0)
    let total =
      try snapshot.db.first("SELECT count(DISTINCT name) FROM bookName WHERE kind = 'series'") { $0.int(0) } ?? 0
    var items: [Series] = []
    try snapshot.db.each(select, [.integer(limit), .integer(offset)]) { row in
      let folded = row.text(0)
      // The index has the folded name; the book has it as it was given.
      let series = try StoredJSON<BookFacts>(stored: row.text(3)).value().series ?? []
      let name = series.first { sameBytes(foldedText($0.name), folded) }?.name ?? folded
      items.append(Series(name: name, books: row.int(1), read: row.int(2)))
    }
    return Result(items: items, total: total, hasMore: offset + items.count < total)
  }
}
