import Contract
import Display
import Store
import Wire

/// Shows the cards of one state of the library to one client: what all of them need is asked once.
struct ProjectView {
  let snapshot: Snapshot
  let columns: BoardColumns
  /// Today as the library counts it, by which cards are overdue.
  let today: CalendarDay
  private let lines: Int
  /// The cards of which this client keeps a draft.
  private let drafted: Set<String>
  private let readersToday: CalendarDay
  private let moves = Moves()

  /// Where the cards of a column can go, made once for all of them.
  private final class Moves {
    typealias Targets = (columns: [ColumnID], words: [String])
    private var known: [String: Targets] = [:]

    func from(_ state: String, make: (String) -> Targets) -> Targets {
      if let targets = known[state] { return targets }
      let targets = make(state)
      known[state] = targets
      return targets
    }
  }

  init(_ preview: ProjectPreview? = nil, in snapshot: Snapshot) throws {
    let services = snapshot.services
    self.snapshot = snapshot
    columns = try BoardColumns(in: snapshot)
    today = services.libraryToday
    readersToday = services.today(for: snapshot.reader)
    lines = preview?.lines ?? ProjectPreview.usualLines
    drafted = try DraftTable.projects.items(of: snapshot.caller.connectionID, in: snapshot.db)
  }

  func project(_ record: ProjectRecord, _ detail: ProjectDetail = .whole) throws -> Project {
    let isOpen = columns.isOpen(record.state)
    let blockers = try record.blockers
    let standing = try states(of: blockers)
    let isBlocked = standing.contains { columns.isOpen($0.state) }
    let recurrence = try record.recurrenceValue
    let moves = moves.from(record.state) { state in
      let others = columns.all.filter { !sameBytes($0.state, state) }
      return (others.map { ColumnID(unchecked: $0.state) }, others.map(actionWords))
    }
    return Project(
      id: ProjectID(unchecked: record.id), revision: record.revision, createdAt: record.createdAt,
      updatedAt: record.updatedAt, title: record.title, body: detail == .whole ? record.body : nil,
      preview: BodyPreview.text(of: record.body, lines: lines), state: ColumnID(unchecked: record.state),
      rank: record.rank, deadline: record.deadline, time: record.time,
      overdue: isOpen && record.deadline.map { $0 < today } ?? false, tags: try record.tagList,
      blockedBy: standing.map { ProjectID(unchecked: $0.id) }, blocked: isBlocked,
      recurrence: recurrence, priority: record.priority, writtenAt: record.writtenAt,
      startedAt: record.startedAt, movedAt: record.movedAt, completedAt: record.completedAt,
      editable: !drafted.isEmpty && drafted.contains(record.id), actions: moves.columns,
      display: Project.Display(
        state: title(of: columns[record.state] ?? KeptColumn(state: record.state, title: nil, isOpen: true)),
        due: due(record.deadline, record.time), day: day(record.deadline), dayTime: time(record),
        badges: badges(record, recurrence, isWaiting: isOpen && isBlocked), actions: moves.words))
  }

  /// Nil where there are none, as of most cards.
  private func badges(_ record: ProjectRecord, _ recurrence: Recurrence?, isWaiting: Bool) -> [String]? {
    var texts: [Text] = []
    if let priority = record.priority { texts.append(Text("projects.priority", ["priority": String(priority)])) }
    if let recurrence { texts.append(recurrence.word) }
    if isWaiting { texts.append(Text("projects.waits")) }
    return texts.isEmpty ? nil : texts.map(words)
  }

  fileprivate func words(_ text: Text) -> String {
    snapshot.services.catalogue.string(for: text, language: snapshot.reader.language)
  }

  func title(of column: KeptColumn) -> String { column.title(for: snapshot.reader, services: snapshot.services) }

  func actionWords(_ column: KeptColumn) -> String {
    words(Text("projects.moveTo", ["column": title(of: column)]))
  }

  /// Those of these cards that are there, with their columns. A removed one holds nothing up.
  private func states(of ids: [String]) throws -> [(id: String, state: String)] {
    if ids.isEmpty { return [] }
    return try ids.compactMap { id in
      try snapshot.db.first("SELECT state FROM project WHERE id = ?", [.text(id)]) { (id: id, state: $0.text(0)) }
    }
  }

  func due(_ deadline: CalendarDay?, _ time: String?) -> String? {
    guard let deadline else { return nil }
    return string(.dateAndTime, at: time, of: deadline)
      ?? snapshot.services.dates.string(.mediumDate, on: deadline.yearMonthDay, for: snapshot.reader)
  }

  private func time(_ record: ProjectRecord) -> String? {
    record.deadline.flatMap { string(.time, at: record.time, of: $0) }
  }

  /// Nil without a time.
  private func string(_ style: DateStyle, at time: String?, of day: CalendarDay) -> String? {
    guard let time = time.flatMap({ TimeOfDay($0) }) else { return nil }
    // A time on the wall of whoever reads it: no zone moves it.
    var reader = snapshot.reader
    reader.zone = .utc
    let minutes = Int64(day.daysSince1970) * 1_440 + Int64(time.minutes)
    return snapshot.services.dates.string(style, at: minutes * 60_000, for: reader)
  }

  private func day(_ deadline: CalendarDay?) -> String? {
    deadline.map {
      snapshot.services.dates.relativeString(
        .mediumDate, on: $0.yearMonthDay, today: readersToday.yearMonthDay, for: snapshot.reader)
    }
  }
}

extension ProjectView {
  /// A card that has just been finished, with the one that comes next.
  func project(_ record: ProjectRecord, comingAgainAs next: ProjectRecord?) throws -> Project {
    var project = try project(record)
    guard let next else { return project }
    project.nextCard = ProjectID(unchecked: next.id)
    project.display.message = due(next.deadline, next.time).map { words(Text("projects.comesAgain", ["due": $0])) }
    return project
  }
}

/// How much of a body is shown beside its title.
struct ProjectPreview: Payload {
  var lines: Int?
  static let usualLines = 3
  static let example = ProjectPreview(lines: 3)
  static let fields = ["lines": "How many lines at most. Default 3."]
  static let limits: [String: FieldLimits] = ["lines": .range(0...20)]
}

extension ProjectRecord {
  var tagList: [String] { get throws { tags.isEmptyList ? [] : try tags.value() } }
  var blockers: [String] { get throws { blockedBy.isEmptyList ? [] : try blockedBy.value() } }

  var recurrenceValue: Recurrence? {
    get throws { try recurrence.map { try StoredJSON<Recurrence>(stored: $0).value() } }
  }
}

extension StoredJSON {
  /// Most cards have none, and reading an empty list costs as much as all the rest of the row.
  fileprivate var isEmptyList: Bool { sameBytes(json, "[]") }
}
