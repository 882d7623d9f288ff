import Contract
import Display
import Store
import Wire

/// A file of tasks by its format.
enum TaskFormat: String, Choice, Codable {
  case ics, taskwarrior, todotxt, markdown, jsonl
}

/// A task in the terms that all formats share, and as it stands in the file that it came from.
///
/// Nothing is lost because nothing is taken apart for good: a task keeps its own text, and what writes it back changes
/// in that text only what has become different. So what we know nothing of stays as it is, in its place.
struct ForeignTask: Sendable, Equatable {
  enum State: String, Sendable, Codable {
    case todo, doing, done
  }

  /// What tells it from others in its format, where the format has such a thing.
  var uid: String?
  /// Our own revision, where the file is one of ours: then `uid` is our own id.
  var revision: FileRevision?
  /// Of which revision of its card it was written here last, where it is a task of another program, by whose name for it
  /// the card is known.
  var written: FileRevision?
  var title = ""
  var body = ""
  var state = State.todo
  /// In the reader's zone.
  var due: CalendarDay?
  /// `09:05`, of the day on which it is due.
  var time: String?
  /// Whether its file says the deadline as a moment, which is a day and a time only where somebody reads it.
  var isDueAtMoment = false
  /// Where it is that day and that time, by the zone's name, where its file says so.
  var dueZone: String?
  var tags: [String] = []
  /// 1 is the highest and 9 the lowest, as iCalendar has it.
  var priority: Int?
  var created: Instant?
  /// The day on which it was written, where its file has no more of that: the same for whoever reads it, in any zone.
  var createdOn: CalendarDay?
  var modified: Instant?
  var started: Instant?
  /// When it last came from another column into an open one; only our own lines have it.
  var moved: Instant?
  var completed: Instant?
  /// An iCalendar RRULE.
  var recurrence: String?
  /// What we know of its recurrence besides, as JSON; only our own files have it.
  var recurrenceDetails: String?
  /// The `uid`s of the tasks without which it cannot be done.
  var blockedBy: [String] = []
  /// What the tasks of its file call it that wait for it, where that tells it from others in no other file.
  var nameInFile: String?
  /// The column in which it stands and its place there; only our own files have them.
  var column: String?
  var rank: String?
  /// The column as its word has it, with its title (`ColumnWord`).
  var named: KeptColumn?
  /// All columns of the board, where it says them besides (`BoardWord`).
  var board: [KeptColumn] = []
  /// Its id in the program that it came from, where a file of ours knows it.
  var foreignID: String?
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
    Self.sameText(title, other.title) && Self.sameText(body, other.body) && state == other.state && due == other.due
      && time == other.time && priority == other.priority && Self.sameTags(self, other)
      && recurrence == other.recurrence && recurrenceDetails == other.recurrenceDetails
      && Self.sameList(blockedBy.sorted(), other.blockedBy.sorted())
  }

  /// Whether what stands in a file as another task says all of this one.
  func isWritten(as other: ForeignTask) -> Bool {
    says(other) && hasColumn(of: other) && uid == other.uid && revision == other.revision && written == other.written
      && board == other.board
  }

  static func sameText(_ left: String, _ right: String) -> Bool {
    sameBytes(left, right) || sameBytes(unified(left), unified(right))
  }

  /// Taskwarrior sorts them.
  static func sameTags(_ left: ForeignTask, _ right: ForeignTask) -> Bool {
    let isSorted = [left, right].contains { $0.source?.format == .taskwarrior }
    return isSorted ? sameList(left.tags.sorted(), right.tags.sorted()) : sameList(left.tags, right.tags)
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

  private static func breaksLine(_ scalar: Unicode.Scalar) -> Bool {
    // NUL is no mistake in a line but no text at all, and refused as such.
    if scalar == "\0" { return false }
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    default: return false
    }
  }

  static func trimmed(_ text: some StringProtocol) -> String {
    let front = text.drop(while: \.isWhitespace)
    let end = front.lastIndex { !$0.isWhitespace }.map { front.index(after: $0) }
    return String(front[..<(end ?? front.startIndex)])
  }

  private static let mostTags = 100
  private static let longestTag = 100
  private static let mostBlockers = 100

  /// Leaves of what was read only what a card can have. All that read a task come through here, so that what is left out
  /// does not look as if somebody had taken it away.
  mutating func settle() {
    title = Self.title(title)
    var kept: [String] = []
    for tag in tags.map(Self.trimmed) where !tag.isEmpty && kept.count < Self.mostTags {
      guard tag.unicodeScalars.count <= Self.longestTag, !tag.unicodeScalars.contains(where: Self.breaksLine) else {
        continue
      }
      if !kept.contains(where: { sameBytes($0, tag) }) { kept.append(tag) }
    }
    tags = kept
    var blockers: [String] = []
    for blocker in blockedBy where !blockers.contains(blocker) && blockers.count < Self.mostBlockers {
      blockers.append(blocker)
    }
    blockedBy = blockers
    if due == nil { time = nil }
    guard let recurrence else {
      recurrenceDetails = nil
      return
    }
    let countsWithoutDeadline = ownRecurrence.map { $0.from == .completion || $0.start != nil } ?? false
    if (try? RecurrenceRule(recurrence))?.neverComes != false || recurrence.unicodeScalars.count > 500 {
      self.recurrence = nil
      cannotRead("recurrence", recurrence, .badRule)
    } else if due == nil, !countsWithoutDeadline {
      self.recurrence = nil
      problems.append(TaskProblem(reason: .badRule, field: "recurrence"))
      if unread.contains("deadline") { unread.insert("recurrence") }
    }
    if self.recurrence == nil { recurrenceDetails = nil }
  }

  /// Keeps what a file says of its recurrence besides the rule: where it counts from, and for a task that is not due the
  /// day of its first.
  mutating func counts(_ rule: String, from origin: Recurrence.Origin?, start: CalendarDay?) {
    let start = due == nil && origin != .completion ? start : nil
    guard origin != nil || start != nil else { return }
    recurrenceDetails = try? StoredJSON(Recurrence(rule: rule, from: origin, start: start)).json
  }

  /// Lets our own words on its recurrence count from another first day; nil lets it begin with what the task is due on.
  mutating func restart(on first: CalendarDay?) {
    guard var recurrence = ownRecurrence, first == nil || recurrence.start != nil else { return }
    recurrence.start = first
    if first == nil { recurrence.done = nil }
    recurrenceDetails = try? StoredJSON(recurrence).json
  }

  /// Whether nothing has changed of when it is due and comes again.
  func comesAgain(as other: ForeignTask) -> Bool {
    due == other.due && time == other.time && recurrence == other.recurrence
      && recurrenceDetails == other.recurrenceDetails
  }

  /// What our own files say of its recurrence besides the rule.
  var ownRecurrence: Recurrence? {
    guard let details = recurrenceDetails, let recurrence = try? StoredJSON<Recurrence>(stored: details).value() else {
      return nil
    }
    return recurrence
  }
}
