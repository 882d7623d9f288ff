import Contract
import Store

/// The board that a client has selected, and its visits. Stored under the client's name, so that it survives a
/// reconnection.
struct BoardSelection: Sendable {
  /// Nil before anything was chosen: then the first is shown.
  var chosen: String?
  /// Grows with every selection. A request with a lower generation is out of date.
  var generation: Int

  init(of client: String, in snapshot: Snapshot) throws {
    let row = try snapshot.db.first(
      "SELECT board, generation FROM boardSelection WHERE client = ?", [.text(client)]
    ) { (board: $0.text(0), generation: $0.int(1)) }
    chosen = row?.board
    generation = row?.generation ?? 0
  }

  /// The displayed board: the selected one if it exists, else the first of all.
  func shown(in snapshot: Snapshot) throws -> String? {
    if let chosen, try snapshot.find(BoardRecord.self, id: chosen) != nil { return chosen }
    return try snapshot.db.first(BoardOrder.first) { $0.text(0) }
  }

  static func choose(_ board: String, for client: String, in transaction: Transaction) throws -> Int {
    transaction.keepSilent()
    try transaction.db.run(
      """
      INSERT INTO boardSelection VALUES (?1, ?2, 1)
      ON CONFLICT (client) DO UPDATE SET board = ?2, generation = generation + 1
      """, [.text(client), .text(board)])
    try transaction.db.run(
      """
      INSERT INTO boardVisit VALUES (?1, ?2, ?3, NULL) ON CONFLICT (client, board) DO UPDATE SET previous = at, at = ?3
      """, [.text(client), .text(board), .integer(transaction.now.milliseconds)])
    return try BoardSelection(of: client, in: transaction.snapshot).generation
  }

  /// The time of a client's previous visit to a board; nil if there was none.
  static func lastVisit(of client: String, to board: String, in snapshot: Snapshot) throws -> Int64? {
    try snapshot.db.first(
      "SELECT previous FROM boardVisit WHERE client = ? AND board = ? AND previous IS NOT NULL",
      [.text(client), .text(board)]
    ) { $0.integer(0) }
  }
}

/// The order of boards: by their sources, the oldest first, and within a source in the source's order.
enum BoardOrder {
  static let keys = "boardSource.createdAt, boardSource.id, board.position, board.id"
  static let from = "FROM board JOIN boardSource ON boardSource.id = board.source"
  static let first = "SELECT board.id \(from) ORDER BY \(keys) LIMIT 1"
}
