import Contract
import Kit
import Store
import Wire

enum RemoveCardBoard: LongWriteMethod {
  static let name = "projects/removeBoard"
  static let summary =
    "Removes a board. A board that has cards is refused unless `to` names the board that gets them, or `withCards` "
    + "removes them too. One `changes/undo` restores all of it. The default board cannot be removed."
  static let effects: Effects = [.writes, .destroys]
  static let errors: [ErrorKind] = [.conflict, .notAllowed, .notFound]

  struct Params: Payload {
    var id: CardBoardID
    var to: String?
    var withCards: Bool?
    var ifRevision: Int64?
    static let example = Params(id: "0190", to: "default", withCards: nil, ifRevision: 42)
    static let fields = [
      "id": "The board.",
      "to":
        "The board that gets the cards: its id or title. Each card keeps its column if that board has it, as in "
        + "`projects/move`.",
      "withCards": "Remove its cards too.", "ifRevision": "Refuse if the board has changed since this revision.",
    ]
    static let limits: [String: FieldLimits] = ["to": .length(1...200)]
    static let atMostOne = [["to", "withCards"]]
  }

  struct Result: Payload {
    var removed: CardBoardID
    var cards: Int
    static let example = Result(removed: "0190", cards: 12)
    static let fields = ["removed": "The removed board.", "cards": "The number of cards that were moved or removed."]
  }

  /// The number of cards that were moved or removed in the slices so far.
  struct Position: Sendable {
    var cards = 0
  }

  /// The board is removed last. A card that another client adds meanwhile is moved or removed like the others.
  static func run(
    _ params: Params, from position: Position?, in transaction: Transaction
  ) throws -> Sliced<Position, Result> {
    let snapshot = transaction.snapshot
    let boards = try CardBoards(in: snapshot)
    let id = params.id.text
    guard let board = boards[id] else {
      // Another client has removed it between two slices.
      if let position { return .done(Result(removed: params.id, cards: position.cards)) }
      throw RPCError.notFound(CardBoardRecord.collectionName, id: id)
    }
    if position == nil { try require(board, params, boards, in: transaction) }
    let target = try params.to.map { try boards.require(named: $0, in: snapshot, field: "to") }
    if let target, sameBytes(target.id, id) {
      throw RPCError.invalidParams(field: "to", reason: Text("projects.boardItself"))
    }
    var position = position ?? Position()
    for lane in CardLanes(of: boards, [board]).selected {
      while let card = try ProjectRecord.first(
        in: transaction.db, "WHERE board = ? AND state = ? ORDER BY rank, id LIMIT 1",
        [.text(id), .text(lane.state)])
      {
        guard transaction.hasRoom else { return .more(position) }
        if let target {
          try transaction.move(card, to: boards.landing(of: card, on: target.id, in: snapshot).column, on: target.id)
        } else {
          try RemoveProject.remove(card, in: transaction)
        }
        position.cards += 1
      }
    }
    if let columns = try snapshot.find(ColumnsRecord.self, id: CardBoardRecord.columnsID(of: id)) {
      try transaction.remove(columns)
    }
    if let stored = try snapshot.find(CardBoardRecord.self, id: id) { try transaction.remove(stored) }
    return .done(Result(removed: params.id, cards: position.cards))
  }

  private static func require(
    _ board: CardBoardRecord, _ params: Params, _ boards: CardBoards, in transaction: Transaction
  ) throws {
    try transaction.require(board, at: params.ifRevision)
    let title = board.title(in: transaction.snapshot)
    if board.isDefault { throw RPCError(.notAllowed, text: Text("projects.defaultBoardStays", ["title": title])) }
    guard params.to == nil, params.withCards != true, let text = boards.cardsRemain(on: board, in: transaction.snapshot)
    else { return }
    throw RPCError(.notAllowed, text: text, data: ["board": .string(board.id)])
  }
}

extension CardBoards {
  /// The sentence that a board still has cards; nil if it has none.
  func cardsRemain(on board: CardBoardRecord, in snapshot: Snapshot) -> Text? {
    let count = counts.filter { sameBytes($0.board, board.id) }.reduce(0) { $0 + $1.count }
    if count == 0 { return nil }
    return Text("projects.boardHasCards", ["title": board.title(in: snapshot), "count": String(count)])
  }

  /// The reason why an undo may not remove a board that it added: the board has cards by now. Nil if the undo may
  /// continue.
  ///
  /// - Parameter before: the board as clients saw it before the undo.
  static func refusal(_ id: String, before: JSONValue?, in snapshot: Snapshot) throws -> Text? {
    guard try snapshot.find(CardBoardRecord.self, id: id) == nil else { return nil }
    let boards = try CardBoards(in: snapshot)
    guard var board = boards[id], !board.isDefault else { return nil }
    board.title = before?["title"]?.stringValue ?? board.title
    return boards.cardsRemain(on: board, in: snapshot)
  }
}
