import Store
import Wire

extension ExternalTask {
  /// Merges a card that was changed here with a task that was changed in its file.
  ///
  /// - Parameters:
  ///   - base: the card when both sides were last the same; nil if unknown.
  ///   - later: the states of the card since, the newest first.
  ///   - isOld: whether the file was exported by its library before another one that was imported.
  func merged(
    with record: ProjectRecord, since base: ProjectRecord?, later: [ProjectRecord] = [], isOld: Bool = false,
    boards: CardBoards
  ) throws -> ItemMerge<ProjectRecord> {
    var ours = record
    ours.leaveOutImpliedStart()
    let states = (base.map { [$0] } ?? []) + later
    var theirs = try record.saying(self, like: states, in: boards)
    theirs.leaveOutImpliedStart()
    let rule = theirs.recurrence
    // A finished card has passed its rule on to the next one, and does not get it back when it is reopened.
    let isDone = !boards.isOpen(record)
    let isPassedOn =
      isDone && state != .done && ours.recurrence == nil && base.map { !boards.isOpen($0) } ?? false
    if isDone && state == .done || isPassedOn { theirs.recurrence = ours.recurrence }
    var merge = try ItemMerge(
      ProjectRecord.fields, base: base, ours: ours, theirs: theirs, later: later, isOld: isOld)
    if isPassedOn, let rule { merge.theirValues["recurrence"] = .string(try StoredJSON(rule).json) }
    // One side removed the deadline from which the other side's rule counts.
    if merge.merged.deadline == nil, let recurrence = merge.merged.recurrence, recurrence.from != .completion {
      try merge.dispute("deadline", "recurrence")
    }
    merge.merged.recurrence = try merge.merged.recurrence?.checked(deadline: merge.merged.deadline)
    return merge
  }

  /// Whether each field had its value in some state of the card.
  func saysNothingNew(to states: [ProjectRecord], boards: CardBoards) throws -> Bool {
    let theirs = try ProjectRecord().saying(self, like: states, in: boards)
    return try ProjectRecord.fields.followed.allSatisfy { field in
      try state == .done && field.name == "recurrence"
        || states.contains { try ProjectRecord.fields.isAlike(field, $0, theirs) }
    }
  }
}

extension ProjectRecord {
  /// The card with the values of a task.
  ///
  /// - Parameter states: earlier states of the card. A value that means the same as one of theirs is written like
  ///   theirs: most formats do not have the column, but only its state, and Taskwarrior sorts tags.
  func saying(
    _ task: ExternalTask, like states: [ProjectRecord] = [], in boards: CardBoards
  ) throws -> ProjectRecord {
    var card = self
    let fields = ExternalTask.fields
    for place in fields.indices { Self.fields.copy(fields[place], of: task.card, to: &card) }
    if card.board.isEmpty { card.board = board }
    let columns = boards.columns(of: card.board)
    card.recurrence = try card.recurrence?.checked(deadline: card.deadline)
    let states = [self] + states
    if task.source?.format == .taskwarrior {
      let tags = card.tags.sorted()
      card.tags = states.first { ProjectText.areSame($0.tags.sorted(), tags) }?.tags ?? card.tags
    }
    card.state = columns.column(for: task).state
    if task.column == nil {
      let same = states.first {
        !$0.state.isEmpty && sameBytes($0.board, card.board)
          && ExternalTask.state(of: $0.state, in: columns) == task.state
      }
      card.state = same?.state ?? card.state
    }
    return card
  }

  /// Removes a start that equals the deadline: then it moves along with the deadline.
  fileprivate mutating func leaveOutImpliedStart() {
    if recurrence?.start == deadline { recurrence?.start = nil }
  }
}
