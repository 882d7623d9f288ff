import Contract
import Display
import Exchange
import Kit
import Wire

/// Reads and writes tasks in all formats.
enum TaskExchange {
  /// - Throws: `WrongFormat`, or the error of `checkCancelled`, which is called before each task.
  static func read(
    _ bytes: [UInt8], as format: TaskFormat, zone: Zone, checkCancelled: () throws -> Void = {}
  ) throws -> TaskFile {
    switch format {
    case .ics: try ICalendarFormat.read(bytes, zone: zone, checkCancelled: checkCancelled)
    case .taskwarrior: try TaskwarriorFormat.read(bytes, zone: zone, checkCancelled: checkCancelled)
    case .todotxt: try TodoTxtFormat.read(bytes, zone: zone, checkCancelled: checkCancelled)
    case .markdown: try MarkdownTaskFormat.read(bytes, zone: zone, checkCancelled: checkCancelled)
    case .jsonl: try TaskLinesFormat.read(bytes, checkCancelled: checkCancelled)
    }
  }

  static func write(
    _ tasks: [ExternalTask], as format: TaskFormat, boards: CardBoards = CardBoards(), zone: Zone, now: Instant,
    remindAt: Int = CardSettings().remindAt
  ) throws(WrongFormat) -> String {
    let tasks = BoardProperty.saying(boards, with: tasks)
    return switch format {
    case .ics: try ICalendarFormat.write(tasks, boards: boards, zone: zone, now: now, remindAt: remindAt)
    case .taskwarrior: try TaskwarriorFormat.write(tasks, boards: boards, zone: zone, now: now)
    case .todotxt: TodoTxtFormat.write(tasks, boards: boards, zone: zone, now: now)
    case .markdown: MarkdownTaskFormat.write(tasks, boards: boards, zone: zone)
    case .jsonl: TaskLinesFormat.write(tasks, boards: boards)
    }
  }

  /// The format of a file whose sender gave none: the certain format of its bytes, else todo.txt if its name or its
  /// lines suggest it; nil if neither does.
  static func format(of bytes: [UInt8], path: String?) -> TaskFormat? {
    let found = format(of: bytes)
    let isNamed = path.map(TodoTxtFormat.isIts(name:)) ?? false
    // A file of that name may contain a Markdown list, or a task may quote one.
    guard found == nil && TodoTxtFormat.isIts(bytes) || (found == nil || found == .markdown) && isNamed,
      !bytes.isBlankText, MistakenFormat(bytes, as: .todotxt) == nil
    else { return found }
    return .todotxt
  }

  /// The certain format of bytes; nil if they could be something else. Any text could be todo.txt.
  static func format(of bytes: [UInt8]) -> TaskFormat? {
    let head = bytes.withoutByteOrderMark
    let text = head.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    let first = text.prefix(15).map { $0 >= 0x61 && $0 <= 0x7A ? $0 - 0x20 : $0 }
    // A file of one task may lack the lines of a calendar around it.
    if ["BEGIN:VCALENDAR", "BEGIN:VTODO"].contains(where: { first.starts(with: $0.utf8) }) { return .ics }
    if let opening = text.first, [UInt8(ascii: "["), UInt8(ascii: "{")].contains(opening) {
      let line = text.prefix { $0 != 0x0A }
      let elements = opening == UInt8(ascii: "[") ? (try? JSONElements(bytes))?.elements.first?.value : nil
      // Text that only begins like JSON may be a note that begins with a link: `[[Projects]]`, `{{embed}}`.
      if case .object(let object)? = elements ?? (try? JSONParser.parse(Array(line))) {
        if object["uuid"] != nil, object["status"] != nil { return .taskwarrior }
        if TaskLinesColumns.read(object) != nil { return .jsonl }
        return object["id"] != nil && object["title"] != nil && object["state"] != nil ? .jsonl : nil
      }
    }
    guard let text = String(validating: head, as: UTF8.self) else { return nil }
    // Only a list of tasks has these, in the middle of any other text.
    return TextLine.lines(of: text).contains { MarkdownTaskLine($0.text) != nil } ? .markdown : nil
  }
}

extension TaskSource {
  /// Reads the stored source text as a task, in the zone of its import if it has one, or else in `zone`. Skipped tasks
  /// may precede it. Nil if the text cannot be read any more.
  func task(zone: Zone) -> ExternalTask? {
    let whole: String
    switch format {
    case .ics: whole = "BEGIN:VCALENDAR\r\n\(before)\(text)END:VCALENDAR\r\n"
    case .taskwarrior: whole = "[\(template.map { $0 + "," } ?? "")\(text)]"
    case .todotxt, .markdown, .jsonl: whole = text
    }
    var task = (try? TaskExchange.read(Array(whole.utf8), as: format, zone: self.zone(for: zone)))?.tasks.last
    if let enclosing, task?.statesParent == false { task?.parent = enclosing }
    return task
  }
}

extension TaskSource {
  /// Whether two source texts differ at most in parts that change by themselves: Taskwarrior recalculates the urgency
  /// every day, and servers stamp a task whenever they send it.
  func says(_ other: TaskSource) -> Bool {
    if enclosing != other.enclosing { return false }
    if sameBytes(text, other.text), format != .taskwarrior || template == other.template { return true }
    switch format {
    case .ics: return meansSame(as: other)
    case .taskwarrior:
      guard case .object(var left)? = try? JSONParser.parse(text),
        case .object(var right)? = try? JSONParser.parse(other.text)
      else { return false }
      for key in ["id", "urgency"] {
        left[key] = nil
        right[key] = nil
      }
      return left == right && Self.rule(of: self) == Self.rule(of: other)
    default: return false
    }
  }

  private static func rule(of source: TaskSource) -> String? {
    source.template.flatMap { (try? JSONParser.parse($0))?.objectValue }.flatMap(TaskwarriorFamilies.rule)
  }

  /// Whether the text around a task is the same, except for parts that change by themselves; for iCalendar see
  /// `hasSameSurroundings(as:among:)`.
  func hasSameSurroundings(as other: TaskSource) -> Bool {
    if format == .taskwarrior {
      func parts(_ source: TaskSource) -> [[JSONValue]] {
        [source.before, source.after, source.template ?? ""].map(TaskwarriorFamilies.lasting)
      }
      return parts(self) == parts(other)
    }
    return sameBytes(before, other.before) && sameBytes(after, other.after)
  }
}
