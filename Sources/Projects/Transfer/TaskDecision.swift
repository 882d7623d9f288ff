import Contract
import Display
import Exchange
import Kit
import Store
import Wire

/// What becomes of a card whose task is in a file (`ImportDecision`). Of tasks there is one decision more: where only
/// which task of a template goes on has changed in the file, the card comes again, or does so no more.
enum TaskDecision {
  typealias Decision = ImportDecision<ProjectRecord>

  static func make(
    of record: ProjectRecord, by task: ForeignTask, reading: TaskReading, zone: Zone, columns: BoardColumns,
    in snapshot: Snapshot
  ) throws -> Decision {
    var task = task
    task.blockedBy = try Self.possible(task.blockedBy, for: record, in: snapshot)
    let whole = try StoredSource(record)
    let kept = whole?.source
    let isElsewhere = !reading.origin.isSame(as: whole?.file)
    guard let revision = task.revision else {
      return try foreign(record, task, kept, isElsewhere: isElsewhere, reading, zone, columns, in: snapshot)
    }
    return try own(record, task, revision, kept, reading, columns, in: snapshot)
  }

  /// A task that one of our own exports wrote.
  private static func own(
    _ record: ProjectRecord, _ task: ForeignTask, _ revision: FileRevision, _ kept: ForeignSource?,
    _ reading: TaskReading, _ columns: BoardColumns, in snapshot: Snapshot
  ) throws -> Decision {
    let isUntouched = kept.flatMap { kept in task.source.map { kept.format == $0.format && kept.says($0) } } ?? false
    let card = ForeignTask(record, columns: columns)
    let isSame = card.isSameCard(as: task)
    if isUntouched && reading.format == kept?.format || isSame {
      let decision = surroundings(of: task, kept, for: record, reading)
      return isSame && decision.effect == .nothing ? Decision(.noteFile, of: record) : decision
    }
    // Which task of a template comes again is not for the card to say.
    let isMade = task.series != nil
    let verdict = try record.verdict(
      of: revision, after: isMade ? nil : record.taken, isSame: reading.origin.isSame, in: snapshot,
      says: { record in
        let state = ForeignTask(record, columns: columns)
        return isMade ? state.isSameTask(as: task) : state.isSameCard(as: task)
      })
    switch verdict {
    case .known:
      guard let series = task.series, series.hasTemplate, !series.goesOn else { return Decision(.nothing, of: record) }
      return try handOver(record, to: task, before: card, columns)
    case .edited(let base, let later, let wasSaid):
      let isOld = try MergeBase.isLater(record.taken, than: revision, in: snapshot)
      let merge = try merge(task, with: record, since: base, later: later, isOld: isOld, columns)
      return !merge.conflicts.isEmpty && wasSaid ? Decision(.nothing, of: record) : Decision(merge, of: record)
    case .unknown(let states):
      // Words of several times together nobody ever said: only of a file that is known to be old that is no edit. Of a
      // task that was made from a template that is not asked.
      if !isMade, try MergeBase.isLater(record.taken, than: revision, in: snapshot),
        try task.saysNothingNew(to: states, columns: columns)
      {
        return Decision(.nothing, of: record)
      }
      return Decision(try task.merged(with: record, since: nil, columns: columns), of: record)
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
  ) throws -> Decision {
    let card = ForeignTask(record, columns: columns)
    guard let kept, let source = task.source, kept.format == source.format, var before = kept.task(zone: zone) else {
      if card.isSameCard(as: task) { return Decision(.nothing, of: record) }
      let merge = try task.merged(with: record, since: nil, columns: columns)
      return Decision(.storeSource, of: record, merge: merge)
    }
    if kept.says(source) {
      return isElsewhere ? Decision(.nothing, of: record) : surroundings(of: task, kept, for: record, reading)
    }
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
      return Decision(.nothing, of: record)
    }
    // In another list that is still there, what the card once said is only old.
    if isElsewhere, try wasSaid(task, by: states(), columns) { return Decision(.nothing, of: record) }
    if let written = try task.written(since: before, of: states, columns, in: snapshot) {
      before = written
      // Whatever became of the card since: nobody has edited it.
      if before.isSameCard(as: task), task.unread.isEmpty || card.isSameCard(as: task) {
        return Decision(.storeSource, of: record)
      }
    } else {
      before.blockedBy = try possible(
        before.blockedBy.map { try reading.card(named: $0, in: snapshot) }, for: record, in: snapshot)
      // What the card said when its file came with such a value is not known any more; whatever was said here since it
      // said something for the first time may be ours.
      if !before.unread.isEmpty, let first = try states().last {
        before.retainUnread(of: first.state, columns: columns)
      }
    }
    // A value that means nothing takes the place of none that did.
    if before.isSameCard(as: task) {
      return task.unread.isSubset(of: before.unread)
        ? Decision(.storeSource, of: record, isUpdate: true) : Decision(.nothing, of: record)
    }
    if task.series != nil, before.isSameTask(as: task) || card.isSameTask(as: task) {
      return try handOver(record, to: task, before: before, columns)
    }
    if card.isSameCard(as: task) { return Decision(.update, of: record) }
    // What it said here since then, and went out as, is only old.
    let since = try states().prefix { !ForeignTask($0.state, columns: columns).isSameCard(as: before) }
    let base = try record.saying(before, in: columns)
    let merge = try merge(task, with: record, since: base, later: since.map(\.state), columns)
    if !merge.conflicts.isEmpty, wasSaid(task, by: since, columns) { return Decision(.nothing, of: record) }
    return Decision(merge.isChange ? .update : .storeSource, of: record, merge: merge)
  }

  private static func wasSaid(
    _ task: ForeignTask, by states: some Sequence<(clock: Int64, state: ProjectRecord)>, _ columns: BoardColumns
  ) -> Bool {
    states.contains { ForeignTask($0.state, columns: columns).isSameCard(as: task) }
  }

  /// What stands around a task that says what it said: text of people in Markdown, components that are no tasks in
  /// iCalendar, the templates of recurring tasks.
  private static func surroundings(
    of task: ForeignTask, _ kept: ForeignSource?, for record: ProjectRecord, _ reading: TaskReading
  ) -> Decision {
    let (nothing, store) = (Decision(.nothing, of: record), Decision(.storeSource, of: record))
    let update = Decision(.storeSource, of: record, isUpdate: true)
    guard let source = task.source, source.format == reading.format else { return nothing }
    guard let kept, kept.format == source.format else {
      // A card made here, into whose file somebody has written. iCalendar's has always something around its tasks.
      let isWritten = reading.format == .markdown && !(source.before + source.after).allSatisfy(\.isWhitespace)
      return isWritten && kept == nil ? update : nothing
    }
    // The head of our own iCalendar file is on whichever task comes first.
    if task.revision != nil, reading.format != .markdown { return nothing }
    let isSame =
      reading.format == .ics
      ? kept.hasSameSurroundings(as: source, among: reading.components) : kept.hasSameSurroundings(as: source)
    guard isSame else { return reading.format == .taskwarrior ? store : update }
    let isHeadKnown = sameBytes(source.head ?? "", kept.head ?? "")
    return isHeadKnown || reading.format == .ics ? nothing : store
  }

  /// The card comes again from here on, or no more; unless that was changed here.
  ///
  /// - Parameter before: what the file contained before.
  private static func handOver(
    _ record: ProjectRecord, to task: ForeignTask, before: ForeignTask, _ columns: BoardColumns
  ) throws -> Decision {
    let (rule, ruleBefore) = (task.recurrence?.rule, before.recurrence?.rule)
    let isAsBefore = columns.isOpen(record.state) && record.recurrence?.rule == ruleBefore
    let isOther = isAsBefore && rule != ruleBefore && (rule == nil || record.deadline != nil)
    let joins = record.foreignID != task.nameThere(for: record)
    var merge = ItemMerge(ProjectRecord.fields, keeping: record)
    if isOther {
      merge.merged.recurrence = try rule.map { try Recurrence(rule: $0).kept(deadline: record.deadline) }
    } else if joins, isAsBefore, let day = record.deadline {
      // From here on it counts from this task, as it does of all that come with their templates.
      merge.merged.recurrence?.start = day
      merge.merged.recurrence?.done = nil
    }
    return Decision(.storeSource, of: record, merge: merge, isUpdate: isOther || joins)
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
  /// The id that its card has in the program that it came from. A task that joined the card of its template has a name of
  /// its own.
  func nameThere(for record: ProjectRecord) -> String? {
    series == nil || revision != nil ? record.foreignID : uid
  }

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
  static var takenColumn: String { "came" }
}
