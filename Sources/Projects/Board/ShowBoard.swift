import Contract
import Kit
import Store
import Wire

/// A column with its first cards.
struct BoardColumn: Payload {
  var state: ColumnID
  var title: String
  var isOpen: Bool
  var limit: Int?
  var count: Int
  var later: Int?
  var offset: Int?
  var items: [Project]?
  var next: String?

  static let example = BoardColumn(
    state: "todo", title: "TODO", isOpen: true, count: 1, items: [.example], next: nil)
  static let fields = [
    "state": "The column's name, for `projects/move`.",
    "title": "Its title, in the client's language for a standard column.",
    "isOpen": "Whether its cards are still to be done.",
    "limit": "The number of cards above which it is too full; absent for none.",
    "count": "The total number of its cards.",
    "later": "The number of its cards that are out of sight (`later`), if there are any. `count` includes them.",
    "offset": "The number of its cards before `items`, on a later page.",
    "items": "Its first cards, or those after `after`, in manual order; only in `projects/board`.",
    "next": "If there are more: `after` for `projects/board`, or for `projects/list` with this `state`.",
  ]

  func write(to json: inout JSONWriter) throws {
    json.beginObject()
    json.member("state", state.text)
    json.member("title", title)
    json.member("isOpen", isOpen)
    json.member("limit", limit)
    json.member("count", count)
    json.member("later", later)
    json.member("offset", offset)
    if let items { try json.member("items", items) }
    json.member("next", next)
    json.endObject()
  }
}

enum ShowBoard: ReadMethod {
  static let name = "projects/board"
  static let summary = "All columns of a board with their counts and first cards, as they were in one moment."
  static let effects: Effects = .reads

  struct Params: Payload {
    var board: String?
    var limit: Int?
    var after: String?
    var preview: ProjectPreview?
    var later: Bool?
    var lanes: LaneKey?
    static let example = Params(board: nil, limit: 50, after: nil, preview: nil, later: nil, lanes: nil)
    static let fields = [
      "board": CardBoards.paramNote,
      "limit":
        "Maximum number of cards per column. Default 100; `after` continues. A page of very long cards is shorter.",
      "after": "`next` of a column: returns only that column's following cards.",
      "preview": "The part of each body to include.",
      "later": "Includes the cards that are out of sight. By default a column only counts them.",
      "lanes":
        "Also answers the rows across the columns that the cards are grouped into by this; `projects/list` with `lanes` "
        + "and `lane` has the cards of each. \(LaneKey.note)",
    ]
    static let limits: [String: FieldLimits] = [
      "board": CardBoards.paramLimits, "limit": .range(0...1_000), "after": .length(1...256),
    ]
  }

  struct Result: Payload {
    var columns: [BoardColumn]
    var lanes: [BoardLane]?
    var total: Int
    var board: CardBoardID
    var title: String
    static let example = Result(columns: [.example], lanes: nil, total: 1, board: "default", title: "Board")
    static let fields = [
      "columns": "From left to right.",
      "lanes": "If asked for: the lanes that have cards, in order, the cards in none last; at most 1,000.",
      "total": "The number of cards in all columns.",
      "board": "The id of the board.", "title": "The title of the board.",
    ]

    func write(to json: inout JSONWriter) throws {
      json.beginObject()
      try json.member("columns", columns)
      if let lanes { try json.member("lanes", lanes) }
      json.member("total", total)
      json.member("board", board.text)
      json.member("title", title)
      json.endObject()
    }
  }

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    let view = try ProjectView(params.preview, in: snapshot)
    let limit = params.limit ?? 100
    let lane = try params.after.map { try ProjectListing.lane(ofPart: $0) }
    let state = lane?.state
    // `next` of a column names its board.
    let board = try view.board(named: params.board ?? lane?.board)
    if let lane, !sameBytes(lane.board, board.id) {
      throw RPCError.invalidParams(field: "after", reason: Text("reason.cursorUnknown"))
    }
    let all = try view.summaries(of: board.id)
    // A column that has been removed meanwhile had no cards left.
    let summaries = all.filter { column in state.map { sameBytes($0, column.state.text) } ?? true }
    // Fifty columns of a thousand cards each would make the reply too large.
    let size = ListPart.size / max(summaries.count, 1)
    let columns = try summaries.map { column in
      var column = column
      var listing = ProjectListing(.board, view, [board])
      listing.narrow(toState: column.state.text)
      var total = column.count
      if let hidden = column.later, params.later != true {
        let later = Readiness.later(on: view.today)
        listing.narrow("NOT \(later.sql)", later.values)
        total -= hidden
      }
      let page = try listing.page(ListPart(after: params.after, limit: limit), total: total, size: size)
      if params.after != nil { column.offset = page.offset }
      column.items = page.items
      column.next = page.next
      return column
    }
    return Result(
      columns: columns, lanes: try params.lanes.map { try BoardLane.all(of: board.id, by: $0, in: snapshot) },
      total: all.reduce(0) { $0 + $1.count }, board: CardBoardID(unchecked: board.id),
      title: board.title(in: snapshot))
  }
}

extension ProjectView {
  /// The columns without their cards.
  ///
  /// - Throws: `DatabaseError`.
  func summaries(of board: String) throws -> [BoardColumn] {
    let later = try Readiness.counts(of: CardLanes(of: boards), on: today, in: snapshot.db)
    let counts = boards.counts.filter { sameBytes($0.board, board) }
    return boards.columns(of: board).all.map { column in
      BoardColumn(
        state: ColumnID(unchecked: column.state), title: title(of: column), isOpen: column.isOpen,
        limit: column.limit, count: counts.first { sameBytes($0.state, column.state) }?.count ?? 0,
        later: later[CardLanes.Lane(board: board, state: column.state)], items: nil, next: nil)
    }
  }
}
