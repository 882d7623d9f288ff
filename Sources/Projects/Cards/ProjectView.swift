import Contract
import Display
import Kit
import Store
import Wire

/// Shows the cards of one snapshot to one client. Loads once what all cards need.
final class ProjectView {
  let snapshot: Snapshot
  let boards: CardBoards
  /// Today in the library's zone, which decides which cards are overdue.
  let today: CalendarDay
  /// The number of lines in a preview of a body.
  let lines: Int
  /// The ids of the cards of which this client has a draft.
  private let drafted: Set<String>
  private let readersToday: CalendarDay
  /// By board and column, what its cards show: its title, and the moves to other columns. Filled when a card of the
  /// board is shown.
  private var shownColumns: [String: [String: (title: String, moves: Targets)]] = [:]

  /// Whether any card is part of another: for by far most libraries there is nothing to count.
  private lazy var hasParts = Result {
    try snapshot.db.first("SELECT 1 FROM project WHERE parent IS NOT NULL LIMIT 1", []) { _ in true } ?? false
  }

  typealias Targets = (columns: WrittenValue<[ColumnID]>, words: WrittenValue<[String]>)

  init(_ preview: ProjectPreview? = nil, in snapshot: Snapshot) throws {
    let services = snapshot.services
    self.snapshot = snapshot
    boards = try CardBoards(in: snapshot)
    today = services.libraryToday
    readersToday = services.today(for: snapshot.reader)
    lines = preview?.lines ?? ProjectPreview.usualLines
    drafted = try DraftTable.projects.items(of: snapshot.caller.connectionID, in: snapshot.db)
  }

  /// The board that a param names: the default one without a name.
  ///
  /// - Throws: `invalidParams` for a name that no board has.
  func board(named name: String?) throws(RPCError) -> CardBoardRecord {
    try boards.require(named: name ?? CardBoardRecord.defaultID, in: snapshot)
  }

  private func shownColumns(of board: String) throws -> [String: (title: String, moves: Targets)] {
    if let shown = shownColumns[board] { return shown }
    let columns = boards.columns(of: board).all
    let titles = columns.map(title)
    let actions = titles.map { words(Text("projects.moveTo", ["column": $0])) }
    let shown = Dictionary(
      try columns.indices.map { place in
        let others = columns.indices.filter { !sameBytes(columns[$0].state, columns[place].state) }
        let moves = (
          try WrittenValue(others.map { ColumnID(unchecked: columns[$0].state) }),
          try WrittenValue(others.map { actions[$0] })
        )
        return (columns[place].state, (titles[place], moves))
      }, uniquingKeysWith: { first, _ in first })
    shownColumns[board] = shown
    return shown
  }

  func isDrafted(_ record: ProjectRecord) -> Bool { !drafted.isEmpty && drafted.contains(record.id) }

  /// - Parameters:
  ///   - next: the next card of its series, if it has just been finished.
  ///   - note: a further effect of a move (`CardLanding`).
  func shown(
    _ record: ProjectRecord, followedBy next: ProjectRecord? = nil, note: Text? = nil
  ) throws -> ShownProject {
    let blockers = try blockers(of: record)
    let column = try shownColumns(of: record.board)[record.state]
    return ShownProject(
      item: record, view: self, isOpen: boards.isOpen(record), blockers: blockers.map(\.id),
      isBlocked: blockers.contains(where: \.isOpen), parent: try parent(of: record),
      children: try hasParts.get() ? Parents.count(of: record.id, among: boards, in: snapshot.db) : nil,
      columnTitle: column?.title ?? title(of: StoredColumn(state: record.state, title: nil, isOpen: true)),
      moves: try column?.moves ?? targets(on: record.board), next: next, note: note)
  }

  func project(
    _ record: ProjectRecord, followedBy next: ProjectRecord? = nil, note: Text? = nil
  ) throws -> Project {
    try Project(shown(record, followedBy: next, note: note))
  }

  func reply(_ record: ProjectRecord) throws -> Project? { try project(record) }

  /// A card in a column that is not on the board can move to all columns of the board.
  private func targets(on board: String) throws -> Targets {
    let columns = boards.columns(of: board).all
    return (
      try WrittenValue(columns.map { ColumnID(unchecked: $0.state) }),
      try WrittenValue(columns.map { actionWords($0) })
    )
  }

  /// The title of a card's board; nil for the default one.
  func boardTitle(_ record: ProjectRecord) -> String? {
    sameBytes(record.board, CardBoardRecord.defaultID)
      ? nil : boards[record.board]?.title(in: snapshot) ?? record.board
  }

  /// Whether an open card is out of sight (`Readiness`).
  func isLater(_ record: ProjectRecord) -> Bool {
    (record.isSomeday || record.start.map { $0 > today } ?? false) && boards.isOpen(record)
  }

  func words(_ text: Text) -> String { snapshot.words(text) }

  func title(of column: StoredColumn) -> String { column.title(for: snapshot.reader, services: snapshot.services) }

  func actionWords(_ column: StoredColumn) -> String {
    words(Text("projects.moveTo", ["column": title(of: column)]))
  }

  /// The existing cards that a card waits for. A removed card blocks nothing.
  private func blockers(of record: ProjectRecord) throws -> [(id: String, isOpen: Bool)] {
    if record.blockedBy.isEmpty { return [] }
    return try record.blockedBy.compactMap { id in
      try snapshot.db.first("SELECT board, state FROM project WHERE id = ?", [.text(id)]) {
        (id: id, isOpen: boards.columns(of: $0.text(0)).isOpen($0.text(1)))
      }
    }
  }

  private func parent(of record: ProjectRecord) throws -> (id: String, title: String)? {
    try record.parent.flatMap { id in
      try snapshot.db.first("SELECT title FROM project WHERE id = ?", [.text(id)]) { (id: id, title: $0.text(0)) }
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
