import Contract
import Exchange
import Kit
import Store
import Wire

/// What could not be read of a task.
struct TaskProblem: Sendable, Equatable {
  var reason: ImportNote.Reason
  /// By the name that clients have for it.
  var field: String
  /// As it stands in the file; nil where it is not the value that is wrong.
  var value: String?
  /// What there is to say of it, where that does not follow from these.
  var said: Text?

  /// A line that names more tasks than a card can wait for.
  static func tooManyBlockers(_ more: Int) -> TaskProblem {
    let words = ["most": String(Blockers.most), "count": String(more)]
    return TaskProblem(reason: .badValue, field: "blockedBy", said: Text("import.tooManyBlockers", words))
  }

  /// A day that is no deadline, since it stands amid the words of the title.
  static func dayInTitle(_ day: String) -> TaskProblem {
    TaskProblem(reason: .badDate, field: "title", said: Text("import.dayInTitle", ["value": day]))
  }

  /// A day of a series that was changed with all later ones (RANGE=THISANDFUTURE), which its calendar means to go on from
  /// there.
  static let onlyThisOccurrence = TaskProblem(
    reason: .badRule, field: "recurrence", said: Text("import.onlyThisOccurrence"))

  func note(at place: ImportNote.Place, title: String) -> ImportNote {
    ImportNote(reason, at: place, title: title, isSkipped: false, field: field, text: text)
  }

  private var text: Text? {
    if let said { return said }
    guard let value else { return reason == .badRule ? Text("import.ruleWithoutDay") : nil }
    let shown = String(value.prefix(Self.longestShown)) + (value.count > Self.longestShown ? "…" : "")
    switch reason {
    case .badRule: return Text("import.badRuleNamed", ["value": shown])
    case .badZone: return Text("import.badZoneNamed", ["value": shown])
    default: return Text("import.badField", ["field": field, "value": shown])
    }
  }

  private static let longestShown = 64
}

extension ForeignTask {
  /// Tells that the value of a field means nothing, unless the task says it elsewhere too. A card that is there already
  /// keeps its own (`retainUnread`).
  mutating func cannotRead(_ field: String, _ value: String, _ reason: ImportNote.Reason) {
    // A column is read from more than one value.
    let read = field == "state" ? nil : ProjectRecord.fields[field]
    if let read, (try? read.isSame(card, ProjectRecord())) == false { return }
    problems.append(TaskProblem(reason: reason, field: field, value: value))
    unread.insert(field)
  }

  /// The same of words of our own.
  mutating func cannotRead(_ words: [(field: String, value: String)]) {
    for (field, value) in words {
      let reason: ImportNote.Reason =
        switch field {
        case "deadline": .badDate
        case "recurrence": .badRule
        default: .badValue
        }
      cannotRead(field, value, reason)
    }
  }

  /// Takes from its card what the file says in words that mean nothing: that is no change of it, and takes nothing away.
  mutating func retainUnread(of record: ProjectRecord, columns: BoardColumns) {
    if unread.isEmpty { return }
    if unread.contains("state") { state = Self.state(of: record.state, in: columns) }
    for field in ProjectRecord.fields.followed where unread.contains(field.name) {
      // A day that was taken away takes the rule with it that counts from it.
      if field.name == "recurrence", card.deadline == nil, record.recurrence?.from != .completion { continue }
      ProjectRecord.fields.copy(field, of: record, to: &card)
    }
    if unread.contains("time"), card.deadline != nil { card.time = record.time }
  }
}
