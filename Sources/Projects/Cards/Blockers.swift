import Contract
import SQLite
import Store
import Wire

/// Cards that wait for others.
enum Blockers {
  static let most = 100

  /// The ids to store: without duplicates, each of a card that exists or was in the list before.
  ///
  /// - Throws: `invalidParams` if a card does not exist, or if cards would wait for each other.
  static func checked(
    _ ids: [ProjectID], of card: String, known: [String] = [], in snapshot: Snapshot
  ) throws -> [String] {
    var checked: [String] = []
    for (index, id) in ids.enumerated() where !checked.contains(id.text) {
      let field = "blockedBy[\(index)]"
      if let cycle = try cycle(from: card, through: id.text, in: snapshot.db) {
        var refusal = RPCError.invalidParams(
          field: field, reason: Text("projects.cycle", ["cycle": try Parents.titles(of: cycle, in: snapshot)]))
        refusal.data["cycle"] = .array(cycle.map { .string($0) })
        throw refusal
      }
      guard try known.contains(id.text) || snapshot.find(ProjectRecord.self, id: id.text) != nil else {
        throw RPCError.invalidParams(field: field, reason: Text("projects.noBlocker", ["id": id.text]))
      }
      checked.append(id.text)
    }
    return checked
  }

  /// Whether a card would wait for itself if it waited for `blocker`.
  static func wouldWait(_ card: String, for blocker: String, in db: Database) throws -> Bool {
    if card == blocker { return true }
    // Most cards block no other; for them no chain of thousands of cards has to be walked.
    guard try db.first("SELECT 1 FROM projectBlock WHERE blocker = ?", [.text(card)], { _ in true }) != nil else {
      return false
    }
    return try cycle(from: card, through: blocker, in: db) != nil
  }

  /// The path from a card through a planned blocker back to itself, if there is one.
  private static func cycle(from card: String, through blocker: String, in db: Database) throws -> [String]? {
    if card == blocker { return [card, card] }
    var predecessors: [String: String] = [blocker: card]
    var waiting = [blocker]
    while let next = waiting.popLast() {
      var further: [String] = []
      try db.each("SELECT blocker FROM projectBlock WHERE card = ?", [.text(next)]) { further.append($0.text(0)) }
      for id in further where predecessors[id] == nil {
        predecessors[id] = next
        if id == card {
          var way = [card]
          var step = next
          while step != card {
            way.append(step)
            step = predecessors[step] ?? card
          }
          return [card] + way.reversed()
        }
        waiting.append(id)
      }
    }
    return nil
  }

  /// Notifies clients that the cards that wait for this one may be blocked or free now.
  static func notifyWaiting(for card: String, in transaction: Transaction) throws {
    try notify(
      "SELECT p.id, p.revision FROM projectBlock b JOIN project p ON p.id = b.card WHERE b.blocker = ?", [.text(card)],
      in: transaction)
  }

  /// The same for all cards of a column.
  static func notifyWaiting(forCardsIn state: String, on board: String, in transaction: Transaction) throws {
    try notify(
      """
      SELECT DISTINCT p.id, p.revision FROM projectBlock b CROSS JOIN project other ON other.id = b.blocker \
      JOIN project p ON p.id = b.card WHERE other.board = ? AND other.state = ?
      """, [.text(board), .text(state)], in: transaction)
  }

  private static func notify(_ selection: String, _ values: [SQLValue], in transaction: Transaction) throws {
    var waiting: [(id: String, revision: Int64)] = []
    try transaction.db.each(selection, values) { waiting.append((id: $0.text(0), revision: $0.integer(1))) }
    for card in waiting {
      transaction.touch(
        collection: ProjectRecord.collectionName, id: card.id, revision: card.revision, fields: ["blocked"])
    }
  }
}
