import Wire

/// Which commit `changes/undo {}` takes back, and which `changes/redo {}` brings back.
extension Transaction {
  /// Whether no commit has taken back commit `c`.
  static let standing = "NOT EXISTS (SELECT 1 FROM commits u WHERE u.undoOf = c.clock AND NOT u.isVoid)"

  /// The newest commit that `changes/undo {}` takes back for this caller: of this connection, else of its client name.
  /// Commits that were taken back already, and the undos themselves, are stepped over.
  ///
  /// - Parameter isWanted: is asked of one commit after another, newest first, until it accepts one.
  package func newestUndoable(where isWanted: (Int64) throws -> Bool = { _ in true }) throws -> Int64? {
    try newest("c.undoable AND c.action IN ('write', 'redo') AND \(Self.standing)", where: isWanted)
  }

  /// The newest undo that was not brought back, unless the caller has written something since: a write empties the
  /// stack of what can be redone, also when it was taken back itself.
  package func newestRedoable(where isWanted: (Int64) throws -> Bool = { _ in true }) throws -> Int64? {
    let write = try newest("c.action = 'write' AND c.undoOf IS NULL AND c.undoable") { _ in true } ?? 0
    // An undo that lies before the write ends the search: another connection's undo is not looked for behind it.
    let undo = try newest("c.undoable AND c.action = 'undo' AND \(Self.standing)") { try $0 < write || isWanted($0) }
    return undo.flatMap { $0 < write ? nil : $0 }
  }

  private func newest(_ condition: String, where isWanted: (Int64) throws -> Bool) throws -> Int64? {
    for (column, value) in [("connection", caller.connectionID), ("client", caller.clientName)] where !value.isEmpty {
      let statement = """
        SELECT c.clock FROM commits c
        WHERE c.\(column) = ? AND c.\(column) <> '' AND c.clock < ? AND \(condition)
        ORDER BY c.clock DESC LIMIT 1
        """
      var end = Int64.max
      while let clock = try db.first(statement, [.text(value), .integer(end)], { $0.integer(0) }) {
        if try isWanted(clock) { return clock }
        end = clock
      }
    }
    return nil
  }

  /// The first item that has changed since commit `commit`, so that the commit can only be undone by force; nil if there
  /// is none. Only the undo itself finds the rarer obstacles, such as another item in the place of a removed one.
  package func firstMovedOn(since commit: Int64) throws -> ItemKey? { try movedOn(since: commit, most: 1).first }

  /// The items that have changed since commit `commit`, at most so many.
  private func movedOn(since commit: Int64, most: Int) throws -> [ItemKey] {
    var origins = Origins(db: db)
    var moved: [ItemKey] = []
    try db.scan(
      "SELECT collection, id, kind FROM changes WHERE clock = ? AND (kind = 'added' OR before IS NOT NULL)",
      [.integer(commit)],
      until: { row in
        let key = ItemKey(collection: try row.requiredText(0), id: try row.requiredText(1))
        guard schema.find(key.collection) != nil else { throw StoreError.broken(path: "", reason: "collection") }
        let isGone = try revision(of: key) == nil
        let wasRemoved = try row.requiredText(2) == Change.Kind.removed.rawValue
        guard isGone == wasRemoved, try origins.isAsAfter(commit, collection: key.collection, id: key.id) else {
          moved.append(key)
          return moved.count == most
        }
        return false
      })
    return moved
  }

  /// What stands in the way of an undo of commit `commit`, at most so many: the items that have changed since, and before
  /// them the one for which the undo was refused, where that is another.
  package func obstacles(
    toUndoing commit: Int64, refusedFor first: ItemKey?, most: Int
  ) throws -> [UndoObstacle] {
    var keys = try movedOn(since: commit, most: most)
    if let first, !keys.contains(first) { keys = [first] + keys.prefix(most - 1) }
    return try keys.map { key in
      let title = try schema.title(of: schema.collection(key.collection), id: key.id, in: snapshot).title
      return UndoObstacle(key: key, title: title, revision: try revision(of: key))
    }
  }

  /// The revision of an item, nil if it does not exist.
  package func revision(of key: ItemKey) throws -> Int64? {
    try db.first("SELECT revision FROM \(schema.collection(key.collection).table) WHERE id = ?", [.text(key.id)]) {
      $0.integer(0)
    }
  }
}

/// An item for which an undo was refused.
package struct UndoObstacle: Sendable {
  package var key: ItemKey
  /// What people call it, or the item of which it is a part; of one that is gone the last that is known.
  package var title: String?
  /// Nil for one that is gone.
  package var revision: Int64?
}
