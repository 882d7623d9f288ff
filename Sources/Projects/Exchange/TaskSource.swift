import Contract
import Display

/// The format of a file of tasks.
enum TaskFormat: String, Choice, Codable {
  case ics, taskwarrior, todotxt, markdown, jsonl
}

/// The format of a file of tasks that is imported.
enum TaskImportFormat: String, Choice {
  case ics, taskwarrior, todotxt, markdown, jsonl
  /// `TodoistFile`, read as a Markdown list.
  case todoist

  init(_ format: TaskFormat) {
    self =
      switch format {
      case .ics: .ics
      case .taskwarrior: .taskwarrior
      case .todotxt: .todotxt
      case .markdown: .markdown
      case .jsonl: .jsonl
      }
  }

  /// The format in which the tasks are stored.
  var tasks: TaskFormat {
    switch self {
    case .ics: .ics
    case .taskwarrior: .taskwarrior
    case .todotxt: .todotxt
    case .markdown, .todoist: .markdown
    case .jsonl: .jsonl
    }
  }
}

/// The source text of a task, with the text around it that belongs to no other task.
struct TaskSource: Sendable, Equatable, Codable {
  var format: TaskFormat
  /// The text of the task itself.
  var text: String
  /// The text between the preceding task and this one. For Taskwarrior, templates without cards.
  var before = ""
  /// The text after the last task.
  var after = ""
  /// The beginning of the file, before its first task. Each of its tasks has a copy, so that deleting one does not lose
  /// it.
  var head: String?
  /// For Taskwarrior: the template of its series, if it is the last open task of it.
  var template: String?
  /// For iCalendar: the RECURRENCE-ID lines of its moved occurrences, each of which is a task of its own.
  var moved: [String]?
  /// For Markdown: the id of the card of the task that it was nested in, at the last import.
  var enclosing: String?
  /// The name of the zone in which its instants became days and times of a card. Nil for formats without instants, and
  /// for tasks imported before this was stored.
  var zone: String?

  /// The zone for reading its instants: the one of the import, so that an unchanged card has the same days wherever a
  /// client is.
  func zone(for reader: Zone) -> Zone {
    guard let zone, zone != reader.identifier else { return reader }
    return Zone(zone) ?? reader
  }
}
