import Contract
import Exchange
import Kit
import Wire

/// Our own format: one card per line, as JSON, with all its fields; the columns precede the cards.
enum TaskLinesFormat {
  static func read(_ bytes: [UInt8], checkCancelled: () throws -> Void) throws -> TaskFile {
    var file = TaskFile()
    file.change(boardOf: "") { $0.hasAllColumns = true }
    for (index, line) in bytes.withoutByteOrderMark.split(separator: 0x0A, omittingEmptySubsequences: false)
      .enumerated()
    {
      try checkCancelled()
      guard line.contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) else { continue }
      guard case .object(let object)? = try? JSONParser.parse(Array(line)) else {
        if file.tasks.isEmpty, file.notes.isEmpty, file.namesNoBoard {
          throw WrongFormat(reason: "notJSON", line: index + 1)
        }
        // A complete line has a line end.
        if line.endIndex == bytes.endIndex { throw WrongFormat(reason: "cutOff", line: index + 1) }
        file.skip(.unreadable, line: index + 1)
        continue
      }
      if let columns = TaskLinesColumns.read(object) {
        let named = object["board"]?["id"]?.stringValue.flatMap { CardBoardID(validating: $0) }
        file.change(boardOf: named?.text ?? "") { board in
          board.title = object["board"]?["title"]?.stringValue.flatMap(CardBoardProperty.title)
          board.isArchived = object["board"]?["archived"] == true
          (board.columns, board.hasAllColumns, board.isListed) = (columns, true, named != nil)
        }
      } else {
        file.add(Self.task(object), line: index + 1)
      }
    }
    return file
  }

  fileprivate static let instants: [(name: String, path: any WritableKeyPath<ExternalTask, Instant?> & Sendable)] = [
    ("writtenAt", \.created), ("updatedAt", \.modified), ("startedAt", \.startedAt), ("movedAt", \.movedAt),
    ("completedAt", \.completedAt),
  ]

  private static func task(_ object: JSONObject) -> ExternalTask {
    var task = ExternalTask()
    func text(_ key: String) -> String? { object[key]?.stringValue }
    func texts(_ key: String) -> [String] { (object[key]?.arrayValue ?? []).compactMap(\.stringValue) }
    task.uid = text("id")
    task.revision = FileRevision(object["revision"]?.integerValue, history: text("epoch"))
    task.title = ProjectText.title(text("title") ?? "")
    task.body = text("body") ?? ""
    task.board = text("board").flatMap { CardBoardID(validating: $0) }?.text ?? ""
    task.column = text("column")
    task.rank = text("rank") ?? ""
    task.state = text("state").flatMap(ExternalTask.State.init) ?? .todo
    task.deadline = text("deadline").flatMap { CalendarDay($0) }
    task.time = text("time").flatMap { LocalDateTime(day: CalendarDay(daysSince1970: 0), time: $0)?.clock }
    task.tags = texts("tags")
    task.blockedBy = texts("blockedBy")
    task.parent = text("parent")
    task.recurrence = object["recurrence"].flatMap { recurrence in
      recurrence["rule"]?.stringValue.map { Recurrence(rule: $0, details: "\(recurrence)") }
    }
    task.noteProblems(of: object)
    for (name, path) in instants { task[keyPath: path] = text(name).flatMap(Instant.init) }
    if let foreign = object["foreign"], let format = foreign["format"]?.stringValue.flatMap(TaskFormat.init),
      let text = foreign["text"]?.stringValue
    {
      task.source = TaskSource(
        format: format, text: text, before: foreign["before"]?.stringValue ?? "",
        after: foreign["after"]?.stringValue ?? "", head: foreign["head"]?.stringValue,
        template: foreign["template"]?.stringValue, zone: foreign["zone"]?.stringValue)
      task.foreignID = foreign["id"]?.stringValue
    }
    task.settle()
    return task
  }

  static func write(_ tasks: [ExternalTask], boards: CardBoards) -> String {
    let heads = boards.all.compactMap { board -> String? in
      let columns = boards.columns(of: board.id).all
      if board.isDefault, columns == StoredColumn.usual || columns.isEmpty { return nil }
      return "\(TaskLinesColumns.line(of: columns, on: board))\n"
    }
    return heads.joined() + tasks.map { "\(JSONValue.object(line(of: $0)))\n" }.joined()
  }

  private static func line(of task: ExternalTask) -> JSONObject {
    var object: JSONObject = [:]
    object["id"] = task.uid.map(JSONValue.string)
    object["revision"] = task.revision.map { .integer($0.number) }
    object["epoch"] = task.revision?.history.map(JSONValue.string)
    object["title"] = .string(task.title)
    object["body"] = task.body.isEmpty ? nil : .string(task.body)
    object["state"] = .string(task.state.rawValue)
    object["board"] = task.isOnDefaultBoard ? nil : .string(task.board)
    object["column"] = task.column.map(JSONValue.string)
    object["rank"] = task.rank.isEmpty ? nil : .string(task.rank)
    object["deadline"] = task.deadline.map { .string($0.description) }
    object["time"] = task.time.map(JSONValue.string)
    object["tags"] = task.tags.isEmpty ? nil : .array(task.tags.map(JSONValue.string))
    object["blockedBy"] = task.blockedBy.isEmpty ? nil : .array(task.blockedBy.map(JSONValue.string))
    object["parent"] = task.parent.map(JSONValue.string)
    for plain in PlainField.all { object[plain.name] = plain.value(in: task.card) }
    object["recurrence"] =
      task.recurrenceDetails.flatMap { try? JSONParser.parse($0) } ?? task.recurrence.map { ["rule": .string($0.rule)] }
    for (name, path) in instants { object[name] = task[keyPath: path].map { .string($0.description) } }
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

extension ExternalTask {
  /// Reports members whose values are invalid, instead of ignoring them silently.
  fileprivate mutating func noteProblems(of object: JSONObject) {
    func given(_ key: String) -> String? {
      object[key].flatMap { $0.isNull ? nil : $0.stringValue ?? "\($0)" }
    }
    if let text = given("deadline") { cannotRead("deadline", text, .badDate) }
    for (name, _) in TaskLinesFormat.instants {
      guard let text = given(name), Instant(text) == nil else { continue }
      problems.append(TaskProblem(reason: .badDate, field: name, value: text))
    }
    if let text = given("state"), State(rawValue: text) == nil { cannotRead("state", text, .badValue) }
    if let text = given("time") { cannotRead("time", text, .badValue) }
    for plain in PlainField.all {
      guard let value = object[plain.name], !value.isNull, !plain.assign(value, to: &card) else { continue }
      cannotRead(plain.name, value.stringValue ?? "\(value)", .badValue)
    }
    if let text = given("recurrence") { cannotRead("recurrence", text, .badRule) }
  }
}

/// The boards in our own format: a line before the cards for each board with its columns. The default board has one,
/// without `board`, if its columns are not the usual ones.
///
///     {"columns":[{"state":"todo","isOpen":true},{"state":"waiting","title":"WAITING","isOpen":true}, …]}
///     {"board":{"id":"0190","title":"Garden"},"columns":[{"state":"todo","isOpen":true}, …]}
enum TaskLinesColumns {
  /// nil for a line that is a card; empty if the columns are invalid.
  static func read(_ object: JSONObject) -> [StoredColumn]? {
    guard object["id"] == nil, object["title"] == nil, let list = object["columns"]?.arrayValue else { return nil }
    var columns: [StoredColumn] = []
    for item in list {
      guard let state = item["state"]?.stringValue.flatMap({ ColumnID(validating: $0) }),
        case .bool(let isOpen)? = item["isOpen"]
      else { continue }
      let limit = item["limit"]?.integerValue.flatMap { StoredColumn.limit(Int(clamping: $0)) }
      let column = StoredColumn(
        state: state.text, title: item["title"]?.stringValue, isOpen: isOpen, limit: limit)
      guard column.isSound, !columns.contains(where: { sameBytes($0.state, column.state) }) else { continue }
      columns.append(column)
    }
    return columns.contains(where: \.isOpen) && columns.count <= StoredColumn.most ? columns : []
  }

  static func line(of columns: [StoredColumn], on board: CardBoardRecord) -> JSONValue {
    let list = columns.map { column in
      var object: JSONObject = ["state": .string(column.state)]
      object["title"] = column.title.map(JSONValue.string)
      object["isOpen"] = .bool(column.isOpen)
      object["limit"] = column.limit.map { .integer(Int64($0)) }
      return JSONValue.object(object)
    }
    if board.isDefault { return ["columns": .array(list)] }
    var object: JSONObject = ["id": .string(board.id)]
    object["title"] = board.title.isEmpty ? nil : .string(board.title)
    if board.isArchived { object["archived"] = true }
    return ["board": .object(object), "columns": .array(list)]
  }
}

extension StoredColumn {
  static let most = 50
  static let longestTitle = 100
  /// The largest limit of its cards.
  static let mostCards = 1_000

  /// A limit that a column can have, else nil.
  static func limit(_ number: Int) -> Int? { (1...mostCards).contains(number) ? number : nil }

  /// Whether `projects/columns` would accept the column.
  var isSound: Bool {
    guard let title else { return usualTitleKey != nil }
    return !ProjectText.trimmed(title).isEmpty && title.unicodeScalars.count <= Self.longestTitle
      && !title.unicodeScalars.contains(where: \.isLineEndOrControl)
  }
}
