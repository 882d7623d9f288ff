import Display
import Store
import Wire

/// What a task of a file becomes whose card was changed too.
struct MergedTask {
  var task: ForeignTask
  /// The columns of the card that stay as they are here, and of which the file says what they were before.
  var kept: [String] = []
  /// The rule that the file says of a card that was done, and has passed it on.
  var passedRule: Recurrence?

  /// What the file said else than the card does now, as values of columns.
  ///
  /// - Parameter base: the card as it was when the two last were the same.
  func said(since base: ProjectRecord) throws -> JSONObject {
    var said = base.content(of: kept)
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
  func merged(with card: ForeignTask, since before: ForeignTask) throws -> TaskMerge {
    var merged = MergedTask(task: self)
    var disputed: [String] = []
    func settle(
      _ columns: String..., by isSame: (ForeignTask, ForeignTask) -> Bool, keeping keep: (inout ForeignTask) -> Void
    ) {
      // What is the same may still be in another order, or end its lines in another way.
      if isSame(card, self) { return keep(&merged.task) }
      if isSame(card, before) { return }
      guard isSame(self, before) else {
        disputed += columns.prefix(1)
        return
      }
      keep(&merged.task)
      merged.kept += columns
    }
    settle("title", by: { Self.sameText($0.title, $1.title) }, keeping: { $0.title = card.title })
    settle("body", by: { Self.sameText($0.body, $1.body) }, keeping: { $0.body = card.body })
    settle("state", by: Self.sameColumn, keeping: { ($0.state, $0.column) = (card.state, card.column) })
    settle(
      "deadline", "time", by: { $0.due == $1.due && $0.time == $1.time },
      keeping: { ($0.due, $0.time) = (card.due, card.time) })
    settle("priority", by: { $0.priority == $1.priority }, keeping: { $0.priority = card.priority })
    settle("tags", by: Self.sameTags, keeping: { $0.tags = card.tags })
    settle(
      "blockedBy", by: { Self.sameList($0.blockedBy.sorted(), $1.blockedBy.sorted()) },
      keeping: { $0.blockedBy = card.blockedBy })
    // A card that is done has passed its rule on to the next one, and has it no more when it is open again.
    if before.state == .done, card.state == .done, state != .done, card.recurrence == nil, let rule = recurrence {
      (merged.task.recurrence, merged.task.recurrenceDetails) = (nil, nil)
      var passed = ownRecurrence ?? Recurrence(rule: rule)
      passed.rule = rule
      merged.passedRule = try passed.kept(deadline: due)
    } else if state != .done || card.state != .done {
      settle(
        "recurrence", by: Self.sameRecurrence,
        keeping: { ($0.recurrence, $0.recurrenceDetails) = (card.recurrence, card.recurrenceDetails) })
    }
    let task = merged.task
    // One side took the day away from which the other side's rule counts.
    let lacksDay = task.recurrence != nil && task.due == nil && task.ownRecurrence?.from != .completion
    return disputed.isEmpty && !lacksDay ? .merged(merged) : .conflict(fields: disputed)
  }

  /// Most formats do not say the column, but only what it means.
  private static func sameColumn(_ left: ForeignTask, _ right: ForeignTask) -> Bool {
    guard left.state == right.state else { return false }
    guard let column = left.column, let there = right.column else { return true }
    return sameBytes(column, there)
  }

  private static func sameRecurrence(_ left: ForeignTask, _ right: ForeignTask) -> Bool {
    left.recurrence == right.recurrence && left.comparableDetails == right.comparableDetails
  }
}
