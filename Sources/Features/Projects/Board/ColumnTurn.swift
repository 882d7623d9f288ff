import Contract
import GRDB
import Store

/// What becomes of the cards of a column that is opened or closed.
///
/// A column that is closed finishes its cards as if each had been moved into it now: `completedAt` is now, a recurring
/// card brings its next one, and who waited for a card is free. One that is opened has nothing finished in it:
/// `completedAt` goes, and who waits for a card waits again. When a card was begun stays, as nobody has moved it.
///
/// It is one commit however many cards there are, and no long write in slices: between those everybody would see a
/// closed column with cards that nobody has finished, and could move them. So of the cards only their names are held at
/// once, and who waits is asked once for a whole column.
struct ColumnTurn {
  let before: BoardColumns
  let after: BoardColumns

  func settle(in transaction: Transaction) throws {
    let turned = after.all.filter { column in
      before[column.state].map { $0.isOpen != column.isOpen } ?? false
    }
    // Before any is settled: the next of a recurring card may come into one of these columns.
    let cards = try turned.map { try Self.cards(in: $0.state, transaction.db) }
    for (column, ids) in zip(turned, cards) {
      for id in ids {
        try settle(transaction.snapshot.get(ProjectRecord.self, id: id), in: column, transaction)
      }
    }
    // When all are settled: of two that wait for each other's column both are told as they are then.
    for column in turned { try Blockers.tellWaiting(forCardsIn: column.state, in: transaction) }
  }

  private static func cards(in state: String, _ db: Database) throws -> [String] {
    var ids: [String] = []
    try db.each("SELECT id FROM project WHERE state = ? ORDER BY rank, id", [.text(state)]) { ids.append($0.text(0)) }
    return ids
  }

  private func settle(_ card: ProjectRecord, in column: KeptColumn, _ transaction: Transaction) throws {
    guard !column.isOpen else {
      try transaction.change(card) { $0.completedAt = nil }
      return
    }
    try transaction.comeAgain(after: card, columns: after)
    try transaction.change(card) { card in
      card.completedAt = transaction.now
      card.recurrence = nil
    }
  }
}
