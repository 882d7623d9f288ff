import Contract
import Kit
import SQLite
import Store
import Wire

/// A board of cards in replies.
typealias CardBoard = ItemJSON<ShownCardBoard>

/// A board of cards as one client sees it.
struct ShownCardBoard: SnapshotItem {
  static let name = "CardBoard"

  let item: CardBoardRecord
  private let title: String
  private let counts: Counts
  private let snapshot: Snapshot

  /// The numbers of cards of a board.
  struct Counts: Sendable {
    var cards = 0
    var open = 0
    var overdue = 0
  }

  init(_ board: CardBoardRecord, in snapshot: Snapshot) throws {
    let boards = try CardBoards(in: snapshot)
    self.init(board, try Self.counts(of: boards, [board], in: snapshot), in: snapshot)
  }

  private init(_ board: CardBoardRecord, _ counts: [String: Counts], in snapshot: Snapshot) {
    (item, self.snapshot) = (board, snapshot)
    title = board.title(in: snapshot)
    self.counts = counts[board.id] ?? Counts()
  }

  static func list(_ listed: [CardBoardRecord], of boards: CardBoards, in snapshot: Snapshot) throws -> [CardBoard] {
    let counts = try counts(of: boards, listed, in: snapshot)
    return try listed.map { try CardBoard(ShownCardBoard($0, counts, in: snapshot)) }
  }

  /// The counts of some boards, by their ids.
  private static func counts(
    of boards: CardBoards, _ some: [CardBoardRecord], in snapshot: Snapshot
  ) throws -> [String: Counts] {
    var counts: [String: Counts] = [:]
    for column in boards.counts {
      counts[column.board, default: Counts()].cards += column.count
      guard boards.columns(of: column.board).isOpen(column.state) else { continue }
      counts[column.board, default: Counts()].open += column.count
    }
    let open = CardLanes(of: boards, some).only(open: true).condition()
    try snapshot.db.each(
      "SELECT board, count(*) FROM project WHERE \(open.sql) AND deadline < ? GROUP BY board",
      open.values + [.text(snapshot.services.libraryToday.description)]
    ) { counts[$0.text(0), default: Counts()].overdue = $0.int(1) }
    return counts
  }

  static let derived: [DerivedMember<Self>] = [
    DerivedMember(
      "title", "The title of the board; for a default board that was not renamed, a word in the client's language.",
      example: "Garden"
    ) { $0.title },
    DerivedMember("isDefault", "Whether it is the board that is meant when none is named.", example: false) {
      $0.item.isDefault
    },
    DerivedMember("cards", "The number of its cards.", example: 12) { $0.counts.cards },
    DerivedMember("open", "The number of its cards in open columns.", example: 5) { $0.counts.open },
    DerivedMember("overdue", "The number of its open cards whose deadline is before today.", example: 1) {
      $0.counts.overdue
    },
    DerivedMember("display", of: "CardBoard.Display", "Strings for people.") {
      DerivedMember("title", "The title of the board.", example: "Garden") { $0.title }
      DerivedMember("progress", "How many of its cards are open and overdue.", example: "5 open, 1 overdue") {
        $0.progress
      }
      DerivedMember("badges", "That it is archived; absent otherwise.", example: nil) { board in
        board.item.isArchived ? [board.snapshot.words(Text("projects.archived"))] : nil
      }
    },
  ]

  private var progress: String {
    let texts = [
      Text("projects.openCards", ["count": String(counts.open)]),
      counts.overdue == 0 ? nil : Text("projects.overdueCards", ["count": String(counts.overdue)]),
    ]
    return texts.compactMap(\.self).map(snapshot.words).joined(separator: ", ")
  }

  static let example: CardBoardRecord = {
    var board = CardBoardRecord()
    (board.id, board.revision) = ("0190", 42)
    board.createdAt = Instant(milliseconds: 1_795_225_445_678)
    board.updatedAt = board.createdAt
    (board.title, board.rank) = ("Garden", "a1")
    return board
  }()
}
