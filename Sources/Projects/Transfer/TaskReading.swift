import Contract
import Exchange
import Kit
import Store
import Wire

/// The tasks of a file on their way into the library.
struct TaskReading: Sendable {
  var format: TaskFormat
  var tasks: [ForeignTask]
  var notes: [ImportNote]
  /// Columns that the file has.
  var columns: [KeptColumn]
  /// The board that the file was written of, where it says that.
  let board: BoardColumns?
  /// The card that each task becomes, or is already.
  var ids: [String]
  /// Where the tasks that have a name stand, by it.
  var placesByUID: [String: Int] = [:]
  var confirmation: LargeImport
  let origin: TaskOrigin
  private(set) var edited = EditedLines()
  /// Of iCalendar, what the file has besides tasks, as `ICalendarMeaning` tells it.
  private(set) var components: Set<String> = []
  private let hasTemplates: Bool
  /// Where the tasks stand that come again and are open, by what those of one series have alike.
  private var openSeries: [String: [Int]] = [:]

  init(_ file: ForeignFile, format: TaskFormat, origin: TaskOrigin = TaskOrigin(), confirmation: LargeImport) {
    self.format = format
    self.origin = origin
    self.confirmation = confirmation
    tasks = []
    ids = []
    notes = file.notes
    columns = file.columns
    board = file.hasAllColumns ? BoardColumns(file.columns.isEmpty ? KeptColumn.usual : file.columns) : nil
    hasTemplates = file.hasTemplates
    var occurrences: [String: Int] = [:]
    var seen: Set<String> = []
    // A task that is left out stays in the file, before the next one that comes.
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

  /// Each card has a copy.
  private static let longestHead = 4_096

  /// A task with what stands around it, as far as it can be kept.
  private static func whole(_ task: ForeignTask, format: TaskFormat) -> String {
    guard let source = task.source, source.format == format, format != .taskwarrior else { return "" }
    let text = source.before + source.text + source.after
    return text.hasNUL ? "" : text
  }

  /// Whether the file itself has the next of a task that comes again, as programs write it that tick one off.
  func goesOn(after task: ForeignTask) -> Bool {
    guard let key = Self.seriesKey(of: task), let places = openSeries[key] else { return false }
    return places.contains { tasks[$0].place != task.place && sameBytes(tasks[$0].title, task.title) }
  }

  private static func seriesKey(of task: ForeignTask) -> String? {
    task.recurrence.map { "\($0.rule)\u{1F}\(task.title)" }
  }

  private static func refusal(of task: ForeignTask) -> ImportNote.Reason? {
    if task.title.hasNUL || task.body.hasNUL || task.source?.text.hasNUL == true { return .notText }
    if task.title.isEmpty { return .blank }
    let isLong =
      task.title.unicodeScalars.count > ProjectRecord.longestTitle
      || task.body.unicodeScalars.count > ProjectRecord.longestBody
    return isLong ? .tooLong : nil
  }

  private static func id(of task: ForeignTask, format: TaskFormat, occurrences: inout [String: Int]) -> String {
    if let uid = task.uid {
      if task.revision != nil, let own = ProjectID(validating: uid) { return own.text }
      return id(ofUID: uid, format: format)
    }
    // What is in it tells it, but for what is ticked off: the same task is done one day. Who wrote the same twice wrote
    // it twice.
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

/// Where a file lies, as far as that tells its tasks from others.
struct TaskOrigin: Sendable {
  /// Its path, without links; nil where it came as bytes.
  var path: String?
  /// The files that cards came from and that are not there any more: one that has other cards now may have been moved.
  var gone: Set<String> = []
  /// The cards that came from lists.
  var lines: [KnownLine] = []

  /// The id that a task got where one that says the same had come from another file: until lately those were two cards.
  func formerID(of id: String) -> String? { path.map { DerivedID.text(of: "\($0)#\(id)") } }

  /// Whether tasks that came from another file, if it is known, may be this one's.
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
  /// The card that a task becomes, and what it is already.
  ///
  /// A task without a name of its own is told by what is in it, and by how many in the file say the same before it; in
  /// whatever file it stands: a copy of a list, and what we wrote of it ourselves, bring nothing twice. One that says
  /// something else by now is told by its title, in its own file.
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

  /// The card of this library that a line of our own names without saying of which revision it is.
  private func ownCard(at index: Int, in snapshot: Snapshot) throws -> ProjectRecord? {
    let task = tasks[index]
    guard format == .jsonl, task.revision == nil, let own = task.uid.flatMap({ ProjectID(validating: $0) }),
      try snapshot.find(ProjectRecord.self, id: ids[index]) == nil
    else { return nil }
    return try snapshot.find(ProjectRecord.self, id: own.text)
  }

  /// The card of a task that was made from a template: its own, or that of the template, which came alone.
  private func card(
    in series: TaskSeries, id: String, in snapshot: Snapshot
  ) throws -> (id: String, record: ProjectRecord?) {
    if let record = try snapshot.find(ProjectRecord.self, id: id) { return (id, record) }
    for name in [Self.id(ofUID: series.template, format: format), series.ownTemplate] {
      guard let known = ProjectID(validating: name),
        let record = try snapshot.find(ProjectRecord.self, id: known.text), let kept = try StoredSource(record)
      else { continue }
      if series.isTask(of: kept.source, ofOurs: sameBytes(name, series.ownTemplate)) { return (name, record) }
    }
    return (id, nil)
  }

  /// What a card keeps of its task. A file without any template was written with some tasks left out, and those that the
  /// card has stay.
  func kept(_ source: ForeignSource, of task: ForeignTask, for card: ProjectRecord) throws -> StoredSource {
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
