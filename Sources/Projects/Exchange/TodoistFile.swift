import Contract
import Display
import Exchange
import Kit
import Wire

/// A project of Todoist as CSV, as its templates and its backups have it.
///
///     TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE
///     section,Garden,,,,,,,,
///     task,Sow beans @spring,In rows,1,1,Ann (1),,every! 2 weeks,en,Europe/Vienna
///     task,Buy seeds,,4,2,Ann (1),,2026-11-30 09:00,en,Europe/Vienna
///     note,Not the dwarf ones,,,,Ann (1),,,,
///
/// It has no names of its tasks, so it is read as the Markdown list that an export writes of them: with it come the
/// identity of the tasks when the file is imported again, the nesting, and the way into other programs.
struct TodoistFile {
  /// A task that is being read.
  private struct Row {
    var task = ExternalTask()
    var depth: Int
    var line: Int
    /// The description, and the comments below it.
    var texts: [String]
  }

  private let reading: TodoistDate.Reading
  private var text = ""
  private var lines: [Int] = []
  private var problems: [[TaskProblem]] = []
  private var row: Row?
  private var section: String?
  /// Whether tasks have several authors, which is only so in a project of several people.
  private var namesAuthors = false

  /// Whether the first line has the columns of Todoist.
  static func isIts(_ bytes: [UInt8]) -> Bool {
    let line = bytes.withoutByteOrderMark.prefix(1_000).prefix { $0 != 0x0A && $0 != 0x0D }
    let names = String(decoding: line, as: UTF8.self).uppercased().split(separator: ",").map { name in
      name.filter { $0 != "\"" }
    }
    return ["TYPE", "CONTENT", "PRIORITY", "INDENT"].allSatisfy(names.contains)
  }

  /// The tasks, as those of a Markdown list, at their lines of the file.
  ///
  /// - Throws: `WrongFormat`, or the error of `checkCancelled`.
  static func read(
    _ bytes: [UInt8], _ reading: TodoistDate.Reading, checkCancelled: () throws -> Void
  ) throws -> TaskFile {
    guard isIts(bytes) else { throw WrongFormat(reason: "noColumns") }
    let table = try NamedRows(
      DelimitedText(bytes, delimiter: UInt8(ascii: ","), checkCancelled: checkCancelled))
    var file = TodoistFile(reading: reading)
    file.namesAuthors = Set(table.rows.compactMap { $0["AUTHOR"] }).count > 1
    var others: [NamedRows.Row] = []
    for row in table.rows where !row.isBlank {
      try checkCancelled()
      if !file.add(row) { others.append(row) }
    }
    file.endTask()
    var tasks = try MarkdownTaskFormat.read(Array(file.text.utf8), zone: reading.zone, checkCancelled: checkCancelled)
    tasks.place(at: file.lines, problems: file.problems)
    for row in others { tasks.skip(.notTask, line: row.line, title: row["CONTENT"] ?? "") }
    return tasks
  }

  private init(reading: TodoistDate.Reading) { self.reading = reading }

  /// - Returns: false for a row that belongs to no task and is none.
  private mutating func add(_ row: NamedRows.Row) -> Bool {
    let content = row.exact("CONTENT") ?? ""
    switch row["TYPE"]?.lowercased() {
    case "task":
      endTask()
      begin(row, content)
    case "section":
      endTask()
      section = ProjectText.title(content)
    // How the project is shown.
    case "meta": break
    case "note":
      guard self.row != nil else { return false }
      self.row?.texts.append(Self.comment(content))
    default: return false
    }
    return true
  }

  private mutating func begin(_ row: NamedRows.Row, _ content: String) {
    let indent = row["INDENT"].flatMap { Int($0) } ?? 1
    // A task is nested in the one before it, however much deeper it is.
    let depth = min(max(indent, 1) - 1, lastDepth + 1, Self.deepest)
    lastDepth = depth
    var read = Row(depth: depth, line: row.line, texts: [row.exact("DESCRIPTION")].compactMap(\.self))
    let (title, labels) = Self.title(content)
    read.task.title = title
    read.task.card.tags = labels + [section].compactMap(\.self).filter { !$0.isEmpty }
    read.task.card.priority = row["PRIORITY"].flatMap { Self.priorities[$0] }
    readDays(of: row, into: &read.task)
    for member in row.members.members where isProperty(member.key) {
      read.task.card.properties.append(
        ProjectProperty(name: member.key.lowercased(), value: member.value.stringValue ?? ""))
    }
    self.row = read
  }

  /// Todoist nests five deep.
  private static let deepest = 8
  private var lastDepth = -1

  /// The highest priority is 1, and 4 is none.
  private static let priorities = ["1": 1, "2": 3, "3": 5]

  private static let known: Set = [
    "type", "content", "description", "priority", "indent", "date", "date_lang", "timezone", "deadline",
    "deadline_lang", "is_collapsed",
  ]

  /// Whether a card has the value of a column as a property, such as `responsible`.
  private func isProperty(_ column: String) -> Bool {
    let name = column.lowercased()
    return !Self.known.contains(name) && !name.isEmpty && (name != "author" || namesAuthors)
  }

  /// A `DEADLINE` is the last day, and the `DATE` beside it the day on which work begins.
  private func readDays(of row: NamedRows.Row, into task: inout ExternalTask) {
    func read(_ name: String) -> TodoistDate? {
      guard let words = row[name] else { return nil }
      var reading = self.reading
      if let language = row[name + "_LANG"].flatMap({ LocaleTag($0) }) { reading.locale = language }
      if let date = TodoistDate(words, reading) { return date }
      task.cannotRead(name == "DATE" && row["DEADLINE"] != nil ? "start" : "deadline", words, .badDate)
      task.card.properties.append(ProjectProperty(name: name.lowercased(), value: words))
      return nil
    }
    let (date, deadline) = (read("DATE"), read("DEADLINE"))
    // What a card has no place for beside the other: the time of a start, or the last day of a recurring task.
    var left: String?
    if let deadline, date?.recurrence == nil {
      (task.deadline, task.time, task.start) = (deadline.day, deadline.time, date?.day)
      left = date?.time == nil ? nil : "DATE"
    } else {
      (task.deadline, task.time, task.recurrence) = (date?.day, date?.time, date?.recurrence)
      left = deadline == nil ? nil : "DEADLINE"
    }
    if let left, let words = row[left] {
      task.card.properties.append(ProjectProperty(name: left.lowercased(), value: words))
    }
  }

  /// The title without its labels, `@home`, and without the asterisk of a task that cannot be done.
  private static func title(_ content: String) -> (title: String, labels: [String]) {
    var labels: [String] = []
    let words = content.split(whereSeparator: \.isWhitespace).filter { word in
      guard word.first == "@", word.count > 1, !word.dropFirst().contains("@") else { return true }
      labels.append(String(word.dropFirst()))
      return false
    }
    // A task of nothing but labels has them as its title.
    let title = ProjectText.title(words.isEmpty ? content : words.joined(separator: " "))
    return (title.hasPrefix("* ") ? String(title.dropFirst(2)) : title, labels)
  }

  /// A comment with a file ends in `[[file {"file_name": "plan.pdf", "file_url": "https://…"}]]`.
  private static func comment(_ content: String) -> String {
    guard let mark = content.firstRange(of: "[[file "), content.hasSuffix("]]"),
      let file = try? JSONParser.parse(String(content[mark.upperBound...].dropLast(2))),
      let url = file["file_url"]?.stringValue
    else { return content }
    let name = file["file_name"]?.stringValue ?? url
    return ProjectText.trimmed("\(ProjectText.trimmed(content[..<mark.lowerBound])) [\(name)](\(url))")
  }

  /// Writes the task that was read last into the list.
  private mutating func endTask() {
    guard var read = row else { return }
    row = nil
    read.task.body = read.texts.joined(separator: "\n\n")
    read.task.settle()
    let front = String(repeating: "  ", count: read.depth) + "- ["
    text += MarkdownTaskFormat.text(
      of: read.task, over: MarkdownTaskLine(front: front, mark: " ", words: []), end: "\n", enclosing: nil,
      boards: CardBoards(), zone: reading.zone)
    lines.append(read.line)
    problems.append(read.task.problems)
  }
}
