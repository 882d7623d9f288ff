import Contract
import Display
import GRDB
import Store
import Wire

/// How far an import has come, and what became of the tasks until there.
struct ProjectTally: Sendable {
  var index = 0
  var counts = ImportCounts()
  /// Whether the columns of the file are on the board: they come with the first card that comes, or that comes to stand in
  /// one of them. Who has taken a column away is not to find it there again because of a file that brings nothing there.
  var hasColumns = false
  /// What to say of columns of the file that are called almost as one here, once they are on the board.
  var likeColumns: [(state: String, note: ImportNote)] = []

  /// Puts the next task in, unless it is there.
  ///
  /// What becomes of one that is there is said by `TaskChange`.
  mutating func take(
    _ reading: TaskReading, zone: Zone, columns: BoardColumns, isDryRun: Bool, in transaction: Transaction
  ) throws {
    var task = reading.tasks[index]
    let snapshot = transaction.snapshot
    let (id, record) = try reading.card(at: index, in: snapshot)
    index += 1
    task.noteZone(zone, of: reading)
    // One of our own lines whose revision is gone is an edit of nobody knows what, from then on of what it said first.
    if task.revision == nil, reading.format == .jsonl, let record, record.id == task.uid { task.revision = .lost }
    let own = task
    let waiting = record?.blockedBy ?? []
    task.blockedBy = try own.blockedBy.map { try reading.card(named: $0, by: own, waiting: waiting, in: snapshot) }
    try noteStrangers(of: own, as: task.blockedBy, waiting: waiting, reading, in: snapshot)
    task.keepColumn(in: columns, from: reading.board)
    guard let record else {
      counts.added += 1
      if reading.edited.namesakes.contains(index - 1) {
        counts.notes.append(ImportNote(.sameTitle, at: task.place, title: task.title))
      }
      try noteReturn(of: id, task, zone: zone, in: snapshot)
      if isDryRun { return }
      let card = try insert(task, as: id, reading, columns: columns, in: transaction)
      try keepConflicts([], of: task, with: card, reading, columns, in: transaction)
      return
    }
    if task.series != nil { task.keepTemplate(of: try KeptSource(record)?.source, zone: zone) }
    try task.keepDeadline(of: record, in: reading, zone: zone, snapshot: snapshot)
    task.keepUnread(of: record, columns: columns)
    try noteCycle(of: task, as: record.id, waiting: waiting, in: snapshot)
    try settle(task, with: record, reading, zone, columns: columns, isDryRun: isDryRun, in: transaction)
  }

  /// Does what a task does to the card that it became.
  private mutating func settle(
    _ task: ForeignTask, with record: ProjectRecord, _ reading: TaskReading, _ zone: Zone,
    columns: BoardColumns, isDryRun: Bool, in transaction: Transaction
  ) throws {
    let snapshot = transaction.snapshot
    switch try TaskChange(of: record, by: task, reading: reading, zone: zone, columns: columns, in: snapshot) {
    case .none:
      counts.known += 1
      if !isDryRun { try noteFile(of: record, reading, in: transaction) }
    case .update(let merged):
      counts.updated += 1
      count(merged.conflicts, of: task)
      if isDryRun { return }
      try update(record, to: merged, by: task, reading: reading, columns: columns, in: transaction)
      try keepConflicts(merged.conflicts, of: task, with: record, reading, columns, in: transaction)
    case .level(let merged):
      counts.known += 1
      count(merged.conflicts, of: task)
      if isDryRun { return }
      try note(merged, of: task, as: record, reading, in: transaction)
      // What was written here just now is nobody's word on what two versions stand of.
      if merged.conflicts.isEmpty, task.revision?.isPresent(of: record, in: snapshot) == true { return }
      try keepConflicts(merged.conflicts, of: task, with: record, reading, columns, in: transaction)
    case .conflict(let merged):
      counts.known += 1
      count(merged.conflicts, of: task)
      if isDryRun { return }
      try keep(task, of: reading, for: record, in: transaction)
      try keepConflicts(merged.conflicts, of: task, with: record, reading, columns, in: transaction)
    case .extras:
      counts.updated += 1
      if !isDryRun { try keep(task, of: reading, for: record, in: transaction) }
    case .handOver(let before):
      try handOver(
        task, of: reading, for: record, before: before, isOpen: columns.isOpen(record.state), isDryRun: isDryRun,
        in: transaction)
    case .bookkeeping:
      counts.known += 1
      if !isDryRun { try keep(task, of: reading, for: record, in: transaction) }
    }
  }

  private mutating func count(_ conflicts: [String], of task: ForeignTask) {
    if conflicts.isEmpty { return }
    counts.conflicts += 1
    counts.notes.append(.conflict(in: conflicts, at: task.place, title: task.title))
  }

  /// Keeps the file's version of the fields of which two stand.
  private func keepConflicts(
    _ conflicts: [String], of task: ForeignTask, with record: ProjectRecord, _ reading: TaskReading,
    _ columns: BoardColumns, in transaction: Transaction
  ) throws {
    try transaction.keepConflicts(
      in: conflicts, of: record.saying(task, like: [record], in: columns),
      from: reading.origin.path ?? reading.format.rawValue)
  }

  /// Tells of a card that comes that it was removed here.
  private mutating func noteReturn(of id: String, _ task: ForeignTask, zone: Zone, in snapshot: Snapshot) throws {
    guard let removed = try RemovedItem(ProjectRecord.self, id: id, in: snapshot) else { return }
    counts.notes.append(removed.note(at: task.place, title: task.title, zone: zone))
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
    counts.notes.append(
      ImportNote(.badValue, at: task.place, title: task.title, field: "blockedBy", text: text))
  }

  /// Tells of a card that is here already that it would wait in a circle, as those that come are told.
  private mutating func noteCycle(
    of task: ForeignTask, as card: String, waiting: [String], in snapshot: Snapshot
  ) throws {
    let isCycle = try task.blockedBy.contains { blocker in
      try !waiting.contains(blocker) && Blockers.wouldWait(card, for: blocker, in: snapshot.db)
    }
    if isCycle { counts.notes.append(ImportNote(.cycle, at: task.place, title: task.title)) }
  }

  /// Notes that a file of ours says what its card says. The card does not change by that, and has no new revision.
  private func note(
    _ merged: ItemMerge<ProjectRecord>, of task: ForeignTask, as record: ProjectRecord, _ reading: TaskReading,
    in transaction: Transaction
  ) throws {
    let taken = try TakenFile(
      task.revision, from: reading.origin.path, at: record.revision, said: merged.said, after: record.came,
      isLevel: merged.conflicts.isEmpty, isDisputed: !merged.conflicts.isEmpty)
    guard let taken, try taken.isNews(after: record.came, in: transaction.snapshot) else { return }
    transaction.keepSilent()
    try transaction.db.run(
      "UPDATE project SET came = ? WHERE id = ?", [.text(try taken.stored), .text(record.id)])
  }

  /// Notes where the list of a card lies by now, so that its next edit there is known as such. The card does not change
  /// by that.
  private func noteFile(of record: ProjectRecord, _ reading: TaskReading, in transaction: Transaction) throws {
    guard let path = reading.origin.path, !reading.origin.gone.isEmpty, var kept = try KeptSource(record),
      let file = kept.file, kept.source.format == reading.format, reading.origin.gone.contains(file)
    else { return }
    kept.file = path
    transaction.keepSilent()
    try transaction.db.run(
      #"UPDATE project SET "foreign" = ? WHERE id = ?"#, [.text(try StoredJSON(kept).json), .text(record.id)])
  }

  /// Keeps anew what of a task is nothing to us.
  private func keep(
    _ task: ForeignTask, of reading: TaskReading, for record: ProjectRecord, in transaction: Transaction,
    _ change: (inout ProjectRecord) throws -> Void = { _ in }
  ) throws {
    guard let source = task.source else { return }
    try transaction.change(record) { card in
      card.foreign = try StoredJSON(reading.kept(source, of: task, for: record)).json
      card.foreignID = Self.foreignID(of: record, task)
      try change(&card)
    }
  }

  /// A task that joined the card of its template has a name of its own.
  private static func foreignID(of record: ProjectRecord, _ task: ForeignTask) -> String? {
    task.series == nil || task.revision != nil ? record.foreignID : task.uid
  }

  /// Comes again from here on, or no more; unless that was changed here.
  private mutating func handOver(
    _ task: ForeignTask, of reading: TaskReading, for record: ProjectRecord, before: ForeignTask, isOpen: Bool,
    isDryRun: Bool, in transaction: Transaction
  ) throws {
    let (rule, ruleBefore) = (task.recurrence?.rule, before.recurrence?.rule)
    let isAsBefore = isOpen && record.recurrence?.rule == ruleBefore
    let isOther =
      isAsBefore && rule != ruleBefore && (rule == nil || record.deadline != nil)
    let joins = record.foreignID != Self.foreignID(of: record, task)
    if isOther || joins { counts.updated += 1 } else { counts.known += 1 }
    if isDryRun { return }
    try keep(task, of: reading, for: record, in: transaction) { card in
      if isOther {
        card.recurrence = try rule.map { try Recurrence(rule: $0).kept(deadline: card.deadline) }
      } else if joins, isAsBefore, let day = card.deadline {
        // From here on it counts from this task, as it does of all that come with their templates.
        card.recurrence?.start = day
        card.recurrence?.done = nil
      }
    }
  }
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
