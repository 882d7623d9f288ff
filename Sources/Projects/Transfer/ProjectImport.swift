import Contract
import Display
import Exchange
import Kit
import Store
import Wire

/// The progress of an import, and its results so far.
struct ProjectImport: Sendable {
  var items = ItemImport<ProjectRecord>()
  /// The boards that have the file's columns: they are added with the first card that is added, or that moves to one of
  /// them. A file that puts no card there does not restore a column that the user has removed.
  var stored: Set<String> = []
  /// Notes on columns of the file whose names are similar to existing ones, shown once they are on the board.
  var likeColumns: [LikeColumn] = []

  /// Imports the next task.
  ///
  /// `TaskDecision` decides what happens to an existing card.
  mutating func take(
    _ reading: TaskReading, zone: Zone, boards: ImportedBoards, isDryRun: Bool, in transaction: Transaction
  ) throws {
    let (index, snapshot) = (items.index, transaction.snapshot)
    var task = reading.tasks[index]
    let (id, record) = try reading.card(at: index, in: snapshot)
    items.index += 1
    task.noteZone(zone, of: reading)
    // A line of our own without a valid revision is an edit of an unknown state; later changes count from this line.
    if task.revision == nil, reading.format == .jsonl, let record, record.id == task.uid { task.revision = .lost }
    let own = task
    let waiting = record?.blockedBy ?? []
    task.blockedBy = try own.blockedBy.map { try reading.card(named: $0, by: own, waiting: waiting, in: snapshot) }
    let parent = try reading.parent(of: own, known: record?.parent, in: snapshot)
    task.parent = parent
    if reading.format == .markdown, !own.statesParent { task.source?.enclosing = parent }
    try noteMissingBlockers(of: own, as: task.blockedBy, waiting: waiting, reading, in: snapshot)
    try noteMissingParent(of: own, as: parent, known: record?.parent, reading, in: snapshot)
    let file = reading.boards.first { sameBytes($0.id, task.board) }
    if !task.board.isEmpty, boards.id(of: task.board) == nil {
      let text = Text("projects.tooManyBoards", ["most": String(CardBoardRecord.most)])
      note(.badValue, of: task, field: "board", text: text)
    }
    task.setBoard(in: boards, of: record)
    let here = task.board.isEmpty ? record?.board ?? boards.target : task.board
    task.keepColumn(in: boards.boards.columns(of: here), from: file?.whole)
    guard let record else {
      if reading.edited.namesakes.contains(index) { note(.sameTitle, of: task) }
      try items.countAdded(id, at: task.place, title: task.title, in: snapshot)
      if isDryRun { return }
      let card = try insert(task, as: id, reading, boards, in: transaction)
      return try items.storeConflicts(of: id, from: reading.source, in: transaction) {
        try card.saying(task, like: [card], in: boards.boards)
      }
    }
    if task.series != nil { task.keepTemplate(of: try StoredSource(record)?.source, zone: zone) }
    try task.keepDeadline(of: record, in: reading, zone: zone, snapshot: snapshot)
    task.retainUnread(of: record, boards: boards.boards)
    try noteCycle(of: task, as: record, in: snapshot)
    try settle(task, with: record, reading, zone, boards, isDryRun: isDryRun, in: transaction)
  }

  /// Applies a task to its existing card.
  private mutating func settle(
    _ task: ExternalTask, with record: ProjectRecord, _ reading: TaskReading, _ zone: Zone,
    _ boards: ImportedBoards, isDryRun: Bool, in transaction: Transaction
  ) throws {
    let decision = try TaskDecision.make(
      of: record, by: task, reading: reading, zone: zone, boards: boards, in: transaction.snapshot)
    items.count(decision, at: task.place, title: task.title)
    if isDryRun { return }
    switch decision.effect {
    case .nothing: try noteFile(of: record, reading, in: transaction)
    case .noteFile: try transaction.noteFile(of: decision, at: task.revision, from: reading.origin.path)
    case .storeSource: try storeSource(of: task, reading, decision, in: transaction)
    case .update: try update(decision, by: task, reading: reading, boards, in: transaction)
    }
    try items.storeConflicts(of: decision, at: task.revision, from: reading.source, in: transaction) {
      try record.saying(task, like: [record], in: boards.boards)
    }
  }

  mutating func note(_ reason: ImportNote.Reason, of task: ExternalTask, field: String? = nil, text: Text? = nil) {
    items.counts.notes.append(ImportNote(reason, at: task.place, title: task.title, field: field, text: text))
  }

  /// Notes blockers that are neither in the file nor in the library, unless the card waits for them already. They stay
  /// in the task, and block nothing until they are imported.
  private mutating func noteMissingBlockers(
    of task: ExternalTask, as ids: [String], waiting: [String], _ reading: TaskReading, in snapshot: Snapshot
  ) throws {
    if ids.isEmpty { return }
    let missing = try zip(task.blockedBy, ids).filter { name, id in
      try reading.placesByUID[name] == nil && !waiting.contains(id)
        && snapshot.find(ProjectRecord.self, id: id) == nil
    }
    if missing.isEmpty { return }
    let names = missing.prefix(3).map { String($0.0.prefix(64)) }.joined(separator: ", ")
    let text = Text("projects.waitsForStranger", ["names": names, "count": String(missing.count)])
    note(.badValue, of: task, field: "blockedBy", text: text)
  }

  /// The same for a parent: the card is shown without it until it is imported.
  private mutating func noteMissingParent(
    of task: ExternalTask, as id: String?, known: String?, _ reading: TaskReading, in snapshot: Snapshot
  ) throws {
    guard let name = task.parent, let id, id != known, reading.placesByUID[name] == nil,
      try snapshot.find(ProjectRecord.self, id: id) == nil
    else { return }
    let text = Text("projects.partOfStranger", ["name": String(name.prefix(64))])
    note(.badValue, of: task, field: "parent", text: text)
  }

  /// Notes that an existing card would wait in a cycle, as for new cards.
  private mutating func noteCycle(
    of task: ExternalTask, as card: ProjectRecord, in snapshot: Snapshot
  ) throws {
    let isCycle = try task.blockedBy.contains { blocker in
      try !card.blockedBy.contains(blocker) && Blockers.wouldWait(card.id, for: blocker, in: snapshot.db)
    }
    let parent = task.parent == card.parent ? nil : task.parent
    let isPartOfItself = try parent.map { try Parents.cycle(from: card.id, through: $0, in: snapshot.db) != nil }
    if isCycle { note(.cycle, of: task) }
    if isPartOfItself == true { note(.cycle, of: task, field: "parent", text: Text("projects.partOfItself")) }
  }

  /// Stores the current path of the card's list, so that its next edit there is recognised. This does not count as a
  /// change of the card.
  private func noteFile(of record: ProjectRecord, _ reading: TaskReading, in transaction: Transaction) throws {
    guard let path = reading.origin.path, !reading.origin.gone.isEmpty, var stored = try StoredSource(record),
      let file = stored.file, stored.source.format == reading.format, reading.origin.gone.contains(file)
    else { return }
    stored.file = path
    transaction.keepSilent()
    try transaction.db.run(
      #"UPDATE project SET "foreign" = ? WHERE id = ?"#, [.text(try StoredJSON(stored).json), .text(record.id)])
  }

  /// Stores the source text of a task, for the parts that no field holds.
  private func storeSource(
    of task: ExternalTask, _ reading: TaskReading, _ decision: ImportDecision<ProjectRecord>,
    in transaction: Transaction
  ) throws {
    guard let source = task.source else { return }
    try transaction.change(decision.item) { card in
      card = decision.merge.merged
      card.foreign = try StoredJSON(reading.storedSource(source, of: task, for: decision.item)).json
      card.foreignID = task.nameThere(for: decision.item)
    }
  }
}

extension TaskReading {
  /// The name of the file in conflicts.
  fileprivate var source: String { origin.path ?? format.rawValue }
}

extension ExternalTask {
  /// Replaces the board in the file by the one in the library. A task of a new card that names none is on the board of
  /// the import. In our own files a task without a board is on the default board; in others nothing is known of it.
  fileprivate mutating func setBoard(in boards: ImportedBoards, of record: ProjectRecord?) {
    if let id = boards.id(of: card.board) {
      card.board = id
    } else if record == nil {
      card.board = boards.target
    } else {
      let isStated = card.board.isEmpty && revision != nil && sameBytes(boards.target, CardBoardRecord.defaultID)
      card.board = isStated ? CardBoardRecord.defaultID : ""
    }
  }

  /// Keeps the column that a file names only if the board has it, and if it agrees with the state of the task. On a
  /// board in another order the same column may mean another state, such as the column where cards begin.
  ///
  /// - Parameter board: the board from which the file was written, if it states that.
  fileprivate mutating func keepColumn(in columns: BoardColumns, from board: BoardColumns?) {
    guard let name = column else { return }
    let here = Self.state(of: name, in: columns)
    let there = board?[name] == nil ? here : Self.state(of: name, in: board ?? columns)
    let isMeant = there == state && (here == .done) == (state == .done)
    if columns[name] == nil || !isMeant {
      column = nil
    } else {
      state = here
    }
  }
}
