import Contract
import Display
import Exchange
import FoundationEssentials
import Kit
import Wire

/// Tasks as `task export` writes and `task import` reads them (Taskwarrior's "JSON format" RFC): an array of objects,
/// or with `json.array=off` one object per line.
///
/// See `TaskwarriorFamilies` for recurring tasks. A `project` is a tag that begins with `+`, as in todo.txt.
/// Annotations are the body.
enum TaskwarriorFormat {
  static func read(_ bytes: [UInt8], zone: Zone, checkCancelled: () throws -> Void) throws -> TaskFile {
    var file = TaskFile()
    let found = try elements(of: bytes)
    // A line that several tasks share does not identify them: notes state their numbers instead.
    let shared = Dictionary(grouping: found, by: \.line).filter { $0.value.count > 1 }
    let elements = found.map { element in
      (
        line: shared[element.line] == nil ? element.line : nil, text: String(decoding: element.bytes, as: UTF8.self),
        object: element.value?.objectValue
      )
    }
    let names = ownIDs(of: elements.compactMap(\.object))
    let families = TaskwarriorFamilies(elements.compactMap { element in element.object.map { ($0, element.text) } })
    file.hasTemplates = families.hasTemplates
    var between: [String] = []
    for (line, text, object) in elements {
      try checkCancelled()
      guard let object else {
        file.skip(.unreadable, line: line)
        continue
      }
      let template = families.template(of: object)
      var task = Self.task(object, of: template.flatMap { (try? JSONParser.parse($0))?.objectValue }, zone: zone)
      task.blockedBy = task.blockedBy.map { names[$0] ?? $0 }
      task.series = families.series(of: object, names: names)
      if object["status"]?.stringValue == "deleted" {
        file.skip(.deleted, line: line, title: task.title)
        continue
      }
      if TaskwarriorFamilies.isTemplate(object), families.decision(on: object) != .card {
        // Only finished tasks of the template are left, and Taskwarrior has not made the next one yet.
        if families.decision(on: object) == .leftOut { file.skip(.template, line: line, title: task.title) }
        between.append(text)
        continue
      }
      task.source = TaskSource(
        format: .taskwarrior, text: text, before: between.joined(separator: ",\n"), template: template)
      file.add(task, line: line)
      between = []
    }
    file.end(with: between.joined(separator: ",\n"))
    return file
  }

  private static func elements(of bytes: [UInt8]) throws(WrongFormat) -> [JSONElements.Element] {
    let rest = bytes.withoutByteOrderMark
    guard rest.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "{") else {
      return try JSONElements(bytes).elements
    }
    var elements: [JSONElements.Element] = []
    for (index, line) in rest.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      // Old versions end each line but the last with a comma.
      var line = line
      while let last = line.last, [0x20, 0x09, 0x0D, UInt8(ascii: ",")].contains(last) { line = line.dropLast() }
      guard !line.isEmpty else { continue }
      let element = JSONElements.Element(bytes: line, line: index + 1)
      guard element.value?.objectValue != nil else { throw WrongFormat(reason: "notJSON", line: index + 1) }
      elements.append(element)
    }
    return elements
  }

  /// Our own ids that are no UUIDs, by the uuids that replace them.
  private static func ownIDs(of objects: [JSONObject]) -> [String: String] {
    var names: [String: String] = [:]
    for object in objects {
      guard let own = object[ownID]?.stringValue, let uuid = object["uuid"]?.stringValue else { continue }
      names[uuid] = own
    }
    return names
  }

  /// `template` is the template of a task that recurs.
  private static func task(_ object: JSONObject, of template: JSONObject? = nil, zone: Zone) -> ExternalTask {
    func instant(_ key: String) -> Instant? {
      guard case .instant(let instant)? = object[key]?.stringValue.flatMap(CompactTime.init) else { return nil }
      return instant
    }
    var task = ExternalTask()
    task.uid = object[ownID]?.stringValue ?? object["uuid"]?.stringValue
    task.revision = FileRevision(
      object[revision]?.stringValue.flatMap { Int64($0) }, history: object[epoch]?.stringValue)
    task.written = object[written]?.stringValue.flatMap { FileRevision(word: $0) }
    task.title = ProjectText.title(object["description"]?.stringValue ?? "")
    task.body = annotations(object).compactMap { $0["description"]?.stringValue }.joined(separator: "\n")
    switch object["status"]?.stringValue {
    case "completed": task.state = .done
    default: task.state = object["start"] == nil ? .todo : .doing
    }
    if let due = TaskwarriorDeadline(object, reader: zone) {
      (task.deadline, task.time) = (due.day, due.time)
      (task.isDueAtMoment, task.dueZone) = (true, due.zone)
    } else if let due = object["due"] {
      task.cannotRead("deadline", due.stringValue ?? "\(due)", .badDate)
    }
    task.tags = (object["tags"]?.arrayValue ?? []).compactMap(\.stringValue)
    if let project = object["project"]?.stringValue, !project.isEmpty { task.card.tags.append("+" + project) }
    if let order = tagOrder(object) {
      task.tags = task.tags.map { tag in order.first { word($0) == tag } ?? tag }
      if order.sorted() == task.tags.sorted() { task.tags = order }
    }
    let start = TaskwarriorStart(object, reader: zone)
    (task.start, task.isSomeday) = (start.day, start.isSomeday)
    func ours(_ key: String) -> String? { object[extensionName(key)]?.stringValue }
    PlainField.read(into: &task, of: .taskwarrior, program: { object[$0]?.stringValue }, ours: ours)
    task.created = instant("entry")
    task.modified = instant("modified")
    task.startedAt = instant("start")
    task.completedAt = task.state == .done ? instant("end") : nil
    func setRecurrence(_ rule: String) {
      task.recurrence = Recurrence(rule: rule, details: object[details]?.stringValue)
    }
    if let own = object[rule]?.stringValue {
      if own != noRule { setRecurrence(own) }
    } else if let template = template ?? (TaskwarriorFamilies.isTemplate(object) ? object : nil) {
      if let rule = TaskwarriorFamilies.rule(of: template) { setRecurrence(rule) }
      if task.recurrence == nil { task.cannotRead("recurrence", template["recur"]?.stringValue ?? "", .badRule) }
    } else if let recur = object["recur"]?.stringValue, object["parent"] == nil, task.state != .done {
      // Only a template or a task made from one recurs.
      task.problems.append(TaskProblem(reason: .badRule, field: "recurrence", value: recur))
    }
    // In a recurring task it is the end of the recurrence.
    if object["until"] != nil, object["recur"] == nil, task.state != .done { task.problems.append(.expires) }
    ColumnProperty.read(into: &task, ours)
    if TaskwarriorFamilies.isTemplate(object) { task.stepOver(madeOf: object) }
    task.blockedBy = depends(object)
    task.parent = ours("parent")
    task.card.properties = TaskwarriorProperties.read(object)
    task.settle()
    return task
  }

  /// A list since version 2.6; before that one string with commas.
  private static func depends(_ object: JSONObject) -> [String] {
    if let list = object["depends"]?.arrayValue { return list.compactMap(\.stringValue) }
    return (object["depends"]?.stringValue ?? "").split(separator: ",").map(String.init)
  }

  private static func annotations(_ object: JSONObject) -> [JSONValue] { object["annotations"]?.arrayValue ?? [] }

  // Attributes without a meaning to Taskwarrior, which stores and shows them as texts (it calls them orphaned UDAs).
  static let revision = "commonplace"
  private static let epoch = "commonplaceepoch"
  private static let written = "commonplacewritten"
  private static let ownID = "commonplaceid"
  private static let rule = "rrule"
  /// For a task that recurs by its template, and not by our rule any more.
  private static let noRule = "none"
  private static let details = "commonplacerecurrence"
  /// Our extension attribute of this name.
  private static func extensionName(_ key: String) -> String { "commonplace\(key.lowercased())" }

  /// The tags in their order and with their commas. The attribute is valid only as long as Taskwarrior's own `tags`
  /// agrees, so it does not undo changes made there.
  private static let exactTags = "commonplacetags"

  private static func tagOrder(_ object: JSONObject) -> [String]? {
    object[exactTags]?.stringValue.flatMap { try? JSONParser.parse($0) }?.arrayValue?.compactMap(\.stringValue)
  }

  /// A tag in Taskwarrior's list, which splits at commas.
  private static func word(_ tag: String) -> String { tag.replacing(",", with: "_") }
}

extension TaskwarriorFormat {
  static func write(
    _ tasks: [ExternalTask], boards: CardBoards = CardBoards(), zone: Zone, now: Instant
  ) throws(WrongFormat) -> String {
    var lines = TaskwarriorLines()
    for task in tasks {
      let source = task.source.flatMap { $0.format == .taskwarrior ? $0 : nil }
      if let source { lines.add(templates: source.before) }
      lines.add(try text(of: task, boards: boards, zone: zone, now: now), zone: task.zone(for: zone))
      if let source { lines.add(templates: source.after) }
    }
    // Templates of tasks whose text before was exported with another card.
    for task in tasks { if let template = task.source?.template { lines.add(templates: template) } }
    return lines.file()
  }

  private static func text(
    of task: ExternalTask, boards: CardBoards, zone: Zone, now: Instant
  ) throws(WrongFormat) -> String {
    guard let source = task.source, source.format == .taskwarrior else {
      var object: JSONObject = [:]
      put(id: task.uid ?? "", into: &object)
      object["status"] = "pending"
      object["entry"] = .string(CompactTime.instant(task.created ?? now).text)
      object["modified"] = task.modified.map { .string(CompactTime.instant($0).text) }
      put(task.revision, into: &object)
      put(task, over: ExternalTask(), into: &object, zone: task.zone(for: zone), now: now)
      put(ColumnProperty.values(of: task, among: boards), into: &object)
      return "\(JSONValue.object(object))"
    }
    guard case .object(var object)? = try? JSONParser.parse(source.text) else { throw WrongFormat(reason: "notJSON") }
    let template = source.template.flatMap { (try? JSONParser.parse($0))?.objectValue }
    let there = task.zone(for: zone)
    let old = Self.task(object, of: template, zone: there)
    if task.isWritten(as: old) { return source.text }
    if task.uid != old.uid { put(id: task.uid ?? "", into: &object) }
    if task.revision != old.revision { put(task.revision, into: &object) }
    put(task, over: old, into: &object, zone: there, now: now)
    put(ColumnProperty.values(of: task, among: boards), into: &object)
    object[written] = task.written.map { .string($0.word) }
    object["modified"] = .string(CompactTime.instant(task.modified ?? now).text)
    return "\(JSONValue.object(object))"
  }

  private static func put(_ extensions: [(key: String, value: String?)], into object: inout JSONObject) {
    for (key, value) in extensions { object[extensionName(key)] = value.map(JSONValue.string) }
  }

  private static func put(_ known: FileRevision?, into object: inout JSONObject) {
    object[revision] = known.map { .string(String($0.number)) }
    object[epoch] = known?.history.map(JSONValue.string)
  }

  private static func put(
    _ task: ExternalTask, over old: ExternalTask, into object: inout JSONObject, zone: Zone, now: Instant
  ) {
    let moment = JSONValue.string(CompactTime.instant(task.modified ?? now).text)
    if !ProjectText.isSame(task.title, old.title) { object["description"] = .string(task.title) }
    if !ProjectText.isSame(task.body, old.body) { putBody(task.body, old: old.body, into: &object, entry: moment) }
    if task.state != old.state {
      // A template that is a card itself stays a template until it is done.
      let open: JSONValue = TaskwarriorFamilies.isTemplate(object) ? "recurring" : "pending"
      object["status"] = task.state == .done ? "completed" : open
      object["end"] =
        task.state == .done ? task.completedAt.map { .string(CompactTime.instant($0).text) } ?? moment : nil
      object["start"] =
        task.state == .doing ? task.startedAt.map { .string(CompactTime.instant($0).text) } ?? moment : nil
    }
    if task.deadline != old.deadline || task.time != old.time {
      TaskwarriorDeadline.put(
        task.deadline.map { TaskwarriorDeadline(day: $0, time: task.time) }, into: &object, zone: zone)
      // The tasks of a template are numbered from its deadline, so numbering starts again.
      if TaskwarriorFamilies.isTemplate(object), object["mask"] != nil {
        object["mask"] = ""
        object[details] = task.recurrenceDetails.map(JSONValue.string)
      }
    }
    TaskwarriorStart(task).put(over: TaskwarriorStart(old), into: &object, zone: zone)
    let (program, ours) = PlainField.properties(of: task, since: old, in: .taskwarrior) { object[$0]?.stringValue }
    for (name, value) in program { object[name] = value.map(JSONValue.string) }
    put(ours, into: &object)
    if !ProjectText.areSame(task.tags, old.tags) {
      let project = task.tags.first { $0.hasPrefix("+") && $0.count > 1 }
      let tags = task.tags.filter { $0 != project }
      object["project"] = project.map { .string(String($0.dropFirst())) }
      object["tags"] = tags.isEmpty ? nil : .array(tags.map { .string(word($0)) })
    }
    if task.recurrence?.rule != old.recurrence?.rule {
      // A finished card has passed its rule on; its parent still identifies the series.
      let isInherited = object[rule] == nil && object["recur"] != nil
      let without = isInherited && task.state != .done ? noRule : nil
      object[rule] = (task.recurrence?.rule ?? without).map(JSONValue.string)
    }
    if task.recurrenceDetails != old.recurrenceDetails || object[details] != nil {
      object[details] = task.recurrenceDetails.map(JSONValue.string)
    }
    if !ProjectText.areSame(task.blockedBy.sorted(), old.blockedBy.sorted()) {
      object["depends"] = task.blockedBy.isEmpty ? nil : .array(task.blockedBy.map { .string(uuid(for: $0)) })
    }
    if task.parent != old.parent { put([("parent", task.parent)], into: &object) }
    TaskwarriorProperties.put(task.properties, over: old.properties, into: &object)
    TaskwarriorDeadline.renewWords(of: &object, zone: zone)
    putExactTags(of: task, into: &object, zone: zone)
  }

  /// Adds the exact tags if the others are read back differently.
  private static func putExactTags(of task: ExternalTask, into object: inout JSONObject, zone: Zone) {
    object[exactTags] = nil
    if !ProjectText.areSame(task.tags, Self.task(object, zone: zone).tags) {
      object[exactTags] = .string("\(JSONValue.array(task.tags.map(JSONValue.string)))")
    }
  }

  /// Taskwarrior requires a UUID as id; one of our ids that is none is stored beside it.
  private static func put(id: String, into object: inout JSONObject) {
    let uuid = uuid(for: id)
    object["uuid"] = .string(uuid)
    object[ownID] = id.isEmpty || id == uuid ? nil : .string(id)
  }

  private static func uuid(for id: String) -> String {
    UUID(uuidString: id) == nil ? DerivedID.text(of: "taskwarrior/" + id) : id
  }

  /// Text that was appended to the annotations becomes one more annotation; otherwise the whole body becomes the only
  /// one.
  private static func putBody(_ body: String, old: String, into object: inout JSONObject, entry: JSONValue) {
    var remaining: [JSONValue] = []
    var text = body
    if !old.isEmpty, body.utf8.starts(with: (old + "\n").utf8) {
      remaining = annotations(object)
      text = String(Substring(body.utf8.dropFirst(old.utf8.count + 1)))
    }
    if !text.isEmpty { remaining.append(["entry": entry, "description": .string(text)]) }
    object["annotations"] = remaining.isEmpty ? nil : .array(remaining)
  }
}
