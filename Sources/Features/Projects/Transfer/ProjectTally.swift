import Contract
import Display
import GRDB
import Store
import Wire

/// The tasks of a file on their way into the library.
struct TaskReading: Sendable {
  var format: TaskFormat
  var tasks: [ForeignTask]
  var notes: [ImportNote]
  /// Columns that the file has.
  var columns: [KeptColumn]
  /// The card that each task becomes, or is already.
  var ids: [String]
  var idsByUID: [String: String] = [:]
  var confirmation: LargeImport

  init(_ file: ForeignFile, format: TaskFormat, confirmation: LargeImport) {
    self.format = format
    self.confirmation = confirmation
    tasks = []
    ids = []
    notes = file.notes
    columns = file.columns
    var occurrences: [String: Int] = [:]
    var seen: Set<String> = []
    // A task that is left out stays in the file, before the next one that comes.
    var leftOut = ""
    for var task in file.tasks {
      if let reason = Self.refusal(of: task) {
        notes.append(ImportNote(reason, at: task.place, title: task.title))
        leftOut += Self.whole(task, format: format)
        continue
      }
      let id = Self.id(of: task, format: format, occurrences: &occurrences)
      guard seen.insert(id).inserted else {
        notes.append(ImportNote(.repeated, at: task.place, title: task.title))
        leftOut += Self.whole(task, format: format)
        continue
      }
      if !leftOut.isEmpty, let before = task.source?.before {
        task.source?.before = leftOut + before
        leftOut = ""
      }
      if let uid = task.uid { idsByUID[uid] = id }
      tasks.append(task)
      ids.append(id)
    }
    if let last = tasks.indices.last { tasks[last].source?.after += leftOut }
    guard let head = tasks.first?.source?.before, format != .jsonl, !head.isEmpty, head.utf8.count <= Self.longestHead
    else { return }
    for index in tasks.indices { tasks[index].source?.head = head }
  }

  /// Each card has a copy.
  private static let longestHead = 4_096

  /// A task with what stands around it, as far as it can be kept.
  private static func whole(_ task: ForeignTask, format: TaskFormat) -> String {
    guard let source = task.source, source.format == format, format != .taskwarrior else { return "" }
    let text = source.before + source.text + source.after
    return text.hasNUL ? "" : text
  }

  /// Whether the file itself has the next of a task that comes again, as programs write it that tick one off.
  func goesOn(after task: ForeignTask) -> Bool {
    guard let rule = task.recurrence else { return false }
    return tasks.contains {
      $0.state != .done && $0.recurrence == rule && sameBytes($0.title, task.title) && $0.place != task.place
    }
  }

  private static func refusal(of task: ForeignTask) -> ImportNote.Reason? {
    if task.title.hasNUL || task.body.hasNUL || task.source?.text.hasNUL == true { return .notText }
    if task.title.isEmpty { return .blank }
    let isLong =
      task.title.unicodeScalars.count > ProjectContent.longestTitle
      || task.body.unicodeScalars.count > ProjectContent.longestBody
    return isLong ? .tooLong : nil
  }

  private static func id(of task: ForeignTask, format: TaskFormat, occurrences: inout [String: Int]) -> String {
    if let uid = task.uid {
      if task.revision != nil, let own = ProjectID(validating: uid) { return own.text }
      return id(ofUID: uid, format: format)
    }
    // What is in it tells it, but for what is ticked off: the same task is done one day. Who wrote the same twice wrote
    // it twice.
    let parts = [
      task.title, task.body, task.due?.description ?? "", task.created?.description ?? "",
      task.tags.joined(separator: " "),
    ]
    let key = "projects/\(format.rawValue)/" + parts.joined(separator: "\u{1F}")
    let earlier = occurrences[key, default: 0]
    occurrences[key] = earlier + 1
    return DerivedID.text(of: "\(earlier)/\(key)")
  }

  static func id(ofUID uid: String, format: TaskFormat) -> String {
    DerivedID.text(of: "projects/\(format.rawValue)#\(uid)")
  }
}

/// How far an import has come, and what became of the tasks until there.
struct ProjectTally: Sendable {
  var index = 0
  var counts = ImportCounts()

  /// Puts the next task in, unless it is there.
  ///
  ///     no such card                           it comes
  ///     the card says the same                 nothing
  ///     the file says what it said before      nothing: the card was changed here
  ///     the file says the same, but for what   only that is kept anew
  ///       is nothing to us
  ///     only the file has changed since        the card follows
  ///     both have changed since                both are kept: the file's comes as a card of its own
  mutating func take(
    _ reading: TaskReading, zone: Zone, columns: BoardColumns, isDryRun: Bool, in transaction: Transaction
  ) throws {
    var task = reading.tasks[index]
    let id = reading.ids[index]
    index += 1
    let snapshot = transaction.snapshot
    task.blockedBy = try task.blockedBy.map { try Self.card(named: $0, in: reading, snapshot) }
    task.keepColumn(in: columns)
    guard let record = try snapshot.find(ProjectRecord.self, id: id) else {
      counts.added += 1
      if !isDryRun { try insert(task, as: id, columns: columns, in: transaction) }
      return
    }
    switch try Self.change(of: record, by: task, reading: reading, zone: zone, columns: columns, in: snapshot) {
    case .none: counts.known += 1
    case .update:
      counts.updated += 1
      if !isDryRun { try update(record, to: task, reading: reading, columns: columns, in: transaction) }
    case .extras:
      counts.updated += 1
      guard !isDryRun, let source = task.source else { return }
      try transaction.change(record) {
        $0.foreign = try StoredJSON(KeptSource(source, place: task.place.number)).json
      }
    case .conflict:
      let key =
        "\(id)/\(task.source?.text ?? "")/\(task.title)/\(task.body)/\(task.state.rawValue)/\(task.due?.description ?? "")"
      let copy = DerivedID.text(of: key)
      guard try snapshot.find(ProjectRecord.self, id: copy) == nil else {
        counts.known += 1
        return
      }
      counts.added += 1
      counts.notes.append(ImportNote(.conflict, at: task.place, title: task.title))
      if !isDryRun { try insert(task, as: copy, columns: columns, in: transaction) }
    }
  }

  private enum Change {
    case none, update, conflict
    /// Only what is nothing to us has changed in the file.
    case extras
  }

  private static func change(
    of record: ProjectRecord, by task: ForeignTask, reading: TaskReading, zone: Zone, columns: BoardColumns,
    in snapshot: Snapshot
  ) throws -> Change {
    let card = try ForeignTask(record, columns: columns)
    var task = task
    task.blockedBy = try possible(task.blockedBy, for: record, in: snapshot)
    let kept = try KeptSource(record)?.source
    if let revision = task.revision {
      if card.isSameCard(as: task) { return .none }
      if let kept, let source = task.source, kept.format == reading.format, source.format == reading.format,
        kept.says(source)
      {
        return .none
      }
      if revision == record.revision { return .update }
      // An old file that nobody has edited says what the card said then.
      return try CardHistory(record, in: snapshot).had(task, at: revision, columns: columns) ? .none : .conflict
    }
    guard let kept, let source = task.source, kept.format == source.format,
      var before = kept.task(zone: zone)
    else { return card.isSameCard(as: task) ? .none : .conflict }
    if kept.says(source) { return .none }
    before.blockedBy = try possible(
      before.blockedBy.map { try Self.card(named: $0, in: reading, snapshot) }, for: record, in: snapshot)
    if before.isSameCard(as: task) { return .extras }
    // Nobody touched the card, or both came to say the same.
    return card.isSameCard(as: before) || card.isSameCard(as: task) ? .update : .conflict
  }

  /// The cards of a file that a card can wait for: for the others it would wait in a circle, and they stay in its text.
  private static func possible(
    _ blockers: [String], for record: ProjectRecord, in snapshot: Snapshot
  ) throws -> [String] {
    if blockers.isEmpty { return [] }
    let own = try record.blockers
    return try blockers.filter { try own.contains($0) || !Blockers.wouldWait(record.id, for: $0, in: snapshot.db) }
  }

  /// The card that a file means by a name: one in the file, else one of ours, else the one that this name always becomes,
  /// whether it has come already or not.
  private static func card(named uid: String, in reading: TaskReading, _ snapshot: Snapshot) throws -> String {
    if let id = reading.idsByUID[uid] { return id }
    if let own = ProjectID(validating: uid), try snapshot.find(ProjectRecord.self, id: own.text) != nil { return uid }
    return TaskReading.id(ofUID: uid, format: reading.format)
  }

  private mutating func insert(
    _ task: ForeignTask, as id: String, columns: BoardColumns, in transaction: Transaction
  ) throws {
    var record = ProjectRecord()
    record.id = id
    try fill(&record, from: task, in: transaction)
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
    _ old: ProjectRecord, to task: ForeignTask, reading: TaskReading, columns: BoardColumns,
    in transaction: Transaction
  ) throws {
    var record = old
    try fill(&record, from: task, in: transaction)
    let column = columns.column(for: task)
    let isElsewhere = task.column != nil && !sameBytes(column.state, old.state)
    if isElsewhere || task.state != ForeignTask.state(of: old.state, in: columns) {
      record.state = column.state
      record.rank = try ColumnPlace(endOf: column.state, for: record.id, in: transaction.db).take(in: transaction)
      record.mark(task, in: column, now: transaction.now)
      if column.isOpen { record.movedAt = transaction.now }
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
    if !reading.goesOn(after: task), try transaction.comeAgain(after: record, columns: columns) {
      counts.notes.append(ImportNote(.cameAgain, at: task.place, title: task.title))
    }
    record.recurrence = nil
  }

  private mutating func fill(_ record: inout ProjectRecord, from task: ForeignTask, in transaction: Transaction) throws
  {
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
    record.foreign = try task.source.map { try StoredJSON(KeptSource($0, place: task.place.number)).json }
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
  /// Keeps the column that a file names only where it is there, and is not at odds with what the task's state says.
  fileprivate mutating func keepColumn(in columns: BoardColumns) {
    guard let name = column else { return }
    if columns[name] == nil || Self.state(of: name, in: columns) != state { column = nil }
  }
}
