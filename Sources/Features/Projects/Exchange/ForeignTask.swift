import Contract
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
  var revision: Int64?
  var title = ""
  var body = ""
  var state = State.todo
  /// In the reader's zone.
  var due: CalendarDay?
  /// `09:05`, of the day on which it is due.
  var time: String?
  var tags: [String] = []
  /// 1 is the highest and 9 the lowest, as iCalendar has it.
  var priority: Int?
  var created: Instant?
  var modified: Instant?
  var started: Instant?
  var completed: Instant?
  /// An iCalendar RRULE.
  var recurrence: String?
  /// What we know of its recurrence besides, as JSON; only our own files have it.
  var recurrenceDetails: String?
  /// The `uid`s of the tasks without which it cannot be done.
  var blockedBy: [String] = []
  /// As it stands in its file.
  var source: ForeignSource?

  /// In which line it begins, from 1; of no meaning once it is taken over.
  var line = 0
}

/// A task as it stands in a file, with what stands around it and belongs to no other.
struct ForeignSource: Sendable, Equatable, Codable {
  var format: TaskFormat
  /// The task itself.
  var text: String
  /// What stands between the task before and this one.
  var before = ""
  /// What stands behind the last task.
  var after = ""
}

/// What a file of tasks holds.
struct ForeignFile: Sendable {
  var tasks: [ForeignTask] = []
  var notes: [TaskNote] = []
}

/// What is to be said of one task of a file: that and why it was left out, or what of it was.
struct TaskNote: Sendable, Equatable {
  enum Reason: String, Choice {
    case badDate, badZone, blank, conflict, cycle, deleted, missingBlocker, notText, repeated, template, tooLong
    case unreadable

    /// Whether the task was left out.
    var skips: Bool {
      switch self {
      case .badDate, .badZone, .conflict, .cycle, .missingBlocker: false
      default: true
      }
    }
  }

  var line: Int
  var title: String?
  var reason: Reason
}

extension ForeignTask {
  /// The same in all that is ours to change. Texts are compared by their bytes, but for how their lines end.
  func says(_ other: ForeignTask) -> Bool {
    Self.sameText(title, other.title) && Self.sameText(body, other.body) && state == other.state && due == other.due
      && time == other.time && priority == other.priority && Self.sameList(tags, other.tags)
      && recurrence == other.recurrence && recurrenceDetails == other.recurrenceDetails
      && Self.sameList(blockedBy.sorted(), other.blockedBy.sorted())
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

  /// A title has one line. White space around it says nothing.
  static func title(_ text: String) -> String {
    let isOneLine = !text.unicodeScalars.contains { $0 == "\n" || $0 == "\r" }
    let line = isOneLine ? text : text.split(whereSeparator: \.isNewline).joined(separator: " ")
    return trimmed(line)
  }

  static func trimmed(_ text: some StringProtocol) -> String {
    let front = text.drop(while: \.isWhitespace)
    return String(front.prefix(upTo: front.lastIndex { !$0.isWhitespace }.map { front.index(after: $0) } ?? front.startIndex))
  }
}
