import Store
import Wire

extension ForeignTask {
  /// What becomes of a card that was changed here and whose task was changed in its file.
  ///
  /// - Parameters:
  ///   - base: the card as it was when the two last said the same; nil where nobody knows that.
  ///   - later: what it said since, the newest first.
  ///   - isOld: whether the file is one that its library wrote before another that was taken over.
  func merged(
    with record: ProjectRecord, since base: ProjectRecord?, later: [ProjectRecord] = [], isOld: Bool = false,
    columns: BoardColumns
  ) throws -> ItemMerge<ProjectRecord> {
    var ours = record
    ours.leaveOutImpliedStart()
    let states = (base.map { [$0] } ?? []) + later
    var theirs = try record.saying(self, like: states, in: columns)
    theirs.leaveOutImpliedStart()
    let rule = theirs.recurrence
    // A card that is done has passed its rule on to the next one, and has it no more when it is open again.
    let isDone = !columns.isOpen(record.state)
    let isPassedOn =
      isDone && state != .done && ours.recurrence == nil && base.map { !columns.isOpen($0.state) } ?? false
    if isDone && state == .done || isPassedOn { theirs.recurrence = ours.recurrence }
    var merge = try ItemMerge(
      ProjectRecord.fields, base: base, ours: ours, theirs: theirs, later: later, isOld: isOld)
    if isPassedOn, let rule { merge.theirValues["recurrence"] = .string(try StoredJSON(rule).json) }
    // One side took the day away from which the other side's rule counts.
    if merge.merged.deadline == nil, let recurrence = merge.merged.recurrence, recurrence.from != .completion {
      try merge.dispute("deadline", "recurrence")
    }
    merge.merged.recurrence = try merge.merged.recurrence?.kept(deadline: merge.merged.deadline)
    return merge
  }

  /// Whether each of its fields is what its card said at one time or another.
  func saysNothingNew(to states: [ProjectRecord], columns: BoardColumns) throws -> Bool {
    let theirs = try ProjectRecord().saying(self, like: states, in: columns)
    return try ProjectRecord.fields.followed.allSatisfy { field in
      try state == .done && field.name == "recurrence"
        || states.contains { try ProjectRecord.fields.isAlike(field, $0, theirs) }
    }
  }
}

extension ProjectRecord {
  /// The card, saying what a task does.
  ///
  /// - Parameter states: what the card said. What a task says as one of them did, it says in the same way: most formats
  ///   do not have the column, but only what it means, and Taskwarrior sorts tags.
  func saying(
    _ task: ForeignTask, like states: [ProjectRecord] = [], in columns: BoardColumns
  ) throws -> ProjectRecord {
    var card = self
    let fields = ForeignTask.fields
    for place in fields.indices { Self.fields.copy(fields[place], of: task.card, to: &card) }
    card.recurrence = try card.recurrence?.kept(deadline: card.deadline)
    let states = [self] + states
    if task.source?.format == .taskwarrior {
      let tags = card.tags.sorted()
      card.tags = states.first { ForeignTask.sameList($0.tags.sorted(), tags) }?.tags ?? card.tags
    }
    card.state = columns.column(for: task).state
    if task.column == nil {
      let same = states.first { !$0.state.isEmpty && ForeignTask.state(of: $0.state, in: columns) == task.state }
      card.state = same?.state ?? card.state
    }
    return card
  }

  /// Leaves out the day from which a rule counts, where that goes without saying: then it goes along with the deadline.
  fileprivate mutating func leaveOutImpliedStart() {
    if recurrence?.start == deadline { recurrence?.start = nil }
  }
}
