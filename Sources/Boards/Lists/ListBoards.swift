import Contract
import Kit
import Store
import Wire

enum ListBoards: ReadMethod {
  static let name = "boards/list"
  static let summary =
    "The boards of all sources, with the one that this client has before it: the first until `boards/select`."
  static let since = 1
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [.notFound]

  struct Params: Payload {
    var source: SourceID?
    var offset: Int?
    var after: String?
    var limit: Int?
    static let example = Params(source: nil, offset: nil, after: nil, limit: 100)
    static let fields = [
      "source": "Only the boards of this source.", "offset": "How many to step over.",
      "after": "`next` of the part before.", "limit": "How many at most. Default 500.",
    ]
    static let limits: [String: FieldLimits] = [
      "offset": .atLeast(0), "after": .length(1...256), "limit": .range(1...2_000),
    ]
    static let atMostOne = [["offset", "after"]]
  }

  struct Result: Payload {
    var items: [Board]
    var offset: Int
    var limit: Int
    var count: Int
    var total: Int
    var totalIsEstimate: Bool
    var hasMore: Bool
    var next: String?
    var selected: BoardID?
    var generation: Int
    var unread: Int?
    var state: RemoteState
    var hint: String?
    var display: Display

    struct Display: Payload {
      var heading: String
      var title: String
      static let example = Display(heading: "Boards", title: "Notices")
      static let fields = [
        "heading": "The heading of the list to choose from.",
        "title": "The name of the selected board, or the heading.",
      ]
    }

    static let example = Result(
      items: [.example], offset: 0, limit: 500, count: 1, total: 1, totalIsEstimate: false, hasMore: false, next: nil,
      selected: "0192", generation: 1, unread: 12, state: .results, hint: nil, display: .example)
    static let fields = [
      "items": "The boards, by their sources, the oldest first, and as each source has them.",
      "offset": "How many boards come before the first one here.", "limit": "How many were asked for.",
      "count": "How many are here.", "total": "How many there are.", "totalIsEstimate": "Whether `total` is a guess.",
      "hasMore": "Whether boards follow the last one here.", "next": "Given as `after`, continues behind the last one.",
      "selected": "The board that this client has before it.",
      "generation": "How often this client has turned to another board.",
      "unread": "How many stored posts of all sources were not read; one on several boards counts once.",
      "state": "`results`, or `empty` where there is no board.", "hint": "What to say where there is none.",
      "display": "Strings for people.",
    ]
  }

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    if let source = params.source { _ = try snapshot.get(SourceRecord.self, id: source.text) }
    let condition = params.source.map { _ in "WHERE board.source = ?" } ?? ""
    let ids = try snapshot.db.texts(
      "SELECT board.id \(BoardOrder.from) \(condition) ORDER BY \(BoardOrder.keys)",
      params.source.map { [.text($0.text)] } ?? [])
    var offset = params.offset ?? 0
    if let after = params.after {
      guard let place = ids.firstIndex(where: { sameBytes($0, after) }) else {
        throw RPCError.invalidParams(field: "after", reason: Text("param.badCursor", ["value": after]))
      }
      offset = place + 1
    }
    let limit = params.limit ?? 500
    let view = try BoardView(in: snapshot)
    let here = ids.dropFirst(offset).prefix(limit)
    let items = try here.map { try view.board(snapshot.get(BoardRecord.self, id: $0)) }
    let selection = try BoardSelection(of: snapshot.caller.clientName, in: snapshot)
    let selected = try view.shown.flatMap { try snapshot.find(BoardRecord.self, id: $0) }
    let heading = snapshot.words(Text("boards.heading"))
    let hasMore = offset + here.count < ids.count
    return Result(
      items: items, offset: offset, limit: limit, count: items.count, total: ids.count, totalIsEstimate: false,
      hasMore: hasMore, next: hasMore ? here.last : nil, selected: selected.map { BoardID(unchecked: $0.id) },
      generation: selection.generation, unread: try PostTimeline(list: .unread, db: snapshot.db).total(),
      state: ids.isEmpty ? .empty : .results,
      hint: ids.isEmpty ? snapshot.words(Text("boards.noBoards")) : nil,
      display: .init(heading: heading, title: selected.map { BoardView.title(of: $0, in: snapshot) } ?? heading))
  }
}

enum SelectBoard: WriteMethod {
  static let name = "boards/select"
  static let summary =
    "Turns to a board: kept for this client's name, and its visit begins. What was under way for the board before is "
    + "answered with `superseded`. Not undoable."
  static let since = 1
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notFound]

  struct Params: Payload {
    var board: BoardID
    static let example = Params(board: "0192")
    static let fields = ["board": "The board."]
  }
  struct Result: Payload {
    var board: BoardID
    var displayName: String
    var generation: Int
    static let example = Result(board: "0192", displayName: "Notices", generation: 2)
    static let fields = [
      "board": "The board.", "displayName": "Its name as the source has it.",
      "generation": "Lists of a lesser one are out of date.",
    ]
  }

  static func run(_ params: Params, in transaction: Transaction) throws -> Result {
    let board = try transaction.snapshot.get(BoardRecord.self, id: params.board.text)
    let generation = try BoardSelection.choose(
      board.id, for: transaction.caller.clientName, in: transaction)
    transaction.touch(
      collection: BoardRecord.collectionName, id: board.id, revision: board.revision, fields: ["selected"])
    return Result(board: params.board, displayName: board.displayName, generation: generation)
  }
}
