import Contract
import Wire

/// Our own format: a card a line, as JSON, with everything that is known of it; before them the columns.
enum TaskLinesFormat {
  static func read(_ bytes: [UInt8], checkCancelled: () throws -> Void) throws -> ForeignFile {
    var file = ForeignFile()
    file.hasAllColumns = true
    for (index, line) in bytes.withoutByteOrderMark.split(separator: 0x0A, omittingEmptySubsequences: false)
      .enumerated()
    {
      try checkCancelled()
      guard line.contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) else { continue }
      guard case .object(let object)? = try? JSONParser.parse(Array(line)) else {
        if file.tasks.isEmpty, file.notes.isEmpty, file.columns.isEmpty {
          throw WrongFormat(reason: "notJSON", line: index + 1)
        }
        // Each line that is whole has an end.
        if line.endIndex == bytes.endIndex { throw WrongFormat(reason: "cutOff", line: index + 1) }
        file.skip(.unreadable, line: index + 1)
        continue
      }
      if let columns = TaskLinesColumns.read(object) {
        file.columns = columns
      } else {
        file.add(Self.task(object), line: index + 1)
      }
    }
    return file
  }

  private static func task(_ object: JSONObject) -> ForeignTask {
    var task = ForeignTask()
    func text(_ key: String) -> String? { object[key]?.stringValue }
    func instant(_ key: String) -> Instant? { text(key).flatMap(Instant.init) }
    func texts(_ key: String) -> [String] { (object[key]?.arrayValue ?? []).compactMap(\.stringValue) }
    task.uid = text("id")
    task.revision = FileRevision(object["revision"]?.integerValue, history: text("epoch"))
    task.title = ForeignTask.title(text("title") ?? "")
    task.body = text("body") ?? ""
    task.column = text("column")
    task.rank = text("rank") ?? ""
    task.state = text("state").flatMap(ForeignTask.State.init) ?? .todo
    task.deadline = text("deadline").flatMap { CalendarDay($0) }
    task.time = text("time").flatMap { WallTime(day: CalendarDay(daysSince1970: 0), time: $0)?.clock }
    task.tags = texts("tags")
    task.blockedBy = texts("blockedBy")
    task.recurrence = object["recurrence"].flatMap { recurrence in
      recurrence["rule"]?.stringValue.map { Recurrence(rule: $0, details: "\(recurrence)") }
    }
    task.noteProblems(of: object)
    task.created = instant("writtenAt")
    task.modified = instant("updatedAt")
    task.startedAt = instant("startedAt")
    task.movedAt = instant("movedAt")
    task.completedAt = instant("completedAt")
    if let foreign = object["foreign"], let format = foreign["format"]?.stringValue.flatMap(TaskFormat.init),
      let text = foreign["text"]?.stringValue
    {
      task.source = ForeignSource(
        format: format, text: text, before: foreign["before"]?.stringValue ?? "",
        after: foreign["after"]?.stringValue ?? "", head: foreign["head"]?.stringValue,
        template: foreign["template"]?.stringValue, zone: foreign["zone"]?.stringValue)
      task.foreignID = foreign["id"]?.stringValue
    }
    task.settle()
    return task
  }

  static func write(_ tasks: [ForeignTask], columns: [KeptColumn]) -> String {
    let head = columns == KeptColumn.usual || columns.isEmpty ? "" : "\(TaskLinesColumns.line(of: columns))\n"
    return head + tasks.map { "\(JSONValue.object(line(of: $0)))\n" }.joined()
  }

  private static func line(of task: ForeignTask) -> JSONObject {
    func instant(_ instant: Instant?) -> JSONValue? { instant.map { .string($0.description) } }
    var object: JSONObject = [:]
    object["id"] = task.uid.map(JSONValue.string)
    object["revision"] = task.revision.map { .integer($0.number) }
    object["epoch"] = task.revision?.history.map(JSONValue.string)
    object["title"] = .string(task.title)
    object["body"] = task.body.isEmpty ? nil : .string(task.body)
    object["state"] = .string(task.state.rawValue)
    object["column"] = task.column.map(JSONValue.string)
    object["rank"] = task.rank.isEmpty ? nil : .string(task.rank)
    object["deadline"] = task.deadline.map { .string($0.description) }
    object["time"] = task.time.map(JSONValue.string)
    object["tags"] = task.tags.isEmpty ? nil : .array(task.tags.map(JSONValue.string))
    object["blockedBy"] = task.blockedBy.isEmpty ? nil : .array(task.blockedBy.map(JSONValue.string))
    for member in task.plainFields.members { object[member.key] = member.value }
    object["recurrence"] =
      task.recurrenceDetails.flatMap { try? JSONParser.parse($0) } ?? task.recurrence.map { ["rule": .string($0.rule)] }
    object["writtenAt"] = instant(task.created)
    object["updatedAt"] = instant(task.modified)
    object["startedAt"] = instant(task.startedAt)
    object["movedAt"] = instant(task.movedAt)
    object["completedAt"] = instant(task.completedAt)
    if let source = task.source {
      var foreign: JSONObject = ["format": .string(source.format.rawValue), "text": .string(source.text)]
      if !source.before.isEmpty { foreign["before"] = .string(source.before) }
      if !source.after.isEmpty { foreign["after"] = .string(source.after) }
      if let head = source.head { foreign["head"] = .string(head) }
      if let template = source.template { foreign["template"] = .string(template) }
      if let zone = source.zone { foreign["zone"] = .string(zone) }
      foreign["id"] = task.foreignID.map(JSONValue.string)
      object["foreign"] = .object(foreign)
    }
    return object
  }
}

extension ForeignTask {
  /// What stands there and says nothing: it is told, and not taken for something else in silence.
  fileprivate mutating func noteProblems(of object: JSONObject) {
    func given(_ key: String) -> String? {
      object[key].flatMap { $0.isNull ? nil : $0.stringValue ?? "\($0)" }
    }
    if let text = given("deadline") { cannotRead("deadline", text, .badDate) }
    for key in ["writtenAt", "updatedAt", "startedAt", "movedAt", "completedAt"] {
      guard let text = given(key), Instant(text) == nil else { continue }
      problems.append(TaskProblem(reason: .badDate, field: key, value: text))
    }
    if let text = given("state"), State(rawValue: text) == nil { cannotRead("state", text, .badValue) }
    if let text = given("time") { cannotRead("time", text, .badValue) }
    readPlainFields(of: object)
    if let text = given("recurrence") { cannotRead("recurrence", text, .badRule) }
  }
}

/// Fields that stand in a line as clients see them.
extension ForeignTask {
  /// All that files change but those that have a form of their own there.
  fileprivate static let plainFields = ProjectRecord.fields.followed.filter { field in
    !["title", "body", "state", "deadline", "time", "tags", "blockedBy", "recurrence"].contains(field.name)
  }

  fileprivate mutating func readPlainFields(of object: JSONObject) {
    for field in Self.plainFields {
      guard let value = object[field.name], !value.isNull else { continue }
      let member = ObjectShape.Field(
        name: field.name, shape: field.shape, presence: .optional, note: "", limits: field.limits)
      do {
        try Shape.object(.described("Line", [member])).checkParams([field.name: value], strict: true)
        try field.assign(value, &card)
      } catch {
        cannotRead(field.name, value.stringValue ?? "\(value)", .badValue)
      }
    }
  }

  fileprivate var plainFields: JSONObject {
    var json = JSONWriter()
    json.beginObject()
    for field in Self.plainFields where (try? field.isSame(card, ProjectRecord())) == false {
      try? field.write(card, &json)
    }
    json.endObject()
    return (try? JSONParser.parse(json.bytes))?.objectValue ?? [:]
  }
}
