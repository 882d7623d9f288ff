import Contract
import Exchange
import Kit
import Store
import Wire

/// A problem of reading a task.
struct TaskProblem: Sendable, Equatable {
  var reason: ImportNote.Reason
  /// The field, by the name that clients have for it.
  var field: String
  /// The raw value in the file; nil if the value is not the problem.
  var value: String?
  /// The text of the note, if it does not follow from the other properties.
  var detail: Text?

  /// A line that names more blockers than a card can have.
  static func tooManyBlockers(_ more: Int) -> TaskProblem {
    let words = ["most": String(Blockers.most), "count": String(more)]
    return TaskProblem(reason: .badValue, field: "blockedBy", detail: Text("import.tooManyBlockers", words))
  }

  /// A day that is no deadline, since other words follow it in the title.
  static func dayInTitle(_ day: String) -> TaskProblem {
    TaskProblem(reason: .badDate, field: "title", detail: Text("import.dayInTitle", ["value": day]))
  }

  /// An occurrence that was changed together with all later ones (RANGE=THISANDFUTURE). Here only the one occurrence
  /// changes.
  static let onlyThisOccurrence = TaskProblem(
    reason: .badRule, field: "recurrence", detail: Text("import.onlyThisOccurrence"))

  /// A task that Taskwarrior deletes at this time.
  static let expires = TaskProblem(reason: .badValue, field: "until", detail: Text("import.expires"))

  func note(at place: ImportNote.Place, title: String) -> ImportNote {
    ImportNote(reason, at: place, title: title, isSkipped: false, field: field, text: text)
  }

  private var text: Text? {
    if let detail { return detail }
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

extension ExternalTask {
  /// Reports an invalid value of a field, unless the task states the field elsewhere too. An existing card keeps its
  /// own value (`retainUnread`).
  mutating func cannotRead(
    _ field: String, _ value: String, _ reason: ImportNote.Reason, _ detail: Text? = nil
  ) {
    // A column is read from several values.
    let read = field == "state" ? nil : ProjectRecord.fields[field]
    if let read, (try? read.isSame(card, ProjectRecord())) == false { return }
    problems.append(TaskProblem(reason: reason, field: field, value: value, detail: detail))
    unread.insert(field)
  }

  /// The same for invalid extension properties.
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

  /// Copies the card's values for fields whose values in the file are invalid: they are no change of the card.
  mutating func retainUnread(of record: ProjectRecord, boards: CardBoards) {
    if unread.isEmpty { return }
    if unread.contains("state") { state = Self.state(of: record.state, in: boards.columns(of: record.board)) }
    for field in ProjectRecord.fields.followed where unread.contains(field.name) {
      // A recurrence that counts from a removed deadline is removed too.
      if field.name == "recurrence", card.deadline == nil, record.recurrence?.from != .completion { continue }
      ProjectRecord.fields.copy(field, of: record, to: &card)
    }
    if unread.contains("time"), card.deadline != nil { card.time = record.time }
  }
}
