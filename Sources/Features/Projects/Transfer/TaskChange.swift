import Contract
import Display
import Store
import Wire

/// What a task in a file does to the card that it became.
///
///     the card says the same                 nothing
///     the file says what it said before      nothing: the card was changed here
///     the file says the same, but for what   only that is kept anew: words of other programs, and what stands around the
///       is nothing to us                       task
///     only which task of a template goes on  the card comes again, or does so no more
///     only the file has changed since        the card follows
///     the file says what the card said       nothing: the file is old
///       here since
///     both have changed                      the card follows, and keeps what was changed here; of a field that both
///                                              changed to different things the file's version stands beside it
///
/// "Before" is what the file said when it was last taken over, or what was written into it here since; of a file of ours,
/// which says the revision and the history that it was written of, it is what `FileVerdict` says.
enum TaskChange {
  case none
  /// The card becomes this: what the file says, with what was changed here.
  case update(ItemMerge<ProjectRecord>)
  /// The card says all of it already, but for what the file of ours said of fields that were changed here: only noted, so
  /// that an edit of the file is known by it.
  case level(ItemMerge<ProjectRecord>)
  /// Only what is nothing to us has changed in the file.
  case extras
  /// Only whether it goes on for the template that it was made from has changed in the file.
  case handOver(from: ForeignTask)
  /// Only what is the same for all tasks of the file has changed, or what the card says already or said when it was
  /// written into the file: nothing to be told.
  case bookkeeping
  /// The same, but that the file's version of some fields stands beside that of the card.
  case conflict(ItemMerge<ProjectRecord>)

  init(
    of record: ProjectRecord, by task: ForeignTask, reading: TaskReading, zone: Zone, columns: BoardColumns,
    in snapshot: Snapshot
  ) throws {
    var task = task
    task.blockedBy = try Self.possible(task.blockedBy, for: record, in: snapshot)
    let whole = try KeptSource(record)
    let kept = whole?.source
    let isElsewhere = !reading.origin.isSame(as: whole?.file)
    self =
      if let revision = task.revision {
        try Self.own(record, task, revision, kept, reading, columns, in: snapshot)
      } else {
        try Self.foreign(record, task, kept, isElsewhere: isElsewhere, reading, zone, columns, in: snapshot)
      }
  }

  /// A task that one of our own exports wrote.
  private static func own(
    _ record: ProjectRecord, _ task: ForeignTask, _ revision: FileRevision, _ kept: ForeignSource?,
    _ reading: TaskReading, _ columns: BoardColumns, in snapshot: Snapshot
  ) throws -> TaskChange {
    let isUntouched = kept.flatMap { kept in task.source.map { kept.format == $0.format && kept.says($0) } } ?? false
    let card = ForeignTask(record, columns: columns)
    let isSame = card.isSameCard(as: task)
    if isUntouched && reading.format == kept?.format || isSame {
      let change = surroundings(of: task, kept, reading)
      if isSame, case .none = change { return .level(ItemMerge(ProjectRecord.fields, keeping: record)) }
      return change
    }
    // Which task of a template comes again is not for the card to say.
    let isMade = task.series != nil
    let verdict = try record.verdict(
      of: revision, after: isMade ? nil : record.came, isSame: reading.origin.isSame, in: snapshot,
      says: { record in
        let state = ForeignTask(record, columns: columns)
        return isMade ? state.isSameTask(as: task) : state.isSameCard(as: task)
      })
    switch verdict {
    case .known:
      guard let series = task.series, series.hasTemplate, !series.goesOn else { return .none }
      return .handOver(from: card)
    case .edited(let base, let later, let wasSaid):
      let isOld = try TakenFile.isLater(record.came, than: revision, in: snapshot)
      let merge = try merge(task, with: record, since: base, later: later, isOld: isOld, columns)
      if !merge.conflicts.isEmpty, wasSaid { return .none }
      return merge.isChange ? .update(merge) : .level(merge)
    case .unknown(let states):
      // Words of several times together nobody ever said: only of a file that is known to be old that is no edit. Of a
      // task that was made from a template that is not asked.
      if !isMade, try TakenFile.isLater(record.came, than: revision, in: snapshot),
        try task.saysNothingNew(to: states, columns: columns)
      {
        return .none
      }
      return .level(try task.merged(with: record, since: nil, columns: columns))
    }
  }

  /// Of a task that was made from a template nothing is merged as soon as both have changed.
  private static func merge(
    _ task: ForeignTask, with record: ProjectRecord, since base: ProjectRecord, later: [ProjectRecord],
    isOld: Bool = false, _ columns: BoardColumns
  ) throws -> ItemMerge<ProjectRecord> {
    guard task.series != nil else {
      return try task.merged(with: record, since: base, later: later, isOld: isOld, columns: columns)
    }
    let isAsBefore = ForeignTask(record, columns: columns).isSameCard(as: ForeignTask(base, columns: columns))
    return try task.merged(with: record, since: isAsBefore ? record : nil, columns: columns)
  }

  /// A task of another program.
  private static func foreign(
    _ record: ProjectRecord, _ task: ForeignTask, _ kept: ForeignSource?, isElsewhere: Bool, _ reading: TaskReading,
    _ zone: Zone, _ columns: BoardColumns, in snapshot: Snapshot
  ) throws -> TaskChange {
    let card = ForeignTask(record, columns: columns)
    guard let kept, let source = task.source, kept.format == source.format, var before = kept.task(zone: zone) else {
      if card.isSameCard(as: task) { return .none }
      return .conflict(try task.merged(with: record, since: nil, columns: columns))
    }
    if kept.says(source) { return isElsewhere ? .none : surroundings(of: task, kept, reading) }
    // Only where it is needed: of most tasks the text alone has changed.
    var known: [(clock: Int64, state: ProjectRecord)]?
    func states() throws -> [(clock: Int64, state: ProjectRecord)] {
      let states = try known ?? record.states(in: snapshot)
      known = states
      return states
    }
    // By what its program says of itself it is from before the one that came last.
    if let last = before.modified, let modified = task.modified, modified < last,
      try wasSaid(task, by: states(), columns)
    {
      return .none
    }
    // In another list that is still there, what the card once said is only old.
    if isElsewhere, try wasSaid(task, by: states(), columns) { return .none }
    if let written = try task.written(since: before, of: states, columns, in: snapshot) {
      before = written
      // Whatever became of the card since: nobody has edited it.
      if before.isSameCard(as: task), task.unread.isEmpty || card.isSameCard(as: task) { return .bookkeeping }
    } else {
      before.blockedBy = try possible(
        before.blockedBy.map { try reading.card(named: $0, in: snapshot) }, for: record, in: snapshot)
      // What the card said when its file came with such a value is not known any more; whatever was said here since it
      // said something for the first time may be ours.
      if !before.unread.isEmpty, let first = try states().last {
        before.keepUnread(of: first.state, columns: columns)
      }
    }
    // A value that means nothing takes the place of none that did.
    if before.isSameCard(as: task) { return task.unread.isSubset(of: before.unread) ? .extras : .none }
    if task.series != nil, before.isSameTask(as: task) || card.isSameTask(as: task) { return .handOver(from: before) }
    if card.isSameCard(as: task) { return .update(try task.merged(with: record, since: record, columns: columns)) }
    // What it said here since then, and went out as, is only old.
    let since = try states().prefix { !ForeignTask($0.state, columns: columns).isSameCard(as: before) }
    let base = try record.saying(before, in: columns)
    let merge = try merge(task, with: record, since: base, later: since.map(\.state), columns)
    if !merge.conflicts.isEmpty, wasSaid(task, by: since, columns) { return .none }
    if merge.isChange { return .update(merge) }
    return merge.conflicts.isEmpty ? .bookkeeping : .conflict(merge)
  }

  private static func wasSaid(
    _ task: ForeignTask, by states: some Sequence<(clock: Int64, state: ProjectRecord)>, _ columns: BoardColumns
  ) -> Bool {
    states.contains { ForeignTask($0.state, columns: columns).isSameCard(as: task) }
  }

  /// What stands around a task that says what it said: text of people in Markdown, components that are no tasks in
  /// iCalendar, the templates of recurring tasks.
  private static func surroundings(
    of task: ForeignTask, _ kept: ForeignSource?, _ reading: TaskReading
  ) -> TaskChange {
    guard let source = task.source, source.format == reading.format else { return .none }
    guard let kept, kept.format == source.format else {
      // A card made here, into whose file somebody has written. iCalendar's has always something around its tasks.
      let isWritten = reading.format == .markdown && !(source.before + source.after).allSatisfy(\.isWhitespace)
      return isWritten && kept == nil ? .extras : .none
    }
    // The head of our own iCalendar file is on whichever task comes first.
    if task.revision != nil, reading.format != .markdown { return .none }
    let isSame =
      reading.format == .ics
      ? kept.hasSameSurroundings(as: source, among: reading.components) : kept.hasSameSurroundings(as: source)
    guard isSame else { return reading.format == .taskwarrior ? .bookkeeping : .extras }
    let isHeadKnown = sameBytes(source.head ?? "", kept.head ?? "")
    return isHeadKnown || reading.format == .ics ? .none : .bookkeeping
  }

  /// The cards of a file that a card can wait for: for the others it would wait in a circle, and they stay in its text.
  private static func possible(
    _ blockers: [String], for record: ProjectRecord, in snapshot: Snapshot
  ) throws -> [String] {
    if blockers.isEmpty { return [] }
    return try blockers.filter {
      try record.blockedBy.contains($0) || !Blockers.wouldWait(record.id, for: $0, in: snapshot.db)
    }
  }
}

extension ForeignTask {
  /// What its card said when its text was written here, where that was after it last came; also where another library
  /// has written its own text over that since.
  ///
  /// - Parameters:
  ///   - before: what it said when it came.
  ///   - states: what the card said, the newest first.
  fileprivate func written(
    since before: ForeignTask, of states: () throws -> [(clock: Int64, state: ProjectRecord)], _ columns: BoardColumns,
    in snapshot: Snapshot
  ) throws -> ForeignTask? {
    let epoch = snapshot.services.library.identity.epoch
    guard let number = written?.number(in: epoch), number > before.written?.number(in: epoch) ?? -1 else { return nil }
    return try states().first { $0.clock == number }.map { ForeignTask($0.state, columns: columns) }
  }
}

extension TaskReading {
  /// The card that a file means by a name: one in the file, else one of ours, else the one that this name always becomes,
  /// whether it has come already or not. A card of ours that is nowhere any more has its own name in our files, unless
  /// the task's card waits for one that this name would become.
  func card(
    named uid: String, by task: ForeignTask? = nil, waiting: [String] = [], in snapshot: Snapshot
  ) throws -> String {
    if let place = placesByUID[uid] {
      let task = tasks[place]
      let isPlain = task.series == nil && task.uid != nil && (format != .jsonl || task.revision != nil)
      return isPlain ? ids[place] : try card(at: place, in: snapshot).id
    }
    if let own = ProjectID(validating: uid), try snapshot.find(ProjectRecord.self, id: own.text) != nil { return uid }
    let id = Self.id(ofUID: uid, format: format)
    guard task?.revision != nil, !waiting.contains(id), try snapshot.find(ProjectRecord.self, id: id) == nil,
      let own = ProjectID(validating: uid)
    else { return id }
    return own.text
  }
}

extension ProjectRecord: ExchangedItem {
  var isImported: Bool { foreign != nil }
}
