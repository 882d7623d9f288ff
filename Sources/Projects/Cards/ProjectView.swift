import Contract
import Display
import Kit
import Store
import Wire

/// Shows the cards of one snapshot to one client. Loads once what all cards need.
final class ProjectView {
  let snapshot: Snapshot
  let columns: BoardColumns
  /// Today in the library's zone, which decides which cards are overdue.
  let today: CalendarDay
  /// The number of lines in a preview of a body.
  let lines: Int
  /// The ids of the cards of which this client has a draft.
  private let drafted: Set<String>
  private let readersToday: CalendarDay
  /// By column, what its cards show: its title, and the moves to other columns.
  private let shownColumns: [String: (title: String, moves: Targets)]

  typealias Targets = (columns: WrittenValue<[ColumnID]>, words: WrittenValue<[String]>)

  init(_ preview: ProjectPreview? = nil, in snapshot: Snapshot) throws {
    let services = snapshot.services
    self.snapshot = snapshot
    let columns = try BoardColumns(in: snapshot)
    self.columns = columns
    today = services.libraryToday
    readersToday = services.today(for: snapshot.reader)
    lines = preview?.lines ?? ProjectPreview.usualLines
    drafted = try DraftTable.projects.items(of: snapshot.caller.connectionID, in: snapshot.db)
    let titles = columns.all.map { $0.title(for: snapshot.reader, services: services) }
    let actions = titles.map { snapshot.words(Text("projects.moveTo", ["column": $0])) }
    shownColumns = Dictionary(
      try columns.all.indices.map { place in
        let others = columns.all.indices.filter { !sameBytes(columns.all[$0].state, columns.all[place].state) }
        let moves = (
          try WrittenValue(others.map { ColumnID(unchecked: columns.all[$0].state) }),
          try WrittenValue(others.map { actions[$0] })
        )
        return (columns.all[place].state, (titles[place], moves))
      }, uniquingKeysWith: { first, _ in first })
  }

  func isDrafted(_ record: ProjectRecord) -> Bool { !drafted.isEmpty && drafted.contains(record.id) }

  func shown(_ record: ProjectRecord, followedBy next: ProjectRecord? = nil) throws -> ShownProject {
    let blockers = try states(of: record.blockedBy)
    return ShownProject(
      item: record, view: self, isOpen: columns.isOpen(record.state), blockers: blockers,
      isBlocked: blockers.contains { columns.isOpen($0.state) }, moves: try targets(from: record.state), next: next)
  }

  func project(_ record: ProjectRecord, followedBy next: ProjectRecord? = nil) throws -> Project {
    try Project(shown(record, followedBy: next))
  }

  func reply(_ record: ProjectRecord) throws -> Project? { try project(record) }

  /// A card in a column that is not on the board can move to all columns of the board.
  private func targets(from state: String) throws -> Targets {
    if let column = shownColumns[state] { return column.moves }
    return (
      try WrittenValue(columns.all.map { ColumnID(unchecked: $0.state) }),
      try WrittenValue(columns.all.map { actionWords($0) })
    )
  }

  /// The title of a card's column.
  func state(_ record: ProjectRecord) -> String {
    shownColumns[record.state]?.title ?? title(of: StoredColumn(state: record.state, title: nil, isOpen: true))
  }

  func words(_ text: Text) -> String { snapshot.words(text) }

  func title(of column: StoredColumn) -> String { column.title(for: snapshot.reader, services: snapshot.services) }

  func actionWords(_ column: StoredColumn) -> String {
    words(Text("projects.moveTo", ["column": title(of: column)]))
  }

  /// The existing ones of these cards, with their columns. A removed card blocks nothing.
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

  func time(_ record: ProjectRecord) -> String? {
    record.deadline.flatMap { string(.time, at: record.time, of: $0) }
  }

  /// Nil without a time.
  private func string(_ style: DateStyle, at time: String?, of day: CalendarDay) -> String? {
    guard let time = time.flatMap({ TimeOfDay($0) }) else { return nil }
    // Local time wherever the user is: no zone shifts it.
    var reader = snapshot.reader
    reader.zone = .utc
    let minutes = Int64(day.daysSince1970) * 1_440 + Int64(time.minutes)
    return snapshot.services.dates.string(style, at: minutes * 60_000, for: reader)
  }

  func day(_ deadline: CalendarDay?) -> String? {
    deadline.map {
      snapshot.services.dates.relativeString(
        .mediumDate, on: $0.yearMonthDay, today: readersToday.yearMonthDay, for: snapshot.reader)
    }
  }
}

/// How much of a body is shown in a list.
struct ProjectPreview: Payload {
  var lines: Int?
  static let usualLines = 3
  static let example = ProjectPreview(lines: 3)
  static let fields = ["lines": "Maximum number of lines. Default 3."]
  static let limits: [String: FieldLimits] = ["lines": .range(0...20)]
}
