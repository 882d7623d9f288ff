import Contract
import Display
import Exchange
import Kit
import Store
import Wire

/// A file of tasks by its format.
enum TaskFormat: String, Choice, Codable {
  case ics, taskwarrior, todotxt, markdown, jsonl
}

/// A task in the terms that all formats share: a card as far as the file says it, and the task as it stands in the file.
///
/// Nothing is lost because nothing is taken apart for good: a task keeps its own text, and what writes it back changes
/// in that text only what has become different. So what we know nothing of stays as it is, in its place.
@dynamicMemberLookup
struct ForeignTask: Sendable {
  enum State: String, Sendable, Codable {
    case todo, doing, done
  }

  /// What it says of the fields of a card. The blockers are the `uid`s of tasks; days and times are those of the reader's
  /// zone; the column and the place in it are empty where the file does not have them, as only our own do.
  var card = ProjectRecord()
  /// What tells it from others in its format, where the format has such a thing.
  var uid: String?
  /// Our own revision, where the file is one of ours: then `uid` is our own id.
  var revision: FileRevision?
  /// Of which revision of its card it was written here last, where it is a task of another program, by whose name for it
  /// the card is known.
  var written: FileRevision?
  var state = State.todo
  /// Whether its file says the deadline as a moment, which is a day and a time only where somebody reads it.
  var isDueAtMoment = false
  /// Where it is that day and that time, by the zone's name, where its file says so.
  var dueZone: String?
  var created: Instant?
  /// The day on which it was written, where its file has no more of that: the same for whoever reads it, in any zone.
  var createdOn: CalendarDay?
  var modified: Instant?
  /// What the tasks of its file call it that wait for it, where that tells it from others in no other file.
  var nameInFile: String?
  /// The column as its word has it, with its title (`ColumnProperty`).
  var named: KeptColumn?
  /// All columns of the board, where it says them besides (`BoardProperty`).
  var board: [KeptColumn] = []
  /// As it stands in its file.
  var source: ForeignSource?
  /// Of Taskwarrior, which task of a recurring one it is.
  var series: TaskSeries?

  /// Where in its file it stands; of no meaning once it is taken over.
  var place = ImportNote.Place(number: 0)
  /// What could not be read of it.
  var problems: [TaskProblem] = []
  /// The fields, by the names that clients have for them, whose values in the file mean nothing.
  var unread: Set<String> = []

  /// What is set through this is copied first: a list that grows is changed in `card`.
  subscript<Value>(dynamicMember path: WritableKeyPath<ProjectRecord, Value>) -> Value {
    get { card[keyPath: path] }
    set { card[keyPath: path] = newValue }
  }

  /// The column in which it stands, where the file names it.
  var column: String? {
    get { card.state.isEmpty ? nil : card.state }
    set { card.state = newValue ?? "" }
  }
}

/// A task as it stands in a file, with what stands around it and belongs to no other.
struct ForeignSource: Sendable, Equatable, Codable {
  var format: TaskFormat
  /// The task itself.
  var text: String
  /// What stands between the task before and this one. Of Taskwarrior, templates that no card is made from.
  var before = ""
  /// What stands behind the last task.
  var after = ""
  /// What the file begins with, before its first task: each of its tasks has it, so that it goes with none of them.
  var head: String?
  /// Of Taskwarrior, what this task and those after it are made from, where it is the last that is open.
  var template: String?
  /// Of iCalendar, the lines that name the days of it that were moved, each of which is a task of its own.
  var moved: [String]?
  /// The zone in which its moments became days and times of a card, by its name. Nil of formats that have no moments,
  /// and of what came before this was kept.
  var zone: String?

  /// Where its moments are read: as they were when it came, so that a card that nobody touched says the same wherever it
  /// is asked.
  func zone(for reader: Zone) -> Zone {
    guard let zone, zone != reader.identifier else { return reader }
    return Zone(zone) ?? reader
  }
}

extension ForeignTask {
  /// Where its days and times are moments: where its file was read, or with whoever writes it.
  func zone(for reader: Zone) -> Zone { source?.zone(for: reader) ?? reader }
}

/// What a file of tasks holds.
struct ForeignFile: Sendable {
  private(set) var tasks: [ForeignTask] = []
  private(set) var notes: [ImportNote] = []
  /// Where the file has any; only our own do.
  var columns: [KeptColumn] = []
  /// Whether these are the board, in its order, and not only what some tasks name.
  var hasAllColumns = false
  /// Of Taskwarrior, whether it has anything that tasks are made from.
  var hasTemplates = false
  private var count = 0

  /// Takes a task in, with what there is to say of it.
  mutating func add(_ task: ForeignTask, line: Int?) {
    count += 1
    var task = task
    task.place = ImportNote.Place(number: count, line: line)
    notes += task.problems.map { $0.note(at: task.place, title: task.title) }
    task.problems = []
    addColumns(of: task)
    tasks.append(task)
  }

  /// Those of the board, or its own one. Of two of one name the first counts, and the first board.
  private mutating func addColumns(of task: ForeignTask) {
    var named = task.named.map { [$0] } ?? []
    if !hasAllColumns, !task.board.isEmpty {
      hasAllColumns = true
      named = columns + named
      columns = task.board
    }
    for column in named where !columns.contains(where: { sameBytes($0.state, column.state) }) {
      if columns.count < KeptColumn.most { columns.append(column) }
    }
  }

  /// Leaves one out.
  mutating func skip(_ reason: ImportNote.Reason, line: Int?, title: String = "", text: Text? = nil) {
    count += 1
    notes.append(ImportNote(reason, at: ImportNote.Place(number: count, line: line), title: title, text: text))
  }

  /// What stands behind the last task.
  mutating func end(with text: String) {
    if let last = tasks.indices.last { tasks[last].source?.after = text }
  }
}

extension ForeignTask {
  /// The same in all that is ours to change. Texts are compared by their bytes, but for how their lines end.
  func says(_ other: ForeignTask) -> Bool {
    var (left, right) = (card, other.card)
    // Taskwarrior sorts them.
    if [self, other].contains(where: { $0.source?.format == .taskwarrior }) {
      left.tags.sort()
      right.tags.sort()
    }
    // By index, as a field that is taken out of the list is copied. Writing values cannot fail.
    return state == other.state
      && Self.fields.indices.allSatisfy { place in
        (try? ProjectRecord.fields.isAlike(Self.fields[place], left, right)) ?? false
      }
  }

  /// What formats have of a card; the column is for `state` to say.
  static let fields = ProjectRecord.fields.followed.filter { $0.name != "state" }

  /// Whether what stands in a file as another task says all of this one.
  func isWritten(as other: ForeignTask) -> Bool {
    says(other) && hasColumn(of: other) && uid == other.uid && revision == other.revision && written == other.written
      && board == other.board
  }

  static func sameText(_ left: String, _ right: String) -> Bool {
    sameBytes(left, right) || sameBytes(unified(left), unified(right))
  }

  static func sameList(_ left: [String], _ right: [String]) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy(sameBytes)
  }

  private static func unified(_ text: String) -> String {
    TextLine.lines(of: text).map { $0.text + ($0.end.isEmpty ? "" : "\n") }.joined()
  }

  /// A title has one line, and nothing in it that would break one. White space around it says nothing, and neither does
  /// the mark of UTF-8 before it, as texts have it that were files once.
  static func title(_ text: String) -> String {
    let text = text.drop { $0 == "\u{FEFF}" || $0.isWhitespace }
    guard text.unicodeScalars.contains(where: breaksLine) else { return trimmed(text) }
    return trimmed(text.split { $0.unicodeScalars.contains(where: breaksLine) }.joined(separator: " "))
  }

  /// NUL is no mistake in a line but no text at all, and refused as such.
  private static func breaksLine(_ scalar: Unicode.Scalar) -> Bool { scalar != "\0" && scalar.isLineEndOrControl }

  static func trimmed(_ text: some StringProtocol) -> String {
    let front = text.drop(while: \.isWhitespace)
    let end = front.lastIndex { !$0.isWhitespace }.map { front.index(after: $0) }
    return String(front[..<(end ?? front.startIndex)])
  }

  /// Leaves of what was read only what a card can have. All that read a task come through here, so that what is left out
  /// does not look as if somebody had taken it away.
  mutating func settle() {
    card.title = Self.title(card.title)
    card.tags = TagList.possible(card.tags)
    var blockers: [String] = []
    for blocker in card.blockedBy where !blockers.contains(blocker) && blockers.count < Blockers.most {
      blockers.append(blocker)
    }
    card.blockedBy = blockers
    if card.deadline == nil { card.time = nil }
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

  /// Keeps what a file says of its recurrence besides the rule: where it counts from, and for a task that is not due the
  /// day of its first.
  mutating func counts(from origin: Recurrence.Origin?, start: CalendarDay?) {
    card.recurrence?.from = origin
    card.recurrence?.start = card.deadline == nil && origin != .completion ? start : nil
  }

  /// Lets our own words on its recurrence count from another first day; nil lets it begin with what the task is due on.
  mutating func restart(on first: CalendarDay?) {
    if first != nil, card.recurrence?.start == nil { return }
    card.recurrence?.start = first
    if first == nil { card.recurrence?.done = nil }
  }

  /// Whether nothing has changed of when it is due and comes again.
  func comesAgain(as other: ForeignTask) -> Bool {
    card.deadline == other.deadline && card.time == other.time && card.comesAgain(as: other.card)
  }

  /// What our own files say of its recurrence besides the rule, as JSON; nil where there is nothing.
  var recurrenceDetails: String? {
    guard let recurrence = card.recurrence, !recurrence.plain(due: card.deadline).isPlain else { return nil }
    return try? StoredJSON(recurrence).json
  }
}

extension ProjectRecord {
  /// Whether another card comes again as this does. The day from which a rule counts goes without saying where it is the
  /// one on which the card is due.
  func comesAgain(as other: ProjectRecord) -> Bool {
    recurrence?.plain(due: deadline) == other.recurrence?.plain(due: other.deadline)
  }
}
