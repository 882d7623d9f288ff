import Contract
import Display
import GRDB
import Store
import Wire

/// How far an import has come, and what became of the tasks until there.
struct ProjectTally: Sendable {
  var index = 0
  var counts = ImportCounts()

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
    let own = task
    let waiting = try record?.blockers ?? []
    task.blockedBy = try own.blockedBy.map { try reading.card(named: $0, by: own, waiting: waiting, in: snapshot) }
    try noteStrangers(of: own, as: task.blockedBy, waiting: waiting, reading, in: snapshot)
    task.keepColumn(in: columns)
    guard let record else {
      counts.added += 1
      if reading.edited.namesakes.contains(index - 1) {
        counts.notes.append(ImportNote(.sameTitle, at: task.place, title: task.title))
      }
      if !isDryRun { try insert(task, as: id, reading, columns: columns, in: transaction) }
      return
    }
    if task.series != nil { task.keepTemplate(of: try KeptSource(record)?.source, zone: zone) }
    try task.keepDeadline(of: record, in: reading, zone: zone, snapshot: snapshot)
    switch try TaskChange(of: record, by: task, reading: reading, zone: zone, columns: columns, in: snapshot) {
    case .none: counts.known += 1
    case .update(let task, let said):
      counts.updated += 1
      if !isDryRun { try update(record, to: task, said: said, reading: reading, columns: columns, in: transaction) }
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
    case .conflict:
      let copy = Self.copyID(of: id, task, waitingFor: own.blockedBy, in: reading.format)
      guard try snapshot.find(ProjectRecord.self, id: copy) == nil else {
        counts.known += 1
        return
      }
      counts.added += 1
      counts.notes.append(ImportNote(.conflict, at: task.place, title: task.title))
      // What stands around the task in its file stays the first card's, and so does its name there.
      task.source?.before = ""
      task.source?.after = ""
      if !isDryRun { try insert(task, as: copy, reading, columns: columns, isCopy: true, in: transaction) }
    }
  }

  /// The card that a task becomes beside the one that was changed here: another one whenever the file says something else.
  private static func copyID(
    of id: String, _ task: ForeignTask, waitingFor blockers: [String], in format: TaskFormat
  ) -> String {
    var parts = [
      id, task.source?.text ?? "", task.title, task.body, task.state.rawValue, task.due?.description ?? "",
    ]
    if format == .jsonl {
      // Whose text, if there is any, is that of the file in which the card came once.
      parts += [task.time, task.priority.map(String.init), task.recurrence, task.recurrenceDetails, task.column].map {
        $0 ?? ""
      }
      parts += [task.tags, blockers].map { $0.joined(separator: "\u{1F}") }
    }
    return DerivedID.text(of: parts.joined(separator: "/"))
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
    let isAsBefore = try isOpen && record.recurrenceValue?.rule == before.recurrence
    let isOther =
      isAsBefore && task.recurrence != before.recurrence && (task.recurrence == nil || record.deadline != nil)
    let joins = record.foreignID != Self.foreignID(of: record, task)
    if isOther || joins { counts.updated += 1 } else { counts.known += 1 }
    if isDryRun { return }
    try keep(task, of: reading, for: record, in: transaction) { card in
      if isOther {
        card.recurrence = try task.recurrence.map { rule in
          try StoredJSON(Recurrence(rule: rule).kept(deadline: card.deadline)).json
        }
      } else if joins, isAsBefore, var recurrence = try card.recurrenceValue, let day = card.deadline {
        // From here on it counts from this task, as it does of all that come with their templates.
        (recurrence.start, recurrence.done) = (day, nil)
        card.recurrence = try StoredJSON(recurrence).json
      }
    }
  }

  private mutating func insert(
    _ task: ForeignTask, as id: String, _ reading: TaskReading, columns: BoardColumns, isCopy: Bool = false,
    in transaction: Transaction
  ) throws {
    var record = ProjectRecord()
    record.id = id
    try fill(&record, from: task, reading, in: transaction)
    if isCopy {
      // The file's is the other one.
      record.came = nil
      if task.uid != nil { record.foreignID = nil }
    }
    record.movedAt = task.moved
    record.writtenAt = task.created ?? transaction.now
    let column = columns.column(for: task)
    record.mark(task, in: column, now: transaction.now)
    if let rank = task.rank, Rank.isSound(rank) {
      record.state = column.state
      record.rank = rank
      try transaction.insert(record)
    } else {
      try transaction.place(record, atEndOf: column.state)
    }
  }

  private mutating func update(
    _ old: ProjectRecord, to task: ForeignTask, said: JSONObject, reading: TaskReading, columns: BoardColumns,
    in transaction: Transaction
  ) throws {
    var record = old
    try fill(&record, from: task, said: said, reading, in: transaction)
    let column = columns.column(for: task)
    let isElsewhere = task.column != nil && !sameBytes(column.state, old.state)
    if isElsewhere || task.state != ForeignTask.state(of: old.state, in: columns) {
      record.state = column.state
      record.rank = try ColumnPlace(endOf: column.state, for: record.id, in: transaction.db).take(in: transaction)
      record.mark(task, in: column, now: transaction.now)
      if column.isOpen { record.movedAt = task.moved ?? transaction.now }
      if columns.isOpen(old.state), !column.isOpen {
        try passOn(&record, from: task, reading, columns, in: transaction)
      }
    }
    try transaction.change(old) { $0 = record }
    if columns.isOpen(old.state) != columns.isOpen(record.state) {
      try Blockers.tellWaiting(for: record.id, in: transaction)
    }
  }

  /// A recurring card that is done brings its next one, as a move does.
  private mutating func passOn(
    _ record: inout ProjectRecord, from task: ForeignTask, _ reading: TaskReading, _ columns: BoardColumns,
    in transaction: Transaction
  ) throws {
    if !reading.goesOn(after: task), try transaction.comeAgain(after: record, columns: columns) != nil {
      counts.notes.append(ImportNote(.cameAgain, at: task.place, title: task.title))
    }
    record.recurrence = nil
  }

  private mutating func fill(
    _ record: inout ProjectRecord, from task: ForeignTask, said: JSONObject = [:], _ reading: TaskReading,
    in transaction: Transaction
  ) throws {
    try task.moveZone(of: &record, in: reading)
    record.title = task.title
    record.body = task.body
    record.deadline = task.due
    record.time = task.time
    record.priority = task.priority
    record.tags = try StoredJSON(task.tags)
    record.blockedBy = try StoredJSON(try blockers(of: task, as: record.id, in: transaction.db))
    record.recurrence = try task.recurrence.map { rule in
      var recurrence = task.ownRecurrence ?? Recurrence(rule: rule)
      recurrence.rule = rule
      return try StoredJSON(recurrence.kept(deadline: task.due)).json
    }
    if let taken = TakenFile(task.revision, from: reading.origin.path, at: transaction.clock, said: said) {
      record.came = try taken.stored
    }
    let card = record
    if try !task.isOurs(elsewhereThan: KeptSource(card)?.source) {
      record.foreign = try task.source.map { try StoredJSON(reading.kept($0, of: task, for: card)).json }
    }
    // A card of our own stays one, wherever its file has been.
    if let known = task.foreignID {
      record.foreignID = known
      return
    }
    record.foreignID = task.source == nil || task.revision != nil ? record.foreignID : task.uid ?? record.id
  }

  /// Without those for which the card would wait in a circle.
  private mutating func blockers(of task: ForeignTask, as card: String, in db: Database) throws -> [String] {
    guard !task.blockedBy.isEmpty else { return [] }
    let free = try task.blockedBy.filter { try !Blockers.wouldWait(card, for: $0, in: db) }
    if free.count < task.blockedBy.count {
      counts.notes.append(ImportNote(.cycle, at: task.place, title: task.title))
    }
    return free
  }
}

extension BoardColumns {
  /// The column in which a task is to stand: its own, or else the one that means what its file says of it.
  fileprivate func column(for task: ForeignTask) -> KeptColumn {
    task.column.flatMap { self[$0] } ?? column(for: task.state)
  }

  /// The column that means what a file says of a task.
  fileprivate func column(for state: ForeignTask.State) -> KeptColumn {
    switch state {
    case .todo: first
    case .doing: all.first { $0.isOpen && sameBytes($0.state, "doing") } ?? all.first(where: isBegun) ?? first
    case .done: all.first { !$0.isOpen && sameBytes($0.state, "done") } ?? all.first { !$0.isOpen } ?? first
    }
  }

  private func isBegun(_ column: KeptColumn) -> Bool { column.isOpen && !sameBytes(column.state, first.state) }
}

extension ProjectRecord {
  /// When it was begun and done, as its file says or as of now.
  fileprivate mutating func mark(_ task: ForeignTask, in column: KeptColumn, now: Instant) {
    completedAt = column.isOpen ? nil : task.completed ?? task.modified ?? now
    startedAt = task.started ?? (task.state == .doing ? now : nil)
  }
}

extension ForeignTask {
  /// Whether it comes in a file of ours, and its card from a program of another format: what that one says of it, and we
  /// know nothing of, is worth more than our own words in another format.
  fileprivate func isOurs(elsewhereThan kept: ForeignSource?) -> Bool {
    guard revision != nil, let kept else { return false }
    return source?.format != kept.format
  }

  /// Keeps the column that a file names only where it is there, and is not at odds with what the task's state says.
  fileprivate mutating func keepColumn(in columns: BoardColumns) {
    guard let name = column else { return }
    if columns[name] == nil || Self.state(of: name, in: columns) != state { column = nil }
  }
}
