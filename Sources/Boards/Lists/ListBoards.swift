import Contract
import Kit
import Store
import Wire

enum ListBoards: ReadMethod {
  static let name = "boards/list"
  static let summary = "The boards of all sources, and the one that this client has selected, by default the first."
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [.notFound]

  struct Params: Payload {
    var source: SourceID?
    var offset: Int?
    var after: String?
    var limit: Int?
    static let example = Params(source: nil, offset: nil, after: nil, limit: 100)
    static let fields = [
      "source": "Only the boards of this source.", "offset": "The number of items to skip.",
      "after": "`next` of the previous page.", "limit": "Maximum number. Default 500.",
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
        "heading": "The heading of the list of boards.",
        "title": "The name of the selected board, or the heading.",
      ]
    }

    static let example = Result(
      items: [.example], offset: 0, limit: 500, count: 1, total: 1, totalIsEstimate: false, hasMore: false, next: nil,
      selected: "0192", generation: 1, unread: 12, state: .results, hint: nil, display: .example)
    static let fields = [
      "items": "The boards, by source, the oldest source first, in each source's own order.",
      "offset": "The number of boards before the first one here.", "limit": "The requested number of boards.",
      "count": "The number of boards here.", "total": "The total number of boards.",
      "totalIsEstimate": "Whether `total` is an estimate.",
      "hasMore": "Whether more boards follow.", "next": "Cursor for the next page: pass it as `after`.",
      "selected": "The board that this client has selected.",
      "generation": "The number of times that this client has selected another board.",
      "unread":
        "The number of unread stored posts of all sources that are not quiet; one on several boards counts once.",
      "state": "`results`, or `empty` if there are no boards.", "hint": "The message to show if there are none.",
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
    "Selects a board for this client's name and begins a visit to it. Pending requests for the previous board end with "
    + "`superseded`. Not undoable."
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
      "board": "The board.", "displayName": "Its name at the source.",
      "generation": "Lists with a lower value are outdated.",
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
