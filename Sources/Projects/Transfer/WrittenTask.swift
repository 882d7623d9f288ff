import Contract
import Display
import Exchange
import Kit
import SQLite
import Store
import Wire

/// Writes tasks into their cards.
extension ProjectImport {
  /// Adds the card of a task.
  mutating func insert(
    _ task: ExternalTask, as id: String, _ reading: TaskReading, _ boards: ImportedBoards,
    in transaction: Transaction
  ) throws -> ProjectRecord {
    try store(task.board, of: boards, in: transaction)
    var record = ProjectRecord()
    record.id = id
    record = try record.saying(task, in: boards.boards)
    try fill(&record, from: task, reading, in: transaction)
    record.movedAt = task.movedAt
    record.writtenAt = task.created ?? transaction.now
    let column = boards.boards.columns(of: record.board).column(for: task)
    record.mark(task, in: column, now: transaction.now)
    if Rank.isSound(task.rank) {
      record.rank = task.rank
      record = try transaction.insert(record)
      try Parents.notify(of: record.id, in: transaction)
    } else {
      record = try transaction.place(record, atEndOf: column.state)
    }
    try Parents.notifyParts(of: record.id, in: transaction)
    return record
  }

  mutating func update(
    _ decision: ImportDecision<ProjectRecord>, by task: ExternalTask, reading: TaskReading, _ boards: ImportedBoards,
    in transaction: Transaction
  ) throws {
    let old = decision.item
    var record = decision.merge.merged
    try fill(&record, from: task, reading, after: decision, in: transaction)
    let isOnOtherBoard = !sameBytes(record.board, old.board)
    if isOnOtherBoard || !sameBytes(record.state, old.state) {
      let columns = boards.boards.columns(of: record.board)
      let column = columns[record.state] ?? columns.column(for: task.state)
      // Columns of the file that the board lacks are added only if the card moves to one of them.
      if try BoardColumns(in: transaction.snapshot, of: record.board)[column.state] == nil || isOnOtherBoard {
        try store(record.board, of: boards, in: transaction)
      }
      record.state = column.state
      record.rank = try ColumnPlace(endOf: column.state, on: record.board, for: record.id, in: transaction.db)
        .take(in: transaction)
      record.mark(task, in: column, now: transaction.now)
      if column.isOpen { record.movedAt = task.movedAt ?? transaction.now }
      if boards.boards.isOpen(old), !column.isOpen { try passOn(&record, from: task, reading, in: transaction) }
    }
    try transaction.change(old) { $0 = record }
    let isOtherwiseOpen = boards.boards.isOpen(old) != boards.boards.isOpen(record)
    if isOtherwiseOpen { try Blockers.notifyWaiting(for: record.id, in: transaction) }
    if isOtherwiseOpen || old.parent != record.parent { try Parents.notify(of: record.id, in: transaction) }
  }

  private mutating func store(_ board: String, of boards: ImportedBoards, in transaction: Transaction) throws {
    if stored.insert(board).inserted { try boards.store(board, in: transaction) }
  }

  /// A recurring card that is finished creates its next card, as a move does.
  private mutating func passOn(
    _ record: inout ProjectRecord, from task: ExternalTask, _ reading: TaskReading, in transaction: Transaction
  ) throws {
    if !reading.goesOn(after: task), try transaction.insertNextCard(after: record) != nil {
      note(.cameAgain, of: task)
    }
    record.recurrence = nil
  }

  private mutating func fill(
    _ record: inout ProjectRecord, from task: ExternalTask, _ reading: TaskReading,
    after decision: ImportDecision<ProjectRecord>? = nil, in transaction: Transaction
  ) throws {
    if let old = decision?.item { try task.moveZone(of: &record, from: old, in: reading) }
    record.blockedBy = try blockers(record.blockedBy, of: task, as: record.id, in: transaction.db)
    if let parent = record.parent, decision == nil,
      try Parents.cycle(from: record.id, through: parent, in: transaction.db) != nil
    {
      record.parent = nil
      note(.cycle, of: task, field: "parent", text: Text("projects.partOfItself"))
    }
    let taken = try MergeBase(
      task.revision, from: reading.origin.path, at: transaction.clock, after: record.mergeBase, by: decision?.merge)
    if let taken { record.mergeBase = try taken.stored }
    let card = record
    if try !task.isOurs(elsewhereThan: StoredSource(card)?.source) {
      record.foreign = try task.source.map { try StoredJSON(reading.storedSource($0, of: task, for: card)).json }
    }
    // A card made here stays one, whatever file it was in.
    if let known = task.card.foreignID {
      record.foreignID = known
      return
    }
    record.foreignID = task.source == nil || task.revision != nil ? record.foreignID : task.uid ?? record.id
  }

  /// The blockers without those for which the card would wait in a cycle.
  private mutating func blockers(
    _ all: [String], of task: ExternalTask, as card: String, in db: Database
  ) throws -> [String] {
    let free = try all.filter { try !Blockers.wouldWait(card, for: $0, in: db) }
    if free.count < all.count {
      note(.cycle, of: task)
    }
    return free
  }
}

extension BoardColumns {
  /// The column for a task: its own, or else the column for its state.
  func column(for task: ExternalTask) -> StoredColumn {
    task.column.flatMap { self[$0] } ?? column(for: task.state)
  }

  /// The column for a state in a file.
  func column(for state: ExternalTask.State) -> StoredColumn {
    switch state {
    case .todo: first
    case .doing: all.first { $0.isOpen && sameBytes($0.state, "doing") } ?? all.first(where: isBegun) ?? first
    case .done: all.first { !$0.isOpen && sameBytes($0.state, "done") } ?? all.first { !$0.isOpen } ?? first
    }
  }

  private func isBegun(_ column: StoredColumn) -> Bool { column.isOpen && !sameBytes(column.state, first.state) }
}

extension ProjectRecord {
  /// Sets when it was begun and done, from its file or else now.
  fileprivate mutating func mark(_ task: ExternalTask, in column: StoredColumn, now: Instant) {
    completedAt = column.isOpen ? nil : task.completedAt ?? task.modified ?? now
    startedAt = task.startedAt ?? (task.state == .doing ? now : nil)
  }
}

extension ExternalTask {
  /// Whether the task is in one of our own files, while its card has a source of another format. That source is
  /// retained, since it holds unknown parts of another program, which are worth more than our own text.
  fileprivate func isOurs(elsewhereThan stored: TaskSource?) -> Bool {
    guard revision != nil, let stored else { return false }
    return source?.format != stored.format
  }
}
