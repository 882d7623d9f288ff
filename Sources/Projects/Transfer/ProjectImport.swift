import Contract
import Display
import Exchange
import Kit
import Store
import Wire

/// How far an import has come, and what became of the tasks until there.
struct ProjectImport: Sendable {
  var items = ItemImport<ProjectRecord>()
  /// Whether the columns of the file are on the board: they come with the first card that comes, or that comes to stand in
  /// one of them. Who has taken a column away is not to find it there again because of a file that brings nothing there.
  var hasColumns = false
  /// What to say of columns of the file that are called almost as one here, once they are on the board.
  var likeColumns: [(state: String, note: ImportNote)] = []

  /// Puts the next task in, unless it is there.
  ///
  /// What becomes of one that is there is decided by `TaskDecision`.
  mutating func take(
    _ reading: TaskReading, zone: Zone, columns: BoardColumns, isDryRun: Bool, in transaction: Transaction
  ) throws {
    let (index, snapshot) = (items.index, transaction.snapshot)
    var task = reading.tasks[index]
    let (id, record) = try reading.card(at: index, in: snapshot)
    items.index += 1
    task.noteZone(zone, of: reading)
    // One of our own lines whose revision is gone is an edit of nobody knows what, from then on of what it said first.
    if task.revision == nil, reading.format == .jsonl, let record, record.id == task.uid { task.revision = .lost }
    let own = task
    let waiting = record?.blockedBy ?? []
    task.blockedBy = try own.blockedBy.map { try reading.card(named: $0, by: own, waiting: waiting, in: snapshot) }
    try noteStrangers(of: own, as: task.blockedBy, waiting: waiting, reading, in: snapshot)
    task.keepColumn(in: columns, from: reading.board)
    guard let record else {
      if reading.edited.namesakes.contains(index) { note(.sameTitle, of: task) }
      try items.countAdded(id, at: task.place, title: task.title, in: snapshot)
      if isDryRun { return }
      let card = try insert(task, as: id, reading, columns: columns, in: transaction)
      return try items.storeConflicts(of: id, from: reading.source, in: transaction) {
        try card.saying(task, like: [card], in: columns)
      }
    }
    if task.series != nil { task.keepTemplate(of: try StoredSource(record)?.source, zone: zone) }
    try task.keepDeadline(of: record, in: reading, zone: zone, snapshot: snapshot)
    task.retainUnread(of: record, columns: columns)
    try noteCycle(of: task, as: record.id, waiting: waiting, in: snapshot)
    try settle(task, with: record, reading, zone, columns: columns, isDryRun: isDryRun, in: transaction)
  }

  /// Does what a task does to the card that it became.
  private mutating func settle(
    _ task: ForeignTask, with record: ProjectRecord, _ reading: TaskReading, _ zone: Zone,
    columns: BoardColumns, isDryRun: Bool, in transaction: Transaction
  ) throws {
    let decision = try TaskDecision.make(
      of: record, by: task, reading: reading, zone: zone, columns: columns, in: transaction.snapshot)
    items.count(decision, at: task.place, title: task.title)
    if isDryRun { return }
    switch decision.effect {
    case .nothing: try noteFile(of: record, reading, in: transaction)
    case .noteFile: try transaction.noteFile(of: decision, at: task.revision, from: reading.origin.path)
    case .storeSource: try storeSource(of: task, reading, decision, in: transaction)
    case .update: try update(decision, by: task, reading: reading, columns: columns, in: transaction)
    }
    try items.storeConflicts(of: decision, at: task.revision, from: reading.source, in: transaction) {
      try record.saying(task, like: [record], in: columns)
    }
  }

  mutating func note(_ reason: ImportNote.Reason, of task: ForeignTask, field: String? = nil, text: Text? = nil) {
    items.counts.notes.append(ImportNote(reason, at: task.place, title: task.title, field: field, text: text))
  }

  /// Tells what a task waits for that is neither in its file nor here, unless its card waits for it already. It stays in
  /// the task, and holds nothing up before it comes.
  private mutating func noteStrangers(
    of task: ForeignTask, as ids: [String], waiting: [String], _ reading: TaskReading, in snapshot: Snapshot
  ) throws {
    if ids.isEmpty { return }
    let strangers = try zip(task.blockedBy, ids).filter { name, id in
      try reading.placesByUID[name] == nil && !waiting.contains(id)
        && snapshot.find(ProjectRecord.self, id: id) == nil
    }
    if strangers.isEmpty { return }
    let names = strangers.prefix(3).map { String($0.0.prefix(64)) }.joined(separator: ", ")
    let text = Text("projects.waitsForStranger", ["names": names, "count": String(strangers.count)])
    note(.badValue, of: task, field: "blockedBy", text: text)
  }

  /// Tells of a card that is here already that it would wait in a circle, as those that come are told.
  private mutating func noteCycle(
    of task: ForeignTask, as card: String, waiting: [String], in snapshot: Snapshot
  ) throws {
    let isCycle = try task.blockedBy.contains { blocker in
      try !waiting.contains(blocker) && Blockers.wouldWait(card, for: blocker, in: snapshot.db)
    }
    if isCycle { note(.cycle, of: task) }
  }

  /// Notes where the list of a card lies by now, so that its next edit there is known as such. The card does not change
  /// by that.
  private func noteFile(of record: ProjectRecord, _ reading: TaskReading, in transaction: Transaction) throws {
    guard let path = reading.origin.path, !reading.origin.gone.isEmpty, var kept = try StoredSource(record),
      let file = kept.file, kept.source.format == reading.format, reading.origin.gone.contains(file)
    else { return }
    kept.file = path
    transaction.keepSilent()
    try transaction.db.run(
      #"UPDATE project SET "foreign" = ? WHERE id = ?"#, [.text(try StoredJSON(kept).json), .text(record.id)])
  }

  /// Stores anew what of a task has no field here.
  private func storeSource(
    of task: ForeignTask, _ reading: TaskReading, _ decision: ImportDecision<ProjectRecord>,
    in transaction: Transaction
  ) throws {
    guard let source = task.source else { return }
    try transaction.change(decision.item) { card in
      card = decision.merge.merged
      card.foreign = try StoredJSON(reading.kept(source, of: task, for: decision.item)).json
      card.foreignID = task.nameThere(for: decision.item)
    }
  }
}

extension TaskReading {
  /// What conflicts call the file.
  fileprivate var source: String { origin.path ?? format.rawValue }
}

extension ForeignTask {
  /// Keeps the column that a file names only where it is there, and is not at odds with what the task's state says. On a
  /// board of another order the same column may say another state, as the one where cards begin does elsewhere.
  ///
  /// - Parameter board: the one that the file was written of, if it says that.
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
