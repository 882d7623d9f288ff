import Contract
import SQLite
import Store

/// What becomes of the cards of columns that are opened or closed.
///
/// A column that is closed finishes its cards as if each had been moved into it now: `completedAt` is now, a recurring
/// card brings its next one, and who waited for a card is free. One that is opened has nothing finished in it:
/// `completedAt` goes, and who waits for a card waits again. When a card was begun stays, as nobody has moved it.
///
/// The columns turn with the first slice, and with them whatever follows from a column alone: what is overdue, what is
/// open, who waits. A column of tens of thousands of cards takes seconds, in which others write; so its cards are settled
/// slice by slice behind it. One that leaves an open column before its turn comes was never finished in it, one that comes
/// is settled by its move, and whoever turns the column back has the last word.
struct ColumnTurn: Sendable {
  /// What is to be settled yet.
  private var columns: [KeptColumn] = []
  /// The last card that was settled of the first of them; nil before its first.
  private var last: Place?

  private struct Place: Sendable {
    var id: String
    var rank: String
  }

  /// Turns nothing.
  init() {}

  /// From the columns as they were to those that there are now.
  init(from before: BoardColumns, in transaction: Transaction) throws {
    columns = try BoardColumns(in: transaction.snapshot).all.filter { column in
      before[column.state].map { $0.isOpen != column.isOpen } ?? false
    }
    // When all are turned: of two that wait for each other's column both are told as they are then.
    for column in columns { try Blockers.tellWaiting(forCardsIn: column.state, in: transaction) }
  }

  /// False where there is more to be done in another slice.
  mutating func settle(in transaction: Transaction) throws -> Bool {
    let board = try BoardColumns(in: transaction.snapshot)
    while let column = columns.first {
      guard board[column.state]?.isOpen == column.isOpen else {
        end()
        continue
      }
      guard transaction.hasRoom else { return false }
      let cards = try Self.cards(in: column, behind: last, transaction.db)
      if cards.isEmpty {
        // Once more from the beginning, where somebody may have put a card meanwhile that was behind it before.
        if last == nil { end() } else { last = nil }
        continue
      }
      for card in cards {
        let record = try transaction.snapshot.get(ProjectRecord.self, id: card.id)
        try Self.settle(record, in: column, board, transaction)
      }
      last = cards.last
    }
    return true
  }

  private mutating func end() {
    columns.removeFirst()
    last = nil
  }

  /// How many cards are settled before it is asked whether there is still room.
  private static let step = 100

  /// Those that are not as the column has them now.
  private static func cards(in column: KeptColumn, behind last: Place?, _ db: Database) throws -> [Place] {
    var cards: [Place] = []
    try db.each(
      """
      SELECT id, rank FROM project WHERE state = ? AND (rank, id) > (?, ?)
        AND completedAt IS \(column.isOpen ? "NOT NULL" : "NULL") ORDER BY rank, id LIMIT ?
      """, [.text(column.state), .text(last?.rank ?? ""), .text(last?.id ?? ""), .integer(step)]
    ) { cards.append(Place(id: $0.text(0), rank: $0.text(1))) }
    return cards
  }

  private static func settle(
    _ card: ProjectRecord, in column: KeptColumn, _ board: BoardColumns, _ transaction: Transaction
  ) throws {
    guard !column.isOpen else {
      try transaction.change(card) { $0.completedAt = nil }
      return
    }
    try transaction.comeAgain(after: card, columns: board)
    try transaction.change(card) { card in
      card.completedAt = transaction.now
      card.recurrence = nil
    }
  }
}
