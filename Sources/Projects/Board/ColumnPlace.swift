import Contract
import Kit
import SQLite
import Store
import Wire

/// A place between two cards of a column, either of which may be missing.
///
/// It is computed and used in one transaction, and all writes run one after another. So of two clients that move cards
/// at once the second sees the first one's result, and no card is lost or there twice.
struct ColumnPlace {
  private struct Neighbour {
    var id: String
    var rank: String
  }

  private let board: String
  private let state: String
  /// The card to be placed here. It is not its own neighbour.
  private let card: String
  private var lower: Neighbour?
  private var upper: Neighbour?

  /// The end of a column.
  init(endOf state: String, on board: String, for card: String, in db: Database) throws {
    (self.board, self.state) = (board, state)
    self.card = card
    lower = try neighbour(isAfter: false, of: nil, in: db)
  }

  /// The place before another card of the column.
  init(before other: ProjectRecord, for card: String, in db: Database) throws {
    (board, state) = (other.board, other.state)
    self.card = card
    let upper = Neighbour(id: other.id, rank: other.rank)
    self.upper = upper
    lower = try neighbour(isAfter: false, of: upper, in: db)
  }

  /// The place after another card of the column.
  init(after other: ProjectRecord, for card: String, in db: Database) throws {
    (board, state) = (other.board, other.state)
    self.card = card
    let lower = Neighbour(id: other.id, rank: other.rank)
    self.lower = lower
    upper = try neighbour(isAfter: true, of: lower, in: db)
  }

  /// Whether a card of this rank is at this place already.
  func holds(_ record: ProjectRecord) -> Bool {
    guard sameBytes(record.board, board), sameBytes(record.state, state) else { return false }
    let own = (record.rank, record.id)
    return (lower.map { ($0.rank, $0.id) < own } ?? true) && (upper.map { own < ($0.rank, $0.id) } ?? true)
  }

  /// Returns the rank for the card. If there is none left between the two neighbours, or only a very long one, the
  /// cards around it get new ranks: as few cards as possible.
  func take(in transaction: Transaction) throws -> String {
    if let rank = Rank.between(lower?.rank, upper?.rank), rank.utf8.count <= Rank.longest { return rank }
    var reach = 8
    while true {
      let (left, right) = (
        try cards(isAfter: false, limit: reach + 1, in: transaction.db).reversed(),
        try cards(isAfter: true, limit: reach + 1, in: transaction.db)
      )
      // The outermost on each side stay: they are the bounds.
      let moved = Array(left.suffix(reach)) + Array(right.prefix(reach))
      let count = min(left.count, reach)
      let ranks = Rank.between(
        left.count > reach ? left.first?.rank : nil, right.count > reach ? right.last?.rank : nil,
        count: moved.count + 1)
      let isWhole = left.count <= reach && right.count <= reach
      if let ranks, isWhole || ranks.allSatisfy({ $0.utf8.count <= Rank.longest }) {
        for (index, neighbour) in moved.enumerated() {
          let record = try transaction.snapshot.get(ProjectRecord.self, id: neighbour.id)
          try transaction.change(record) { $0.rank = ranks[index < count ? index : index + 1] }
        }
        return ranks[count]
      }
      reach *= 8
    }
  }

  private func cards(isAfter: Bool, limit: Int, in db: Database) throws -> [Neighbour] {
    let edge = isAfter ? upper : lower
    guard let edge else { return [] }
    return try neighbours(
      isAfter ? ">=" : "<=", of: edge, order: isAfter ? "ASC" : "DESC", limit: limit, in: db)
  }

  private func neighbour(isAfter: Bool, of edge: Neighbour?, in db: Database) throws -> Neighbour? {
    try neighbours(isAfter ? ">" : "<", of: edge, order: isAfter ? "ASC" : "DESC", limit: 1, in: db).first
  }

  private func neighbours(
    _ comparison: String, of edge: Neighbour?, order: String, limit: Int, in db: Database
  ) throws -> [Neighbour] {
    var condition = "board = ? AND state = ? AND id <> ?"
    var values: [SQLValue] = [.text(board), .text(state), .text(card)]
    if let edge {
      condition += " AND (rank, id) \(comparison) (?, ?)"
      values += [.text(edge.rank), .text(edge.id)]
    }
    var found: [Neighbour] = []
    try db.each(
      "SELECT id, rank FROM project WHERE \(condition) ORDER BY rank \(order), id \(order) LIMIT ?",
      values + [.integer(limit)]
    ) { found.append(Neighbour(id: $0.text(0), rank: $0.text(1))) }
    return found
  }
}
