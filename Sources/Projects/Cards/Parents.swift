import Contract
import Kit
import SQLite
import Store
import Wire

/// Cards that are parts of others. A card keeps the id of a removed parent, so that undo restores both.
enum Parents {
  /// The parent to store.
  ///
  /// - Parameter known: the stored parent, which may have been removed.
  /// - Throws: `invalidParams` if the card does not exist, or is a part of this one.
  static func checked(
    _ parent: ProjectID, of card: String, known: String?, in snapshot: Snapshot
  ) throws -> String {
    if let known, sameBytes(known, parent.text) { return known }
    if let cycle = try cycle(from: card, through: parent.text, in: snapshot.db) {
      var refusal = RPCError.invalidParams(
        field: "parent", reason: Text("projects.parentCycle", ["cycle": try titles(of: cycle, in: snapshot)]))
      refusal.data["cycle"] = .array(cycle.map { .string($0) })
      throw refusal
    }
    guard try snapshot.find(ProjectRecord.self, id: parent.text) != nil else {
      throw RPCError.invalidParams(field: "parent", reason: Text("projects.noParent", ["id": parent.text]))
    }
    return parent.text
  }

  /// The titles of a cycle of cards for people; of a long one, those at its ends.
  static func titles(of cycle: [String], in snapshot: Snapshot) throws -> String {
    let shown = cycle.count > 12 ? cycle.prefix(6) + ["…"] + cycle.suffix(6) : cycle[...]
    return try shown.map { try snapshot.find(ProjectRecord.self, id: $0)?.title ?? $0 }.joined(separator: " → ")
  }

  /// The path from a card through a planned parent back to itself, if there is one. Most cards have no parts: for them
  /// no chain of thousands of cards has to be walked.
  static func cycle(from card: String, through parent: String, in db: Database) throws -> [String]? {
    if sameBytes(card, parent) { return [card, card] }
    let hasParts = try db.first("SELECT 1 FROM project WHERE parent = ? LIMIT 1", [.text(card)]) { _ in true } ?? false
    guard hasParts else { return nil }
    guard try db.first(isAbove, [.text(parent), .text(card)], { _ in true }) != nil else { return nil }
    var (path, seen): ([String], Set<String>) = ([card], [])
    var next: String? = parent
    // Two undos may have made a cycle of other cards.
    while let id = next, seen.insert(id).inserted {
      path.append(id)
      if id == card { return path }
      next = try db.first("SELECT parent FROM project WHERE id = ?", [.text(id)]) { $0.optionalText(0) } ?? nil
    }
    return nil
  }

  /// Whether a card is above another one. In one statement: an import checks thousands of cards of one chain.
  private static let isAbove = """
    WITH RECURSIVE above (id) AS (
      VALUES (?) UNION SELECT parent FROM above JOIN project USING (id) WHERE parent IS NOT NULL)
    SELECT 1 FROM above WHERE id = ? LIMIT 1
    """

  /// How many parts of a card are done; nil if it has none.
  static func count(of card: String, among boards: CardBoards, in db: Database) throws -> DoneCount? {
    var count = DoneCount(done: 0, of: 0)
    try db.each(
      "SELECT board, state, count(*) FROM project WHERE parent = ? GROUP BY board, state", [.text(card)]
    ) { row in
      count.of += row.int(2)
      if !boards.columns(of: row.text(0)).isOpen(row.text(1)) { count.done += row.int(2) }
    }
    return count.of == 0 ? nil : count
  }

  /// The open parts of a card, as many as a reply lists.
  static func open(of card: String, among boards: CardBoards, in db: Database) throws -> [String] {
    let open = CardLanes(of: boards).only(open: true).condition()
    return try db.texts(
      "SELECT id FROM project WHERE parent = ? AND \(open.sql) ORDER BY board, state, rank, id LIMIT 100",
      [.text(card)] + open.values)
  }

  // MARK: - Notifications

  /// Notifies clients that the counts of a card's parents may have changed: of the current one, and of the one before
  /// this write.
  static func notify(of card: String, in transaction: Transaction) throws {
    let now = try transaction.db.first("SELECT parent FROM project WHERE id = ?", [.text(card)]) { $0.optionalText(0) }
    var parents = [now ?? nil]
    if case .text(let former)? = transaction.former("parent", of: card, in: ProjectRecord.collectionName) {
      parents.append(former)
    }
    for parent in Set(parents.compactMap(\.self)) {
      try touch("SELECT id, revision FROM project WHERE id = ?", [.text(parent)], "children", in: transaction)
    }
  }

  /// The same for the parents of all cards of a column.
  static func notify(ofCardsIn state: String, on board: String, in transaction: Transaction) throws {
    try touch(
      """
      SELECT id, revision FROM project WHERE id IN (SELECT parent FROM project WHERE board = ? AND state = ? \
      AND parent IS NOT NULL)
      """, [.text(board), .text(state)], "children", in: transaction)
  }

  /// Notifies clients that the parts of a card have it as their parent, or not any more.
  static func notifyParts(of card: String, in transaction: Transaction) throws {
    try touch("SELECT id, revision FROM project WHERE parent = ?", [.text(card)], "parent", in: transaction)
  }

  private static func touch(
    _ selection: String, _ values: [SQLValue], _ field: String, in transaction: Transaction
  ) throws {
    var cards: [(id: String, revision: Int64)] = []
    try transaction.db.each(selection, values) { cards.append(($0.text(0), $0.integer(1))) }
    for card in cards {
      transaction.touch(
        collection: ProjectRecord.collectionName, id: card.id, revision: card.revision, fields: [field])
    }
  }
}
