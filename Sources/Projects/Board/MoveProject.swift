import Contract
import Kit
import Store
import Wire

enum MoveProject: WriteMethod, ManyItemsMethod {
  static let name = "projects/move"
  static let summary =
    "Moves a card to another column, to another place of its own, or to another board. A recurring card that comes into a "
    + "closed column brings its next one, and one undo takes both back. The sub-tasks of a card stay where they are."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notFound, .conflict]

  struct Params: Payload {
    var id: ProjectID
    var state: String?
    var board: String?
    var before: ProjectID?
    var after: ProjectID?
    var ifRevision: Int64?
    static let example = Params(id: "0192", state: "doing", board: nil, before: "0191", after: nil, ifRevision: 42)
    static let fields = [
      "id": "The card.",
      "state":
        "The column: its name, or the title that it is shown with; `done` on a board without such a column is its first "
        + "closed one. Default: the card's; on another `board` the column of "
        + "the same name or title, else the first open one, which `display.message` states.",
      "board": "The board: its id or title. Default: the card's.",
      "before": "The card of that column to insert it before. Default, without `after`: the end.",
      "after": "The card of that column to insert it after.",
      "ifRevision": "Fails with `conflict` if the card has another revision.",
    ]
    static let limits: [String: FieldLimits] = [
      "state": .length(1...200), "board": CardBoards.paramLimits,
    ]
    static let atMostOne = [["before", "after"]]
  }
  typealias Result = Project

  static func isReversed(_ params: Params) -> Bool { params.after != nil }

  static func run(_ params: Params, in transaction: Transaction) throws -> Project {
    let snapshot = transaction.snapshot
    let record = try snapshot.get(ProjectRecord.self, id: params.id.text)
    try transaction.require(record, at: params.ifRevision)
    let boards = try CardBoards(in: snapshot)
    let board = try params.board.map { try boards.require(named: $0, in: snapshot).id } ?? record.board
    let landing =
      try params.state.map {
        CardLanding(column: try column(named: $0, among: boards.columns(of: board), in: snapshot))
      } ?? boards.landing(of: record, on: board, in: snapshot)
    guard let place = try place(params, landing.column, on: board, for: record, in: snapshot), !place.holds(record)
    else { return try ProjectView(in: snapshot).project(record) }
    let (moved, next) = try transaction.move(
      record, to: landing.column, on: board, at: place.take(in: transaction))
    let view = try ProjectView(in: snapshot)
    let note = try landing.note ?? overLimit(record, moved, landing.column, view)
    var shown = try view.shown(moved, followedBy: next, note: note)
    if boards.isOpen(record), !shown.isOpen {
      shown.openChildren = try Parents.open(of: moved.id, among: view.boards, in: snapshot.db)
    }
    return try Project(shown)
  }

  private static func column(
    named name: String, among columns: BoardColumns, in snapshot: Snapshot
  ) throws(RPCError) -> StoredColumn {
    if sameBytes(name, "done"), columns.named(name, in: snapshot).isEmpty,
      let closed = columns.all.first(where: { !$0.isOpen })
    {
      return closed
    }
    return try columns.require(named: name, in: snapshot)
  }

  /// The sentence that a card has come into a column with more cards than its limit.
  private static func overLimit(
    _ before: ProjectRecord, _ moved: ProjectRecord, _ column: StoredColumn, _ view: ProjectView
  ) throws -> Text? {
    guard let limit = column.limit, before.state != moved.state || before.board != moved.board else { return nil }
    let count = view.boards.counts.first { sameBytes($0.board, moved.board) && sameBytes($0.state, moved.state) }?.count
    guard let count, count > limit else { return nil }
    return Text(
      "projects.overLimit",
      ["column": view.title(of: column), "count": String(count), "limit": String(limit)])
  }

  /// Nil if the card stays where it is.
  private static func place(
    _ params: Params, _ column: StoredColumn, on board: String, for record: ProjectRecord, in snapshot: Snapshot
  ) throws -> ColumnPlace? {
    if let before = params.before {
      return try ColumnPlace(
        before: neighbour(before, "before", of: params, column, on: board, in: snapshot), for: record.id,
        in: snapshot.db)
    }
    if let after = params.after {
      return try ColumnPlace(
        after: neighbour(after, "after", of: params, column, on: board, in: snapshot), for: record.id, in: snapshot.db)
    }
    // The same move again moves nothing.
    if sameBytes(column.state, record.state), sameBytes(board, record.board) { return nil }
    return try ColumnPlace(endOf: column.state, on: board, for: record.id, in: snapshot.db)
  }

  private static func neighbour(
    _ id: ProjectID, _ field: String, of params: Params, _ column: StoredColumn, on board: String,
    in snapshot: Snapshot
  ) throws -> ProjectRecord {
    if id == params.id { throw RPCError.invalidParams(field: field, reason: Text("projects.neighbourItself")) }
    let neighbour = try snapshot.get(ProjectRecord.self, id: id.text)
    guard sameBytes(neighbour.state, column.state), sameBytes(neighbour.board, board) else {
      let view = try ProjectView(in: snapshot)
      let current = try view.shown(neighbour)
      throw RPCError(
        .conflict,
        text: Text("projects.neighbourElsewhere", ["title": neighbour.title, "column": current.columnTitle]),
        data: [
          "collection": .string(ProjectRecord.collectionName), "id": .string(id.text),
          "current": try Project(current).value,
        ])
    }
    return neighbour
  }
}
