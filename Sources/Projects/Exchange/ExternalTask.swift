import Contract
import Display
import Exchange
import Kit
import Store
import Wire

/// A task in the terms that all formats share: its fields as a card, and its source text in the file.
///
/// An export loses nothing, since a task keeps its source text: writing it back changes only the parts of the text that
/// differ. Unknown parts stay where they are.
@dynamicMemberLookup
struct ExternalTask: Sendable {
  enum State: String, Sendable, Codable {
    case todo, doing, done
  }

  /// Its fields as a card. Its parent and its blockers are the `uid`s of tasks. Days and times are in the user's zone.
  /// The board, the column and the rank are empty unless the file has them, as only our own files do.
  var card = ExternalTask.blank
  /// Its unique name in its format, if the format has one.
  var uid: String?
  /// Our own revision, if the file is an export of ours: then `uid` is our own id.
  var revision: FileRevision?
  /// The revision of its card when we last exported it, for a task of another program, whose name for it is the card's
  /// `foreignID`.
  var written: FileRevision?
  var state = State.todo
  /// Whether its file states the deadline as an instant, which has a day and a time only in a zone.
  var isDueAtMoment = false
  /// The zone of that day and time, by its name, if the file states it.
  var dueZone: String?
  var created: Instant?
  /// The day on which it was written, if its file has no time: the same day in every zone.
  var createdOn: CalendarDay?
  var modified: Instant?
  /// The name by which other tasks of its file refer to it as a blocker, if that name is unique only in the file.
  var nameInFile: String?
  /// For Markdown: the number of the task of its file that it is nested in.
  var enclosing: Int?
  /// Whether a property states its parent, which then does not follow from the nesting.
  var statesParent = false
  /// The column as its property states it, with its title (`ColumnProperty`).
  var named: StoredColumn?
  /// All columns of its board, if the task states them (`BoardProperty`).
  var allColumns: [StoredColumn] = []
  /// The title of its board, if the task states it (`CardBoardProperty`).
  var boardTitle: String?
  /// Whether its board is archived.
  var isOnArchivedBoard = false
  /// Its source text.
  var source: TaskSource?
  /// For Taskwarrior: its position in a recurring series.
  var series: TaskSeries?

  /// Its place in its file; without meaning after the import.
  var place = ImportNote.Place(number: 0)
  /// Problems of reading it.
  var problems: [TaskProblem] = []
  /// The fields, by the names that clients have for them, whose values in the file are invalid.
  var unread: Set<String> = []

  /// Setting through this copies the value first: change a growing list in `card` instead.
  subscript<Value>(dynamicMember path: WritableKeyPath<ProjectRecord, Value>) -> Value {
    get { card[keyPath: path] }
    set { card[keyPath: path] = newValue }
  }

  private static let blank: ProjectRecord = {
    var card = ProjectRecord()
    card.board = ""
    return card
  }()

  /// The state of its column, if the file names it.
  var column: String? {
    get { card.state.isEmpty ? nil : card.state }
    set { card.state = newValue ?? "" }
  }
}

extension ExternalTask {
  /// The zone for reading its instants: the one of its import, or `reader` for a task that was not imported.
  func zone(for reader: Zone) -> Zone { source?.zone(for: reader) ?? reader }

  /// Whether all exchanged fields are equal. Texts are compared by their bytes, except for their line ends.
  func says(_ other: ExternalTask) -> Bool {
    var (left, right) = (card, other.card)
    // Taskwarrior sorts tags.
    if [self, other].contains(where: { $0.source?.format == .taskwarrior }) {
      left.tags.sort()
      right.tags.sort()
    }
    // By index, since an element that is taken out of the list is copied. Writing values cannot fail.
    return state == other.state
      && Self.fields.indices.allSatisfy { place in
        (try? ProjectRecord.fields.isAlike(Self.fields[place], left, right)) ?? false
      }
  }

  /// The fields of a card in files; the column is compared as `state`.
  static let fields = ProjectRecord.fields.followed.filter { $0.name != "state" }

  /// Whether the source text that reads as `other` states all of this task.
  func isWritten(as other: ExternalTask) -> Bool {
    says(other) && hasColumn(of: other) && uid == other.uid && revision == other.revision && written == other.written
      && allColumns == other.allColumns && hasBoard(of: other)
  }

  /// Reduces the fields to values that a card can have. All formats call it, so that a skipped value does not look like
  /// an edit that removed it.
  mutating func settle() {
    card.title = ProjectText.title(card.title)
    card.tags = TagList.possible(card.tags)
    var blockers: [String] = []
    for blocker in card.blockedBy where !blockers.contains(blocker) && blockers.count < Blockers.most {
      blockers.append(blocker)
    }
    card.blockedBy = blockers
    if let parent = card.parent, parent.isEmpty || parent == uid { card.parent = nil }
    card.steps = card.steps.prefix(ProjectStep.most)
      .map { ProjectStep(text: ProjectText.title($0.text), done: $0.done) }.filter { !$0.text.isEmpty }
    card.properties = ProjectProperty.possible(card.properties)
    card.reminders = Reminder.possible(card.reminders)
    if card.deadline == nil { card.time = nil }
    if let start = card.start, let deadline = card.deadline, start > deadline {
      card.start = nil
      let days = ["value": start.description, "deadline": deadline.description]
      cannotRead("start", start.description, .badDate, Text("import.lateStart", days))
    }
    guard let recurrence = card.recurrence else { return }
    let rule = recurrence.rule
    if (try? RecurrenceRule(rule))?.neverComes != false || rule.unicodeScalars.count > 500 {
      card.recurrence = nil
      cannotRead("recurrence", rule, .badRule)
    } else if card.deadline == nil, recurrence.from != .completion, recurrence.start == nil {
      card.recurrence = nil
      problems.append(TaskProblem(reason: .badRule, field: "recurrence"))
      if unread.contains("deadline") { unread.insert("recurrence") }
    }
  }

  /// Sets the parts of the recurrence besides its rule: where it counts from, and for a task without a deadline the day
  /// of its first occurrence.
  mutating func counts(from origin: Recurrence.Origin?, start: CalendarDay?) {
    card.recurrence?.from = origin
    card.recurrence?.start = card.deadline == nil && origin != .completion ? start : nil
  }

  /// Sets another first day for the recurrence details of our own; nil begins with the task's deadline.
  mutating func restart(on first: CalendarDay?) {
    if first != nil, card.recurrence?.start == nil { return }
    card.recurrence?.start = first
    if first == nil { card.recurrence?.done = nil }
  }

  /// Whether deadline, time and recurrence are the same.
  func recurs(as other: ExternalTask) -> Bool {
    card.deadline == other.deadline && card.time == other.time && card.recurs(as: other.card)
  }

  /// The recurrence besides its rule, in our own files, as JSON; nil if there is nothing besides the rule.
  var recurrenceDetails: String? {
    guard let recurrence = card.recurrence, !recurrence.plain(due: card.deadline).isPlain else { return nil }
    return try? StoredJSON(recurrence).json
  }
}

extension ProjectRecord {
  /// Whether another card has the same recurrence. A start that equals the deadline counts as no start.
  func recurs(as other: ProjectRecord) -> Bool {
    recurrence?.plain(due: deadline) == other.recurrence?.plain(due: other.deadline)
  }
}
