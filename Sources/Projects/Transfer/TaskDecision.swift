import Contract
import Display
import Exchange
import Kit
import Store
import Wire

/// Decides what happens to a card whose task is in a file (`ImportDecision`). For tasks there is one more case: if the
/// file only changed which task of a template recurs, the card recurs or stops to recur.
enum TaskDecision {
  typealias Decision = ImportDecision<ProjectRecord>

  static func make(
    of record: ProjectRecord, by task: ExternalTask, reading: TaskReading, zone: Zone, boards: ImportedBoards,
    in snapshot: Snapshot
  ) throws -> Decision {
    var task = task
    task.blockedBy = try Self.possible(task.blockedBy, for: record, in: snapshot)
    task.parent = try Self.possible(task.parent, for: record, in: snapshot)
    let whole = try StoredSource(record)
    let stored = whole?.source
    let isElsewhere = !reading.origin.isSame(as: whole?.file)
    guard let revision = task.revision else {
      return try external(record, task, stored, isElsewhere: isElsewhere, reading, zone, boards, in: snapshot)
    }
    return try own(record, task, revision, stored, reading, boards.boards, in: snapshot)
  }

  /// For a task in one of our own exports.
  private static func own(
    _ record: ProjectRecord, _ task: ExternalTask, _ revision: FileRevision, _ stored: TaskSource?,
    _ reading: TaskReading, _ boards: CardBoards, in snapshot: Snapshot
  ) throws -> Decision {
    let isUntouched =
      stored.flatMap { stored in task.source.map { stored.format == $0.format && stored.says($0) } } ?? false
    let card = ExternalTask(record, boards: boards)
    let isSame = card.isSameCard(as: task)
    if isUntouched && reading.format == stored?.format || isSame {
      let decision = surroundings(of: task, stored, for: record, reading)
      return isSame && decision.effect == .nothing ? Decision(.noteFile, of: record) : decision
    }
    // Whether a task of a template recurs depends on its series, not on the card.
    let isMade = task.series != nil
    let comparison = try record.comparison(
      of: revision, after: isMade ? nil : record.mergeBase, isSame: reading.origin.isSame, in: snapshot,
      says: { record in
        let state = ExternalTask(record, boards: boards)
        return isMade ? state.isSameTask(as: task) : state.isSameCard(as: task)
      })
    switch comparison {
    case .known:
      guard let series = task.series, series.hasTemplate, !series.goesOn else { return Decision(.nothing, of: record) }
      return try handOver(record, to: task, before: card, boards)
    case .edited(let base, let later, let isFormerState):
      let isOld = try MergeBase.isLater(record.mergeBase, than: revision, in: snapshot)
      let merge = try merge(task, with: record, since: base, later: later, isOld: isOld, boards)
      return !merge.conflicts.isEmpty && isFormerState ? Decision(.nothing, of: record) : Decision(merge, of: record)
    case .unknown(let states):
      // A task whose values are all old, from different times, was never one state of the card. It is an edit, unless
      // the file is known to be old. For a task of a template that is not checked.
      if !isMade, try MergeBase.isLater(record.mergeBase, than: revision, in: snapshot),
        try task.saysNothingNew(to: states, boards: boards)
      {
        return Decision(.nothing, of: record)
      }
      return Decision(try task.merged(with: record, since: nil, boards: boards), of: record)
    }
  }

  /// For a task of a template nothing is merged once both sides have changed.
  private static func merge(
    _ task: ExternalTask, with record: ProjectRecord, since base: ProjectRecord, later: [ProjectRecord],
    isOld: Bool = false, _ boards: CardBoards
  ) throws -> ItemMerge<ProjectRecord> {
    guard task.series != nil else {
      return try task.merged(with: record, since: base, later: later, isOld: isOld, boards: boards)
    }
    let isAsBefore = ExternalTask(record, boards: boards).isSameCard(as: ExternalTask(base, boards: boards))
    return try task.merged(with: record, since: isAsBefore ? record : nil, boards: boards)
  }

  /// For a task of another program.
  private static func external(
    _ record: ProjectRecord, _ task: ExternalTask, _ stored: TaskSource?, isElsewhere: Bool, _ reading: TaskReading,
    _ zone: Zone, _ imported: ImportedBoards, in snapshot: Snapshot
  ) throws -> Decision {
    let boards = imported.boards
    let card = ExternalTask(record, boards: boards)
    guard let stored, let source = task.source, stored.format == source.format, var before = stored.task(zone: zone)
    else {
      if card.isSameCard(as: task) { return Decision(.nothing, of: record) }
      let merge = try task.merged(with: record, since: nil, boards: boards)
      return Decision(.storeSource, of: record, merge: merge)
    }
    before.board = imported.id(of: before.board) ?? ""
    if stored.says(source) {
      return isElsewhere ? Decision(.nothing, of: record) : surroundings(of: task, stored, for: record, reading)
    }
    // Loaded only if needed: for most tasks only the text has changed.
    var known: [(clock: Int64, state: ProjectRecord)]?
    func states() throws -> [(clock: Int64, state: ProjectRecord)] {
      let states = try known ?? record.states(in: snapshot)
      known = states
      return states
    }
    // By its own time of modification it is older than the one imported last.
    if let last = before.modified, let modified = task.modified, modified < last,
      try isFormerState(task, by: states(), boards)
    {
      return Decision(.nothing, of: record)
    }
    // In another list that still exists, an earlier state of the card is just old.
    if isElsewhere, try isFormerState(task, by: states(), boards) { return Decision(.nothing, of: record) }
    if let written = try task.written(since: before, of: states, boards, in: snapshot) {
      before = written
      // Whatever happened to the card since: nobody has edited the task.
      if before.isSameCard(as: task), task.unread.isEmpty || card.isSameCard(as: task) {
        return Decision(.storeSource, of: record)
      }
    } else {
      before.blockedBy = try possible(
        before.blockedBy.map { try reading.card(named: $0, in: snapshot) }, for: record, in: snapshot)
      // The card of the task that it was nested in is stored by its id.
      let isNested = stored.enclosing != nil && !before.statesParent
      before.parent = try possible(
        isNested ? before.parent : before.parent.map { try reading.card(named: $0, in: snapshot) }, for: record,
        in: snapshot)
      // The file of the last import had an invalid value too. The card's value at that time is unknown; later values
      // may have been set here. So the card's first state supplies the value.
      if !before.unread.isEmpty, let first = try states().last {
        before.retainUnread(of: first.state, boards: boards)
      }
    }
    // An invalid value does not replace a valid one.
    if before.isSameCard(as: task) {
      return task.unread.isSubset(of: before.unread)
        ? Decision(.storeSource, of: record, isUpdate: true) : Decision(.nothing, of: record)
    }
    if task.series != nil, before.isSameTask(as: task) || card.isSameTask(as: task) {
      return try handOver(record, to: task, before: before, boards)
    }
    if card.isSameCard(as: task) { return Decision(.update, of: record) }
    // States of the card since then, which may have been exported, are just old.
    let since = try states().prefix { !ExternalTask($0.state, boards: boards).isSameCard(as: before) }
    let base = try record.saying(before, in: boards)
    let merge = try merge(task, with: record, since: base, later: since.map(\.state), boards)
    if !merge.conflicts.isEmpty, isFormerState(task, by: since, boards) { return Decision(.nothing, of: record) }
    return Decision(merge.isChange ? .update : .storeSource, of: record, merge: merge)
  }

  private static func isFormerState(
    _ task: ExternalTask, by states: some Sequence<(clock: Int64, state: ProjectRecord)>, _ boards: CardBoards
  ) -> Bool {
    states.contains { ExternalTask($0.state, boards: boards).isSameCard(as: task) }
  }

  /// For a task whose own text is the same: compares the text around it, which is prose in Markdown, components that
  /// are no tasks in iCalendar, and the templates of recurring tasks.
  private static func surroundings(
    of task: ExternalTask, _ stored: TaskSource?, for record: ProjectRecord, _ reading: TaskReading
  ) -> Decision {
    let (nothing, store) = (Decision(.nothing, of: record), Decision(.storeSource, of: record))
    let update = Decision(.storeSource, of: record, isUpdate: true)
    guard let source = task.source, source.format == reading.format else { return nothing }
    guard let stored, stored.format == source.format else {
      // A card made here, into whose file somebody has written. An iCalendar file always has text around its tasks.
      let isWritten = reading.format == .markdown && !(source.before + source.after).allSatisfy(\.isWhitespace)
      return isWritten && stored == nil ? update : nothing
    }
    // The head of our own iCalendar file belongs to whichever task is first.
    if task.revision != nil, reading.format != .markdown { return nothing }
    let isSame =
      reading.format == .ics
      ? stored.hasSameSurroundings(as: source, among: reading.components) : stored.hasSameSurroundings(as: source)
    guard isSame else { return reading.format == .taskwarrior ? store : update }
    let isHeadKnown = sameBytes(source.head ?? "", stored.head ?? "")
    return isHeadKnown || reading.format == .ics ? nothing : store
  }

  /// Makes the card recur from now on, or stop to recur, unless that was changed here.
  ///
  /// - Parameter before: the content of the file before.
  private static func handOver(
    _ record: ProjectRecord, to task: ExternalTask, before: ExternalTask, _ boards: CardBoards
  ) throws -> Decision {
    let (rule, ruleBefore) = (task.recurrence?.rule, before.recurrence?.rule)
    let isAsBefore = boards.isOpen(record) && record.recurrence?.rule == ruleBefore
    let isOther = isAsBefore && rule != ruleBefore && (rule == nil || record.deadline != nil)
    let joins = record.foreignID != task.nameThere(for: record)
    var merge = ItemMerge(ProjectRecord.fields, keeping: record)
    if isOther {
      merge.merged.recurrence = try rule.map { try Recurrence(rule: $0).checked(deadline: record.deadline) }
    } else if joins, isAsBefore, let day = record.deadline {
      // From now on it counts from this task, as for all tasks that are imported with their templates.
      merge.merged.recurrence?.start = day
      merge.merged.recurrence?.done = nil
    }
    return Decision(.storeSource, of: record, merge: merge, isUpdate: isOther || joins)
  }

  /// The parent in a file, or the card's own if the card would be a part of itself with it.
  private static func possible(
    _ parent: String?, for record: ProjectRecord, in snapshot: Snapshot
  ) throws -> String? {
    guard let parent, parent != record.parent,
      try Parents.cycle(from: record.id, through: parent, in: snapshot.db) != nil
    else { return parent }
    return record.parent
  }

  /// The blockers in a file that the card can have. With the others it would wait in a cycle; they stay in its source
  /// text.
  private static func possible(
    _ blockers: [String], for record: ProjectRecord, in snapshot: Snapshot
  ) throws -> [String] {
    if blockers.isEmpty { return [] }
    return try blockers.filter {
      try record.blockedBy.contains($0) || !Blockers.wouldWait(record.id, for: $0, in: snapshot.db)
    }
  }
}

extension ExternalTask {
  /// The name of its task in the program that it was imported from. A task that joined the card of its template has a
  /// name of its own.
  func nameThere(for record: ProjectRecord) -> String? {
    series == nil || revision != nil ? record.foreignID : uid
  }

  /// The state of its card when its text was last exported from here, if that was after the last import, even if
  /// another library has exported its own text since.
  ///
  /// - Parameters:
  ///   - before: the task at the last import.
  ///   - states: the states of the card, the newest first.
  fileprivate func written(
    since before: ExternalTask, of states: () throws -> [(clock: Int64, state: ProjectRecord)], _ boards: CardBoards,
    in snapshot: Snapshot
  ) throws -> ExternalTask? {
    let epoch = snapshot.services.library.identity.epoch
    guard let number = written?.number(in: epoch), number > before.written?.number(in: epoch) ?? -1 else { return nil }
    return try states().first { $0.clock == number }.map { ExternalTask($0.state, boards: boards) }
  }
}

extension TaskReading {
  /// The card that a file refers to by a name: one in the file, else one of ours, else the id that this name gives to
  /// its card, whether that was imported or not. A deleted card of ours is named by its id in our files, unless the
  /// task's card waits for the id that this name would give.
  func card(
    named uid: String, by task: ExternalTask? = nil, waiting: [String] = [], in snapshot: Snapshot
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
  static var mergeBaseColumn: String { "came" }
}
