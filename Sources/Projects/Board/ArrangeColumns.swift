import Contract
import Kit
import Store
import Wire

enum ArrangeColumns: LongWriteMethod {
  static let name = "projects/columns"
  static let summary =
    "The columns of a board from left to right; with `columns` they become these, renamed, added to, or in another order. A column "
    + "that has cards cannot go. Closing a column finishes the cards in it, opening it makes them open again, as a move "
    + "would. One `changes/undo` takes all of it back."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notAllowed, .conflict]

  struct Column: Payload {
    var state: ColumnID
    var title: String?
    var isOpen: Bool?
    var limit: Int?
    static let example = Column(state: "waiting", title: "WAITING", isOpen: true, limit: 5)
    static let fields = [
      "state": "Its name, which cards store.",
      "title": "Its title for people. `todo`, `doing` and `done` have their own in each language.",
      "isOpen": "Whether its cards are still to be done. Default: all but `done`.",
      "limit":
        "The number of cards above which it is too full: it takes more, and says so. 0 for none. Default: unchanged.",
    ]
    static let limits: [String: FieldLimits] = [
      "title": .length(1...StoredColumn.longestTitle, notBlank: true),
      "limit": .range(0...Double(StoredColumn.mostCards)),
    ]
  }

  struct Params: Payload {
    var board: String?
    var columns: [Column]?
    var ifRevision: Int64?
    static let example = Params(
      board: nil,
      columns: [
        Column(state: "todo", title: nil, isOpen: nil, limit: nil), .example,
        Column(state: "done", title: nil, isOpen: nil, limit: nil),
      ], ifRevision: 42)
    static let fields = [
      "board": CardBoards.paramNote,
      "columns": "All columns, from left to right. Default: unchanged.",
      "ifRevision": "Fails with `conflict` if the columns have another revision, so that none added meanwhile is lost.",
    ]
    static let limits: [String: FieldLimits] = [
      "board": CardBoards.paramLimits, "columns": .length(1...StoredColumn.most),
    ]
  }

  struct Result: Payload {
    var columns: [BoardColumn]
    var revision: Int64
    static let example = Result(
      columns: [BoardColumn(state: "todo", title: "TODO", isOpen: true, count: 3, items: nil, next: nil)], revision: 42)
    static let fields = [
      "columns": "From left to right.",
      "revision": "Changes with every change of the columns; 0 if they were never arranged. For `ifRevision`.",
    ]
  }

  static func run(
    _ params: Params, from position: ColumnStateChange?, in transaction: Transaction
  ) throws -> Sliced<ColumnStateChange, Result> {
    let snapshot = transaction.snapshot
    let view = try ProjectView(in: snapshot)
    let board = try view.board(named: params.board).id
    var turn = try position ?? arrange(params, of: board, in: transaction)
    guard try turn.settle(in: transaction) else { return .more(turn) }
    return .done(
      Result(
        columns: try ProjectView(in: snapshot).summaries(of: board),
        revision: try snapshot.find(ColumnsRecord.self, id: CardBoardRecord.columnsID(of: board))?.revision ?? 0))
  }

  private static func arrange(
    _ params: Params, of board: String, in transaction: Transaction
  ) throws -> ColumnStateChange {
    guard let wanted = params.columns else { return ColumnStateChange() }
    let snapshot = transaction.snapshot
    let stored = try snapshot.find(ColumnsRecord.self, id: CardBoardRecord.columnsID(of: board))
    try require(stored ?? .usual(of: board), at: params.ifRevision, in: snapshot)
    let before = try BoardColumns(in: snapshot, of: board)
    let columns = try checked(wanted, before)
    try requireNoneLost(columns, of: board, in: snapshot)
    let json = try StoredJSON(columns)
    if let stored {
      try transaction.change(stored) { $0.columns = json }
    } else if columns != StoredColumn.usual {
      var record = ColumnsRecord.usual(of: board)
      record.columns = json
      try transaction.insert(record)
    }
    return try ColumnStateChange(from: before, of: board, in: transaction)
  }

  /// A client with an outdated revision gets the current columns in the error, even if nobody has arranged them yet.
  private static func require(_ current: ColumnsRecord, at revision: Int64?, in snapshot: Snapshot) throws {
    guard let revision, revision != current.revision else { return }
    let numbers = ["revision": String(revision), "current": String(current.revision)]
    throw RPCError(
      .conflict, text: Text("projects.columnsMoved", numbers),
      data: [
        "collection": .string(ColumnsRecord.collectionName), "id": .string(current.id),
        "current": try ItemJSON<ShownColumns>(current, in: snapshot).value,
      ])
  }

  private static func checked(_ wanted: [Column], _ before: BoardColumns) throws(RPCError) -> [StoredColumn] {
    var columns: [StoredColumn] = []
    for (index, column) in wanted.enumerated() {
      let field = "columns[\(index)]"
      let stored = StoredColumn(
        state: column.state.text, title: column.title, isOpen: column.isOpen ?? (column.state.text != "done"),
        limit: column.limit.map { $0 == 0 ? nil : $0 } ?? before[column.state.text]?.limit)
      if columns.contains(where: { sameBytes($0.state, stored.state) }) {
        throw .invalidParams(
          field: field + ".state", reason: Text("projects.columnTwice", ["state": column.state.text]))
      }
      if stored.title == nil, stored.usualTitleKey == nil {
        throw .invalidParams(
          field: field + ".title", reason: Text("projects.columnTitle", ["state": column.state.text]))
      }
      if let title = stored.title { try ProjectText.requireOneLine(.string(title), field: field + ".title") }
      columns.append(stored)
    }
    guard columns.contains(where: \.isOpen) else {
      throw .invalidParams(field: "columns", reason: Text("projects.columnsOpen"))
    }
    return columns
  }

  private static func requireNoneLost(_ columns: [StoredColumn], of board: String, in snapshot: Snapshot) throws {
    for column in try ProjectView(in: snapshot).summaries(of: board) where column.count > 0 {
      if columns.contains(where: { sameBytes($0.state, column.state.text) }) { continue }
      throw RPCError(
        .notAllowed,
        text: Text("projects.columnHasCards", ["title": column.title, "count": String(column.count)]),
        data: ["state": .string(column.state.text), "count": .integer(Int64(column.count))])
    }
  }
}
