import Contract
import Kit
import Store
import Wire

enum AddCardBoard: WriteMethod {
  static let name = "projects/addBoard"
  static let summary =
    "Adds a board of cards after the others, with the usual columns. The same again, with the same id, returns the board "
    + "that exists."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.exists, .notAllowed]

  typealias Params = NewItem<ShownCardBoard>
  typealias Result = CardBoard

  static func run(_ params: Params, in transaction: Transaction) throws -> CardBoard {
    let snapshot = transaction.snapshot
    let boards = try CardBoards(in: snapshot)
    var board = CardBoardRecord()
    board.id = params.id ?? transaction.services.newID()
    try board.set(params.values, in: snapshot)
    if let known = boards[board.id] {
      let current = try CardBoard(known, in: snapshot)
      if sameBytes(known.title, board.title), known.isArchived == board.isArchived { return current }
      throw RPCError(
        .exists, text: Text("projects.boardExists", ["id": known.id]), data: ["current": try current.value])
    }
    // The columns of the default board have this id.
    if sameBytes(board.id, ColumnsRecord.defaultID) {
      throw RPCError.invalidParams(field: "id", reason: Text("projects.boardID", ["id": board.id]))
    }
    return try CardBoard(transaction.add(board, to: boards), in: snapshot)
  }
}

extension Transaction {
  /// Adds a board after the others.
  ///
  /// - Throws: `notAllowed` if there are too many.
  func add(_ board: CardBoardRecord, to boards: CardBoards) throws -> CardBoardRecord {
    guard boards.all.count <= CardBoardRecord.most else {
      throw RPCError(.notAllowed, text: Text("projects.tooManyBoards", ["most": String(CardBoardRecord.most)]))
    }
    var board = board
    let last = boards.all.last { Rank.isSound($0.rank) }
    board.rank = Rank.between(last?.rank, nil) ?? board.rank
    return try insert(board)
  }
}

enum UpdateCardBoard: WriteMethod {
  static let name = "projects/updateBoard"
  static let summary =
    "Renames a board, archives it, or takes it out of the archive. An archived board is not listed unless requested, and "
    + "its cards are neither in days nor in notifications of what is due; searches find them. The default board cannot be "
    + "archived."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notFound, .conflict, .notAllowed]

  typealias Params = ItemUpdate<ShownCardBoard>
  typealias Result = CardBoard

  static func run(_ params: Params, in transaction: Transaction) throws -> CardBoard {
    let snapshot = transaction.snapshot
    let board = try snapshot.cardBoard(params.id ?? "", at: params.ifRevision, in: transaction)
    var changed = board
    try changed.set(params.given, in: snapshot)
    if changed.isDefault, changed.isArchived {
      throw RPCError(.notAllowed, text: Text("projects.defaultBoardStays", ["title": board.title(in: snapshot)]))
    }
    // A default board without a row that is given its present state needs none.
    let isSame = sameBytes(changed.title, board.title) && changed.isArchived == board.isArchived
    return try CardBoard(isSame ? board : transaction.store(changed), in: snapshot)
  }
}

enum MoveCardBoard: WriteMethod {
  static let name = "projects/moveBoard"
  static let summary = "Moves a board to another place among the boards."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notFound, .conflict]

  struct Params: Payload {
    var id: CardBoardID
    var before: CardBoardID?
    var after: CardBoardID?
    var ifRevision: Int64?
    static let example = Params(id: "0190", before: "default", after: nil, ifRevision: 42)
    static let fields = [
      "id": "The board.",
      "before": "The board that is to follow it. Without `before` and `after` it moves to the end.",
      "after": "The board that is to precede it.", "ifRevision": "Refuse if the board has changed since this revision.",
    ]
    static let atMostOne = [["before", "after"]]
  }
  typealias Result = CardBoard

  static func run(_ params: Params, in transaction: Transaction) throws -> CardBoard {
    let snapshot = transaction.snapshot
    let board = try snapshot.cardBoard(params.id.text, at: params.ifRevision, in: transaction)
    let all = try CardBoards(in: snapshot).all
    var others = all.filter { !sameBytes($0.id, board.id) }
    func place(of neighbour: CardBoardID, _ field: String) throws -> Int {
      if neighbour == params.id { throw RPCError.invalidParams(field: field, reason: Text("projects.neighbourItself")) }
      guard let place = others.firstIndex(where: { sameBytes($0.id, neighbour.text) }) else {
        throw RPCError.notFound(CardBoardRecord.collectionName, id: neighbour.text)
      }
      return place
    }
    let place =
      try params.before.map { try place(of: $0, "before") } ?? params.after.map { try place(of: $0, "after") + 1 }
      ?? others.count
    others.insert(board, at: place)
    guard !zip(all, others).allSatisfy({ sameBytes($0.id, $1.id) }) else { return try CardBoard(board, in: snapshot) }
    var moved = board
    let (lower, upper) = (
      place > 0 ? others[place - 1].rank : nil, place + 1 < others.count ? others[place + 1].rank : nil
    )
    if let rank = Rank.between(lower, upper), Rank.isSound(rank) {
      moved.rank = rank
      return try CardBoard(transaction.store(moved), in: snapshot)
    }
    // No rank is left between the neighbours: all boards get new ones.
    for (other, rank) in zip(others, Rank.between(nil, nil, count: others.count) ?? []) {
      var ranked = other
      ranked.rank = rank
      let stored = try transaction.store(ranked)
      if sameBytes(stored.id, board.id) { moved = stored }
    }
    return try CardBoard(moved, in: snapshot)
  }
}

extension Snapshot {
  /// The board with this id. The default board may have no row, nor may one that has cards after an undo.
  ///
  /// - Throws: `notFound`, and `conflict` for another revision.
  func cardBoard(_ id: String, at revision: Int64?, in transaction: Transaction) throws -> CardBoardRecord {
    guard let board = try find(CardBoardRecord.self, id: id) ?? CardBoards(in: self)[id] else {
      throw RPCError.notFound(CardBoardRecord.collectionName, id: id)
    }
    try transaction.require(board, at: revision)
    return board
  }
}
