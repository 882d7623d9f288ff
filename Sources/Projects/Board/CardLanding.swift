import Contract
import Kit
import SearchEngine
import Store
import Wire

/// The column in which a card lands on another board.
struct CardLanding {
  var column: StoredColumn
  /// States that the card could not stay in its column; nil if it could.
  var note: Text?
}

extension CardBoards {
  /// The column of the same name or title that is open or closed alike, else the first open one; for a finished card
  /// the first closed one, if the board has any.
  func landing(of card: ProjectRecord, on board: String, in snapshot: Snapshot) -> CardLanding {
    let (from, to) = (columns(of: card.board), columns(of: board))
    func title(_ column: StoredColumn) -> String { column.title(for: snapshot.reader, services: snapshot.services) }
    let old = from[card.state] ?? StoredColumn(state: card.state, title: nil, isOpen: true)
    let folded = foldedText(title(old))
    // A card is neither finished nor reopened by a move to another board, if that has such a column.
    let same = [to[card.state], to.all.first { sameBytes(foldedText(title($0)), folded) }].compactMap(\.self)
    if let same = same.first(where: { $0.isOpen == old.isOpen }) { return CardLanding(column: same) }
    let column = (old.isOpen ? nil : to.all.first { !$0.isOpen }) ?? to.first
    let names = [
      "board": self[board]?.title(in: snapshot) ?? board, "column": title(old), "landed": title(column),
    ]
    return CardLanding(column: column, note: Text("projects.landed", names))
  }
}

extension Transaction {
  /// Moves a card to a place in a column, which may be on another board. A recurring card that is finished by it gets
  /// its next card.
  ///
  /// - Parameter rank: the end of the column unless given.
  @discardableResult
  func move(
    _ record: ProjectRecord, to column: StoredColumn, on board: String, at rank: String? = nil
  ) throws -> (moved: ProjectRecord, next: ProjectRecord?) {
    let wasOpen = try BoardColumns(in: snapshot, of: record.board).isOpen(record.state)
    let isFirst = try sameBytes(column.state, BoardColumns(in: snapshot, of: board).first.state)
    // In a column that is just being closed, a card may be unfinished.
    let isDone = !column.isOpen && (wasOpen || record.completedAt == nil)
    let isElsewhere = !sameBytes(column.state, record.state) || !sameBytes(board, record.board)
    let rank = try rank ?? ColumnPlace(endOf: column.state, on: board, for: record.id, in: db).take(in: self)
    var finished = record
    finished.board = board
    let next = isDone ? try insertNextCard(after: finished) : nil
    let moved = try change(record) { record in
      (record.board, record.state, record.rank) = (board, column.state, rank)
      if isDone {
        record.completedAt = now
        record.stopClock(at: now)
        record.recurrence = nil
      }
      if column.isOpen {
        record.completedAt = nil
        record.startedAt = isFirst ? nil : record.startedAt ?? now
        if isElsewhere { record.movedAt = now }
      }
    }
    if wasOpen != column.isOpen {
      try Blockers.notifyWaiting(for: record.id, in: self)
      try Parents.notify(of: record.id, in: self)
    }
    return (moved, next)
  }
}
