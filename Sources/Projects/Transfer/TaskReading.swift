import Contract
import Exchange
import Kit
import Store
import Wire

/// The tasks of a file that is being imported.
struct TaskReading: Sendable {
  var format: TaskFormat
  /// The format of the file, which may be read as a list of another.
  var given: TaskImportFormat
  var tasks: [ExternalTask]
  var notes: [ImportNote]
  /// The boards that the file names, with their columns.
  let boards: [FileBoard]
  /// The id of the card of each task.
  var ids: [String]
  /// The indices of named tasks, by name.
  var placesByUID: [String: Int] = [:]
  /// The indices of tasks, by their numbers in the file.
  private var placesByNumber: [Int: Int] = [:]
  var confirmation: LargeImport
  let origin: TaskOrigin
  private(set) var edited = EditedLines()
  /// For iCalendar: the normal forms of the components besides tasks (`ICalendarMeaning`).
  private(set) var components: Set<String> = []
  private let hasTemplates: Bool
  /// The indices of open recurring tasks, by the key of their series.
  private var openSeries: [String: [Int]] = [:]

  init(_ file: TaskFile, format: TaskFormat, origin: TaskOrigin = TaskOrigin(), confirmation: LargeImport) {
    (self.format, given) = (format, TaskImportFormat(format))
    self.origin = origin
    self.confirmation = confirmation
    tasks = []
    ids = []
    notes = file.notes
    boards = file.boards
    hasTemplates = file.hasTemplates
    var occurrences: [String: Int] = [:]
    var seen: Set<String> = []
    // A skipped task stays in the file, before the next imported one.
    var leftOut = ""
    for var task in file.tasks {
      if let reason = Self.refusal(of: task) {
        notes.append(ImportNote(reason, at: task.place, title: task.title))
        leftOut += Self.whole(task, format: format)
        continue
      }
      let id = Self.id(of: task, format: format, occurrences: &occurrences)
      guard seen.insert(id).inserted else {
        notes.append(ImportNote(.repeated, at: task.place, title: task.title))
        leftOut += Self.whole(task, format: format)
        continue
      }
      if !leftOut.isEmpty, let before = task.source?.before {
        task.source?.before = leftOut + before
        leftOut = ""
      }
      if let uid = task.uid { placesByUID[uid] = tasks.count }
      if format == .markdown { placesByNumber[task.place.number] = tasks.count }
      tasks.append(task)
      ids.append(id)
    }
    if let last = tasks.indices.last { tasks[last].source?.after += leftOut }
    for (index, task) in tasks.enumerated() {
      if let name = task.nameInFile, placesByUID[name] == nil { placesByUID[name] = index }
    }
    for (index, task) in tasks.enumerated() where task.state != .done {
      if let key = Self.seriesKey(of: task) { openSeries[key, default: []].append(index) }
    }
    if format == .ics {
      for source in tasks.compactMap(\.source) {
        components.formUnion(ICalendarMeaning.parts(of: source.before + source.after)?.components ?? [])
      }
    }
    if [.todotxt, .markdown].contains(format) {
      edited = EditedLines(
        of: tasks, ids: ids.map { [$0] + (origin.formerID(of: $0).map { [$0] } ?? []) }, in: origin,
        known: origin.lines.filter { $0.format == format })
    }
    guard let head = tasks.first?.source?.before, ![.jsonl, .taskwarrior].contains(format), !head.isEmpty,
      head.utf8.count <= Self.longestHead
    else { return }
    for index in tasks.indices { tasks[index].source?.head = head }
  }

  /// The limit of a copied head, in bytes: each card has a copy.
  private static let longestHead = 4_096

  /// A task with the text around it, if that can be stored; else an empty text.
  private static func whole(_ task: ExternalTask, format: TaskFormat) -> String {
    guard let source = task.source, source.format == format, format != .taskwarrior else { return "" }
    let text = source.before + source.text + source.after
    return text.hasNUL ? "" : text
  }

  /// Whether the file contains the next task of a recurring one, as programs write it that complete a task.
  func goesOn(after task: ExternalTask) -> Bool {
    guard let key = Self.seriesKey(of: task), let places = openSeries[key] else { return false }
    return places.contains { tasks[$0].place != task.place && sameBytes(tasks[$0].title, task.title) }
  }

  private static func seriesKey(of task: ExternalTask) -> String? {
    task.recurrence.map { "\($0.rule)\u{1F}\(task.title)" }
  }

  private static func refusal(of task: ExternalTask) -> ImportNote.Reason? {
    if task.title.hasNUL || task.body.hasNUL || task.source?.text.hasNUL == true { return .notText }
    if task.title.isEmpty { return .blank }
    let isLong =
      task.title.unicodeScalars.count > ProjectRecord.longestTitle
      || task.body.unicodeScalars.count > ProjectRecord.longestBody
    return isLong ? .tooLong : nil
  }

  private static func id(of task: ExternalTask, format: TaskFormat, occurrences: inout [String: Int]) -> String {
    if let uid = task.uid {
      if task.revision != nil, let own = ProjectID(validating: uid) { return own.text }
      return id(ofUID: uid, format: format)
    }
    // A task without a name is identified by its content, except for its state: it is done one day. Of equal tasks in a
    // file each is a task of its own.
    let parts = [
      task.title, task.body, task.deadline?.description ?? "",
      task.createdOn?.description ?? task.created?.description ?? "",
      task.tags.joined(separator: " "),
    ]
    let key = "projects/\(format.rawValue)/" + parts.joined(separator: "\u{1F}")
    let earlier = occurrences[key, default: 0]
    occurrences[key] = earlier + 1
    return DerivedID.text(of: "\(earlier)/\(key)")
  }

  static func id(ofUID uid: String, format: TaskFormat) -> String {
    DerivedID.text(of: "projects/\(format.rawValue)#\(uid)")
  }
}

/// The location of a file, as far as it identifies its tasks.
struct TaskOrigin: Sendable {
  /// Its path, with symbolic links resolved; nil for an import of bytes.
  var path: String?
  /// The files of earlier imports that do not exist any more: one of them may have been moved here.
  var gone: Set<String> = []
  /// The cards that were imported from lists.
  var lines: [ImportedLine] = []

  /// The id of an equal task from another file in earlier versions, which made two cards of them.
  func formerID(of id: String) -> String? { path.map { DerivedID.text(of: "\($0)#\(id)") } }

  /// Whether tasks that were imported from another file, if it is known, may belong to this one.
  func isSame(as other: String?) -> Bool {
    guard let path, let other else { return true }
    return sameBytes(path, other) || gone.contains(other)
  }

  /// Whether a file of ours is this one: in its place, or moved from there.
  func isSame(as taken: MergeBase) -> Bool {
    taken.isFile(at: path) || path != nil && taken.path.map(gone.contains) ?? false
  }
}

extension TaskReading {
  /// The id of the card of a task, and the card if it exists.
  ///
  /// A task without a name is identified by its content, and by the number of equal tasks before it in the file,
  /// whatever the file: importing a copy of a list, or our own export of it, creates no duplicates. A changed task is
  /// identified by its title, in its own file.
  func card(at index: Int, in snapshot: Snapshot) throws -> (id: String, record: ProjectRecord?) {
    let id = ids[index]
    if let own = try ownCard(at: index, in: snapshot) { return (own.id, own) }
    if let series = tasks[index].series { return try card(in: series, id: id, in: snapshot) }
    let isNamed = tasks[index].uid != nil
    for known in isNamed ? [id] : [origin.formerID(of: id), id, edited.cards[index]].compactMap(\.self) {
      if let record = try snapshot.find(ProjectRecord.self, id: known) { return (known, record) }
    }
    return (id, nil)
  }

  /// The id of the card that a task is a part of; nil if it states none.
  ///
  /// - Parameter known: the parent of its card.
  func parent(of task: ExternalTask, known: String?, in snapshot: Snapshot) throws -> String? {
    if !task.statesParent, let enclosing = task.enclosing.flatMap({ placesByNumber[$0] }) {
      return try card(at: enclosing, in: snapshot).id
    }
    return try task.parent.map { try card(named: $0, by: task, waiting: known.map { [$0] } ?? [], in: snapshot) }
  }

  /// The card of this library that one of our own lines names without a revision.
  private func ownCard(at index: Int, in snapshot: Snapshot) throws -> ProjectRecord? {
    let task = tasks[index]
    guard format == .jsonl, task.revision == nil, let own = task.uid.flatMap({ ProjectID(validating: $0) }),
      try snapshot.find(ProjectRecord.self, id: ids[index]) == nil
    else { return nil }
    return try snapshot.find(ProjectRecord.self, id: own.text)
  }

  /// The card of a task that was made from a template: its own, or the card of the template, which was imported alone.
  private func card(
    in series: TaskSeries, id: String, in snapshot: Snapshot
  ) throws -> (id: String, record: ProjectRecord?) {
    if let record = try snapshot.find(ProjectRecord.self, id: id) { return (id, record) }
    for name in [Self.id(ofUID: series.template, format: format), series.ownTemplate] {
      guard let known = ProjectID(validating: name),
        let record = try snapshot.find(ProjectRecord.self, id: known.text), let stored = try StoredSource(record)
      else { continue }
      if series.isTask(of: stored.source, ofOurs: sameBytes(name, series.ownTemplate)) { return (name, record) }
    }
    return (id, nil)
  }

  /// The source to store for a task. A file without any template is a partial export: then the card keeps the templates
  /// that it has.
  func storedSource(_ source: TaskSource, of task: ExternalTask, for card: ProjectRecord) throws -> StoredSource {
    var source = source
    if format == .taskwarrior, source.format == format, !hasTemplates, let before = try StoredSource(card)?.source,
      before.format == format
    {
      (source.before, source.after) = (before.before, before.after)
    }
    return StoredSource(
      source, place: task.place.number, file: task.uid == nil && source.format == format ? origin.path : nil)
  }
}
