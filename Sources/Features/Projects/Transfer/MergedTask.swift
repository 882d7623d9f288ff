import Display
import Store
import Wire

/// What a task of a file becomes whose card was changed too.
struct MergedTask {
  var task: ForeignTask
  /// What the file said else than the card then says, as values of columns: of fields that stay as they are here.
  var said: JSONObject = [:]
  /// The fields of which both versions stand, by the names that clients have for them: of these, what the file said is
  /// kept beside the card.
  var conflicts: [String] = []
}

extension ForeignTask {
  /// The task with what was changed of its card meanwhile, as `projects/update` merges what two clients say of different
  /// fields. Of a field that both changed to different things the card's version stays, and the file's stands beside it;
  /// of the lines of texts and the elements of
  /// lists the card has what either side changed.
  ///
  /// - Parameters:
  ///   - record: the card, and `card` what it says in the terms of files.
  ///   - before: it as it was when the two last were the same, and what it said then; nil where nobody knows that.
  ///   - later: what it said since, the newest first: a field that says that is old, and both sides did not change it.
  ///   - isOld: whether the file is one that its library wrote before another that was taken over. Then such a field
  ///     stays also where the card is back at what it said before.
  func merged(
    with card: ForeignTask, of record: ProjectRecord, since before: (task: ForeignTask, record: ProjectRecord?)?,
    later: [(task: ForeignTask, record: ProjectRecord)] = [], isOld: Bool = false, columns: BoardColumns
  ) throws -> MergedTask {
    var merged = MergedTask(task: self)
    let theirs = try record.saying(self, in: columns)
    func keep(_ field: MergedField, saying other: ProjectRecord?) throws {
      for member in try other?.content(of: field.columns).members ?? [] { merged.said[member.key] = member.value }
      field.keep(&merged.task, card)
    }
    func settle(_ field: MergedField) throws {
      let isSame = field.isSame
      // What is the same may still be in another order, or end its lines in another way.
      if isSame(card, self) { return field.keep(&merged.task, card) }
      guard let before else { return try dispute(field) }
      let isAsBefore = isSame(card, before.task)
      if isAsBefore, !isOld { return }
      if isSame(self, before.task) {
        if !isAsBefore { try keep(field, saying: before.record) }
      } else if let said = later.first(where: { isSame($0.task, self) }) {
        try keep(field, saying: said.record)
      } else if !isAsBefore {
        try dispute(field)
      }
    }
    func dispute(_ field: MergedField) throws {
      try keep(field, saying: theirs)
      let isMerged = before.flatMap { field.merge?(&merged.task, card, self, $0.task) } ?? false
      if !isMerged { merged.conflicts += field.columns.prefix(1) }
    }
    for field in MergedField.all { try settle(field) }
    // A card that is done has passed its rule on to the next one, and has it no more when it is open again.
    if let before = before?.task, before.state == .done, card.state == .done, state != .done, card.recurrence == nil,
      let rule = recurrence
    {
      (merged.task.recurrence, merged.task.recurrenceDetails) = (nil, nil)
      var passed = ownRecurrence ?? Recurrence(rule: rule)
      passed.rule = rule
      merged.said["recurrence"] = .string(try StoredJSON(passed.kept(deadline: due)).json)
    } else if state != .done || card.state != .done {
      try settle(.recurrence)
    } else {
      MergedField.recurrence.keep(&merged.task, card)
    }
    // One side took the day away from which the other side's rule counts.
    let task = merged.task
    if task.recurrence != nil, task.due == nil, task.ownRecurrence?.from != .completion {
      for field in MergedField.ofDay where !field.isSame(card, self) {
        try keep(field, saying: theirs)
        merged.conflicts += field.columns.prefix(1).filter { !merged.conflicts.contains($0) }
      }
    }
    return merged
  }

  /// Whether each of its fields is what its card said at one time or another.
  func saysNothingNew(to states: [ForeignTask]) -> Bool {
    let fields = MergedField.all + (state == .done ? [] : [MergedField.recurrence])
    return fields.allSatisfy { field in states.contains { field.isSame($0, self) } }
  }
}

extension ProjectRecord {
  /// The card, saying what a task does.
  func saying(_ task: ForeignTask, in columns: BoardColumns) throws -> ProjectRecord {
    var card = self
    try card.say(task)
    card.state = columns.column(for: task).state
    return card
  }

  /// Takes over all of a task that has a field of its own, but for the column.
  mutating func say(_ task: ForeignTask) throws {
    (title, body) = (task.title, task.body)
    (deadline, time, priority) = (task.due, task.time, task.priority)
    tags = try StoredJSON(task.tags)
    blockedBy = try StoredJSON(task.blockedBy)
    recurrence = try task.recurrence.map { rule in
      var recurrence = task.ownRecurrence ?? Recurrence(rule: rule)
      recurrence.rule = rule
      return try StoredJSON(recurrence.kept(deadline: task.due)).json
    }
  }
}
