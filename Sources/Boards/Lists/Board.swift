import Contract
import Kit
import Store
import Wire

/// A board in replies.
typealias Board = ItemJSON<ShownBoard>

/// A board for one client.
struct ShownBoard: ShownItem {
  static let name = "Board"

  let item: BoardRecord
  fileprivate let snapshot: Snapshot
  fileprivate let source: SourceRecord?
  fileprivate let title: String
  /// Of the stored posts.
  fileprivate let counts: (all: Int, unread: Int)
  fileprivate let sinceVisit: Int
  fileprivate let isSelected: Bool

  static let derived: [DerivedMember<Self>] = [
    DerivedMember("count", "The number of its posts in the library.", example: 137) { $0.counts.all }.called("posts"),
    DerivedMember(
      "unread", "The number of those that are unread; meaningless if `fetched` is false.", example: 12
    ) { $0.counts.unread },
    DerivedMember(
      "sinceVisit", "The number of posts that arrived since this client's previous visit to it (`boards/select`).",
      example: 3
    ) { $0.sinceVisit },
    DerivedMember("selected", "Whether this client has selected it.", example: true) { $0.isSelected },
    DerivedMember("readOnly", "Whether nothing can be written to it.", example: true) { _ in true },
    DerivedMember(
      "fetched",
      "False until its posts are first requested: then `count` and `unread` are 0, whatever the board has, and "
        + "`boards/posts` fetches its first page. Absent otherwise.", example: nil
    ) { $0.item.fetchedAt == nil ? false : nil },
    DerivedMember("failure", "Why the last fetch failed.", example: nil) {
      try StoredProblem.shown($0.item.failure, of: $0.source, $0.item, in: $0.snapshot)
    },
    DerivedMember("display", of: "Board.Display", "Strings for people.") {
      DerivedMember("title", "Its name, or a placeholder.", example: "Notices") { $0.title }
      DerivedMember("source", "The title of its source.", example: "The groupware") { $0.source?.shownTitle ?? "" }
      DerivedMember("search", "The placeholder of a search field above it.", example: "Search in Notices") {
        $0.snapshot.words(Text("boards.searchIn", ["board": $0.title]))
      }
      DerivedMember(
        "state",
        "A word for the board selected by this client, or for a board not fetched yet; absent for others.",
        example: "Selected"
      ) { board in
        board.isSelected
          ? board.snapshot.words(Text("boards.selected"))
          : board.item.fetchedAt == nil ? board.snapshot.words(Text("boards.notFetched")) : nil
      }
    },
  ]

  static let example: BoardRecord = {
    var board = BoardRecord()
    (board.id, board.revision) = ("0192", 42)
    board.createdAt = Instant(milliseconds: 1_795_225_445_678)
    (board.updatedAt, board.fetchedAt) = (board.createdAt, board.createdAt)
    (board.source, board.remoteID, board.displayName, board.remoteTotal) = ("0191", "28478", "Notices", 140)
    return board
  }()
}

/// Shows boards to one client, from one state of the library.
struct BoardView {
  let snapshot: Snapshot
  let shown: String?

  init(in snapshot: Snapshot) throws {
    self.snapshot = snapshot
    shown = try BoardSelection(of: snapshot.caller.clientName, in: snapshot).shown(in: snapshot)
  }

  func board(_ record: BoardRecord) throws -> Board {
    let db = snapshot.db
    let counts = try db.first("SELECT count, unread FROM boardCount WHERE board = ?", [.text(record.id)]) {
      (all: $0.int(0), unread: $0.int(1))
    }
    let visit = try BoardSelection.lastVisit(of: snapshot.caller.clientName, to: record.id, in: snapshot)
    let arrived = try visit.map { visit in
      try db.first(
        "SELECT count(*) FROM boardPost WHERE board = ? AND arrivedAt > ?", [.text(record.id), .integer(visit)]
      ) { $0.int(0) } ?? 0
    }
    return try Board(
      ShownBoard(
        item: record, snapshot: snapshot, source: snapshot.find(SourceRecord.self, id: record.source),
        title: Self.title(of: record, in: snapshot), counts: counts ?? (0, 0), sinceVisit: arrived ?? 0,
        isSelected: shown.map { sameBytes($0, record.id) } ?? false))
  }

  /// The board's name for people. A feed has one board, which has the user's title of the source.
  static func title(of record: BoardRecord, in snapshot: Snapshot) -> String {
    let source = try? snapshot.find(SourceRecord.self, id: record.source)
    if source?.kind == .feed, let title = source?.title { return title }
    if !record.displayName.isEmpty { return record.displayName }
    let isLatest = source?.kind == .discourse && sameBytes(record.remoteID, DiscourseSource.latest)
    return snapshot.words(isLatest ? Text("boards.latest") : Text("boards.noName"))
  }
}
