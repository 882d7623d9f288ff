import Kit
import SQLite
import Store
import Wire

/// The books to read next, in the user's order: those with a rank.
enum ReadingOrder {
  enum Place {
    case start, end
    case before(BookRecord)
    case after(BookRecord)
  }

  private typealias Neighbours = (lower: (rank: String, id: String)?, upper: (rank: String, id: String)?)

  /// The rank for a book at a place, which is its own if it is there already. If there is none left between its
  /// neighbours, all books get new ranks.
  static func rank(of book: BookRecord, at place: Place, in transaction: Transaction) throws -> String {
    let found = try neighbours(of: book, at: place, in: transaction.db)
    if let rank = book.content.rank, isBetween((rank, book.id), found) { return rank }
    if let rank = Rank.between(found.lower?.rank, found.upper?.rank), rank.utf8.count <= Rank.longest { return rank }
    return try renumber(with: book, before: found.upper?.id, in: transaction)
  }

  private static func isBetween(_ own: (String, String), _ neighbours: Neighbours) -> Bool {
    (neighbours.lower.map { ($0.rank, $0.id) < own } ?? true)
      && (neighbours.upper.map { own < ($0.rank, $0.id) } ?? true)
  }

  /// The books on both sides of a place, without the book itself.
  private static func neighbours(of book: BookRecord, at place: Place, in db: Database) throws -> Neighbours {
    func neighbour(_ comparison: String, _ other: BookRecord?) throws -> (rank: String, id: String)? {
      var values: [SQLValue] = [.text(book.id)]
      if let other { values += [.text(other.content.rank), .text(other.id)] }
      let order = comparison == "<" ? "rank DESC, id DESC" : "rank, id"
      return try db.first(
        "SELECT rank, id FROM book WHERE rank IS NOT NULL AND id <> ? "
          + (other == nil ? "" : "AND (rank, id) \(comparison) (?, ?) ") + "ORDER BY \(order) LIMIT 1", values
      ) { ($0.text(0), $0.text(1)) }
    }
    func edge(_ other: BookRecord) throws -> (rank: String, id: String)? {
      // Next to itself it is where it was.
      if sameBytes(other.id, book.id) { return nil }
      return other.content.rank.map { ($0, other.id) }
    }
    return switch place {
    case .start: (nil, try neighbour(">", nil))
    case .end: (try neighbour("<", nil), nil)
    case .before(let other): (try neighbour("<", other), try edge(other) ?? neighbour(">", other))
    case .after(let other): (try edge(other) ?? neighbour("<", other), try neighbour(">", other))
    }
  }

  /// - Returns: the new rank of the book, which is inserted before another one, or at the end.
  private static func renumber(
    with book: BookRecord, before next: String?, in transaction: Transaction
  ) throws -> String {
    let others = try BookRecord.all(
      in: transaction.db, "WHERE rank IS NOT NULL AND id <> ? ORDER BY rank, id", [.text(book.id)])
    let index = others.firstIndex { $0.id == next } ?? others.count
    guard let ranks = Rank.between(nil, nil, count: others.count + 1) else {
      preconditionFailure("an open end has room for any number of ranks")
    }
    for (place, record) in others.enumerated() {
      let rank = ranks[place < index ? place : place + 1]
      if record.content.rank != rank { try transaction.change(record) { $0.content.rank = rank } }
    }
    return ranks[index]
  }
}
