import Contract
import SearchEngine
import Store
import Wire

/// All boards of cards in one snapshot of the library, with their columns.
struct CardBoards: Sendable {
  /// In their order, archived ones among them.
  private(set) var all: [CardBoardRecord]
  /// The columns of the boards that have others than the usual ones, by the board's id.
  private var columns: [String: BoardColumns] = [:]
  /// The number of cards in each column that has any.
  private(set) var counts: [CardCount] = []

  /// The boards of an empty library.
  init() { all = [.usual] }

  /// The boards of a snapshot, which a read decodes once for all of its cards.
  init(in snapshot: Snapshot) throws { self = try snapshot.loadedOnce { try CardBoards(loading: snapshot) } }

  /// Includes boards that have cards but no row any more, as after an undo: no card is ever hidden.
  private init(loading snapshot: Snapshot) throws {
    all = try CardBoardRecord.all(in: snapshot.db, "ORDER BY rank, id")
    if self[CardBoardRecord.defaultID] == nil { insert(.usual) }
    counts = try CardCount.all(in: snapshot)
    for record in try ColumnsRecord.all(in: snapshot.db, "ORDER BY id") {
      columns[CardBoardRecord.id(ofColumns: record.id)] = BoardColumns(try record.columns.value())
    }
    for (board, counts) in Dictionary(grouping: counts, by: \.board) {
      columns[board] = columns(of: board).including(counts)
      guard self[board] == nil else { continue }
      var lost = CardBoardRecord()
      (lost.id, lost.rank) = (board, "zz")
      insert(lost)
    }
  }

  subscript(id: String) -> CardBoardRecord? { all.first { sameBytes($0.id, id) } }

  /// The boards that are not archived.
  var current: [CardBoardRecord] { all.filter { !$0.isArchived } }

  /// The columns of a board; the usual ones for a board that does not exist.
  func columns(of board: String) -> BoardColumns { columns[board] ?? BoardColumns(StoredColumn.usual) }

  /// The columns that any of the boards has; of those with the same name, that of the first board.
  func columns(ofAll boards: [CardBoardRecord]) -> BoardColumns {
    var known: Set<String> = []
    return BoardColumns(boards.flatMap { columns(of: $0.id).all }.filter { known.insert($0.state).inserted })
  }

  /// Whether the columns of a board were arranged, or have cards.
  func hasOwnColumns(_ board: String) -> Bool { columns[board] != nil }

  /// Adds a board at its place, or gives it other columns.
  mutating func insert(_ board: CardBoardRecord, columns: BoardColumns? = nil) {
    if self[board.id] == nil { all.insert(board, at: all.firstIndex { board.precedes($0) } ?? all.endIndex) }
    if let columns { self.columns[board.id] = columns }
  }

  /// Only some of the boards.
  func only(_ boards: [CardBoardRecord]) -> CardBoards {
    var some = self
    some.all = boards
    return some
  }

  /// Finds a board by its id or by its title; case, width and composition of the title do not matter.
  ///
  /// - Throws: `invalidParams` with the titles of the existing boards, if none or several match.
  func require(
    named name: String, in snapshot: Snapshot, field: String = "board"
  ) throws(RPCError) -> CardBoardRecord {
    if let board = self[name] { return board }
    let named = titled(name, in: snapshot)
    if named.count == 1 { return named[0] }
    let listed = (named.isEmpty ? current : named).prefix(Self.mostNamed).map { board in
      named.isEmpty ? board.title(in: snapshot) : "\(board.title(in: snapshot)) (\(board.id))"
    }
    throw RPCError.invalidParams(
      field: field,
      reason: Text(
        named.isEmpty ? "projects.noBoard" : "projects.ambiguousBoard",
        ["found": name, "choices": listed.joined(separator: ", ")]))
  }

  /// The most boards in the text of an error.
  private static let mostNamed = 20

  /// The boards with a title; case, width and composition do not matter.
  func titled(_ title: String, in snapshot: Snapshot) -> [CardBoardRecord] {
    let folded = foldedText(title)
    return all.filter { sameBytes(foldedText($0.title(in: snapshot)), folded) }
  }
}

/// How many cards a column of a board has.
struct CardCount: Sendable {
  var board: String
  var state: String
  var count: Int

  /// The columns that have cards, of all boards or of one.
  static func all(in snapshot: Snapshot, of board: String? = nil) throws -> [CardCount] {
    var counts: [CardCount] = []
    try snapshot.db.each(
      "SELECT board, state, count FROM projectCount\(board == nil ? "" : " WHERE board = ?") ORDER BY board, state",
      board.map { [.text($0)] } ?? []
    ) { row in
      if row.int(2) > 0 { counts.append(CardCount(board: row.text(0), state: row.text(1), count: row.int(2))) }
    }
    return counts
  }
}

extension Transaction {
  /// Stores a board, which may be the default one without a row.
  @discardableResult
  func store(_ board: CardBoardRecord) throws -> CardBoardRecord {
    guard let stored = try snapshot.find(CardBoardRecord.self, id: board.id) else { return try insert(board) }
    return try change(stored) { $0 = board }
  }
}

extension CardBoards {
  /// The note and the limits of the param `board` of the methods that read or change one board.
  static let paramNote = "The board: its id or title. Default: the default board."
  static let paramLimits = FieldLimits.length(1...200)
}
