import Contract
import SQLite
import Store

/// Updates the cards of columns that have been opened or closed.
///
/// Closing a column finishes its cards as if each had been moved into it now: `completedAt` is now, a recurring card
/// gets its next card, and cards that waited for it are free. Opening a column makes its cards unfinished:
/// `completedAt` is cleared, and cards that wait for them wait again. `startedAt` stays, since nobody has moved the
/// cards.
///
/// The columns change in the first slice, and with them everything that follows from a column alone: which cards are
/// overdue, open or waiting. A column of tens of thousands of cards takes seconds, during which other clients write; so
/// its cards are updated slice by slice afterwards. A card that leaves the column before its update was never finished
/// in it, a card that is moved into it is updated by the move, and if a client switches the column back, that change
/// wins.
struct ColumnStateChange: Sendable {
  private var board = CardBoardRecord.defaultID
  /// The columns of the board whose cards are not updated yet.
  private var columns: [StoredColumn] = []
  /// The last updated card of the first of these columns; nil before its first card.
  private var last: Place?

  private struct Place: Sendable {
    var id: String
    var rank: String
  }

  /// Changes nothing.
  init() {}

  /// Compares the columns before with the current ones.
  init(from before: BoardColumns, of board: String, in transaction: Transaction) throws {
    self.board = board
    columns = try BoardColumns(in: transaction.snapshot, of: board).all.filter { column in
      before[column.state].map { $0.isOpen != column.isOpen } ?? false
    }
    // After all columns have changed: cards that wait for each other's column are both reported in their final state.
    for column in columns {
      try Blockers.notifyWaiting(forCardsIn: column.state, on: board, in: transaction)
      try Parents.notify(ofCardsIn: column.state, on: board, in: transaction)
    }
  }

  /// Updates cards; returns false if another slice has to go on.
  mutating func settle(in transaction: Transaction) throws -> Bool {
    let now = try BoardColumns(in: transaction.snapshot, of: board)
    while let column = columns.first {
      guard now[column.state]?.isOpen == column.isOpen else {
        end()
        continue
      }
      guard transaction.hasRoom else { return false }
      let cards = try cards(in: column, after: last, transaction.db)
      if cards.isEmpty {
        // Once more from the beginning: a client may have moved a card from after the current place to before it.
        if last == nil { end() } else { last = nil }
        continue
      }
      for card in cards {
        let record = try transaction.snapshot.get(ProjectRecord.self, id: card.id)
        try Self.settle(record, in: column, transaction)
      }
      last = cards.last
    }
    return true
  }

  private mutating func end() {
    columns.removeFirst()
    last = nil
  }

  /// How many cards are updated before checking whether the slice has room left.
  private static let step = 100

  /// The cards whose `completedAt` does not fit the column's current state.
  private func cards(in column: StoredColumn, after last: Place?, _ db: Database) throws -> [Place] {
    var cards: [Place] = []
    try db.each(
      """
      SELECT id, rank FROM project WHERE board = ? AND state = ? AND (rank, id) > (?, ?)
        AND completedAt IS \(column.isOpen ? "NOT NULL" : "NULL") ORDER BY rank, id LIMIT ?
      """, [.text(board), .text(column.state), .text(last?.rank ?? ""), .text(last?.id ?? ""), .integer(Self.step)]
    ) { cards.append(Place(id: $0.text(0), rank: $0.text(1))) }
    return cards
  }

  private static func settle(
    _ card: ProjectRecord, in column: StoredColumn, _ transaction: Transaction
  ) throws {
    guard !column.isOpen else {
      try transaction.change(card) { $0.completedAt = nil }
      return
    }
    try transaction.insertNextCard(after: card)
    try transaction.change(card) { card in
      card.completedAt = transaction.now
      card.recurrence = nil
      card.stopClock(at: transaction.now)
    }
  }
}
