import Contract
import Store

/// What becomes of the cards of a column that is opened or closed.
///
/// A column that is closed finishes its cards as if each had been moved into it now: `completedAt` is now, a recurring
/// card brings its next one, and who waited for a card is free. One that is opened has nothing finished in it:
/// `completedAt` goes, and who waits for a card waits again. When a card was begun stays, as nobody has moved it.
struct ColumnTurn {
  let before: BoardColumns
  let after: BoardColumns

  func settle(in transaction: Transaction) throws {
    let turned = after.all.filter { column in
      before[column.state].map { $0.isOpen != column.isOpen } ?? false
    }
    let cards = try turned.map { column in
      try ProjectRecord.all(in: transaction.db, "WHERE state = ? ORDER BY rank, id", [.text(column.state)])
    }
    for (column, cards) in zip(turned, cards) {
      for card in cards { try settle(card, in: column, transaction) }
    }
    // When all are settled: of two that wait for each other's column both are told as they are then.
    for card in cards.joined() { try Blockers.tellWaiting(for: card.id, in: transaction) }
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
