import Display
import Store
import Wire

/// What a task of a file becomes whose card was changed too.
struct MergedTask {
  var task: ForeignTask
  /// The columns of the card that stay as they are here, and of which the file says what they were before.
  var kept: [String] = []
  /// What the file says of other columns that stay as they are here: what the card said once, and has moved on from.
  var old: JSONObject = [:]
  /// The rule that the file says of a card that was done, and has passed it on.
  var passedRule: Recurrence?

  /// What the file said else than the card does now, as values of columns.
  ///
  /// - Parameter base: the card as it was when the two last were the same.
  func said(since base: ProjectRecord) throws -> JSONObject {
    var said = try base.content(of: kept)
    for member in old.members { said[member.key] = member.value }
    if let passedRule { said["recurrence"] = .string(try StoredJSON(passedRule).json) }
    return said
  }
}

/// What comes of a file and a card that were both changed.
enum TaskMerge {
  case merged(MergedTask)
  /// Both sides changed these, by the names that clients have for them, to different things; none where it is not one
  /// field but the task as a whole.
  case conflict(fields: [String] = [])
}

extension ForeignTask {
  /// The task with what was changed of its card meanwhile, as `projects/update` merges what two clients say of different
  /// fields.
  ///
  /// - Parameters:
  ///   - card: what the card says now.
  ///   - before: what it said when the two last were the same.
  ///   - later: what it said since, the newest first: a field that says that is old, and both sides did not change it.
  ///   - isOld: whether the file is one that its library wrote before another that was taken over. Then such a field
  ///     stays also where the card is back at what it said before.
  func merged(
    with card: ForeignTask, since before: ForeignTask, later: [(task: ForeignTask, record: ProjectRecord)] = [],
    isOld: Bool = false
  ) throws -> TaskMerge {
    var merged = MergedTask(task: self)
    var disputed: [String] = []
    func settle(_ field: MergedField) throws {
      let isSame = field.isSame
      // What is the same may still be in another order, or end its lines in another way.
      if isSame(card, self) { return field.keep(&merged.task, card) }
      let isAsBefore = isSame(card, before)
      if isAsBefore, !isOld { return }
      if isSame(self, before) {
        if isAsBefore { return }
        merged.kept += field.columns
      } else if let said = later.first(where: { isSame($0.task, self) }) {
        for member in try said.record.content(of: field.columns).members { merged.old[member.key] = member.value }
      } else {
        if !isAsBefore { disputed += field.columns.prefix(1) }
        return
      }
      field.keep(&merged.task, card)
    }
    for field in MergedField.all { try settle(field) }
    // A card that is done has passed its rule on to the next one, and has it no more when it is open again.
    if before.state == .done, card.state == .done, state != .done, card.recurrence == nil, let rule = recurrence {
      (merged.task.recurrence, merged.task.recurrenceDetails) = (nil, nil)
      var passed = ownRecurrence ?? Recurrence(rule: rule)
      passed.rule = rule
      merged.passedRule = try passed.kept(deadline: due)
    } else if state != .done || card.state != .done {
      try settle(.recurrence)
    } else {
      MergedField.recurrence.keep(&merged.task, card)
    }
    let task = merged.task
    // One side took the day away from which the other side's rule counts.
    let lacksDay = task.recurrence != nil && task.due == nil && task.ownRecurrence?.from != .completion
    return disputed.isEmpty && !lacksDay ? .merged(merged) : .conflict(fields: disputed)
  }

  /// Whether each of its fields is what its card said at one time or another.
  func saysNothingNew(to states: [ForeignTask]) -> Bool {
    let fields = MergedField.all + (state == .done ? [] : [.recurrence])
    return fields.allSatisfy { field in states.contains { field.isSame($0, self) } }
  }
}
