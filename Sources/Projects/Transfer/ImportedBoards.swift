import Contract
import Exchange
import Kit
import Store
import Wire

/// The boards of the library together with those of a file that is imported, and with the columns of both.
struct ImportedBoards {
  /// The board of the tasks that name none.
  let target: String
  private(set) var boards: CardBoards
  /// The ids in the library, by the ids in the file.
  private var ids: [String: String] = [:]
  private let listed: [String]
  private let existing: CardBoards
  private let fileIDs: Set<String>

  /// A board of the file is the one of the library with its id, else the only other one with its title, else a new one.
  init(_ file: [FileBoard], target: String, in snapshot: Snapshot) throws {
    self.target = target
    existing = try CardBoards(in: snapshot)
    boards = existing
    listed = file.filter(\.isListed).map(\.id)
    fileIDs = Set(file.map(\.id))
    for board in file {
      guard let id = place(board, in: snapshot) else { continue }
      ids[board.id] = id
      let merged = boards.columns(
        of: id, with: board.columns, areAll: board.hasAllColumns, isUntouched: !existing.hasOwnColumns(id))
      if let record = boards[id] { boards.insert(record, columns: merged) }
    }
  }

  /// The id in the library for a board of the file; nil if there are too many boards.
  private mutating func place(_ board: FileBoard, in snapshot: Snapshot) -> String? {
    if board.id.isEmpty { return target }
    // The columns of the default board have this id.
    let isReserved = sameBytes(board.id, ColumnsRecord.defaultID)
    let id = isReserved ? DerivedID.text(of: "projects/board/" + board.id) : board.id
    if boards[id] != nil { return id }
    let title = board.title ?? board.id
    // Two boards of one file are never one.
    let same = existing.titled(title, in: snapshot).filter { board in
      !fileIDs.contains(board.id) && !ids.values.contains { sameBytes($0, board.id) }
    }
    if same.count == 1 { return same[0].id }
    guard boards.all.count <= CardBoardRecord.most else { return nil }
    var record = CardBoardRecord()
    (record.id, record.title, record.isArchived) = (id, title, board.isArchived)
    record.rank = Rank.between(boards.all.last { Rank.isSound($0.rank) }?.rank, nil) ?? record.rank
    boards.insert(record)
    return id
  }

  /// The id in the library of a board in the file; nil if there are too many boards, or the task names none.
  func id(of board: String) -> String? { board.isEmpty ? nil : ids[board] }

  /// Stores a board, if it is new, and its columns.
  func store(_ id: String, in transaction: Transaction) throws {
    if existing[id] == nil, let board = boards[id],
      try transaction.snapshot.find(CardBoardRecord.self, id: id) == nil
    {
      _ = try transaction.add(board, to: CardBoards(in: transaction.snapshot))
    }
    try transaction.keep(boards.columns(of: id), of: id)
  }

  /// Stores the new boards that the file lists, which may have no cards.
  func storeListed(in transaction: Transaction) throws {
    for id in listed.compactMap({ ids[$0] }) where existing[id] == nil { try store(id, in: transaction) }
  }

  /// Notes on new columns whose names are similar to existing ones.
  func likenesses(of tasks: [ExternalTask], in snapshot: Snapshot) -> [LikeColumn] {
    Set(ids.values).sorted().flatMap { id -> [LikeColumn] in
      let tasks = tasks.filter { sameBytes(self.id(of: $0.board) ?? target, id) }
      return boards.columns(of: id).likenesses(to: existing.columns(of: id).all, of: tasks, in: snapshot).map {
        LikeColumn(board: id, state: $0.state, note: $0.note)
      }
    }
  }
}

/// A note on a column of a file whose name is similar to that of an existing column.
struct LikeColumn: Sendable {
  var board: String
  var state: String
  var note: ImportNote
}
