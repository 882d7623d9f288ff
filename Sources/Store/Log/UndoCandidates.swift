import Wire

/// Selects the commit that `changes/undo {}` or `changes/redo {}` applies to.
extension Transaction {
  /// SQL condition that commit `c` was not undone.
  static let notUndone = "NOT EXISTS (SELECT 1 FROM commits u WHERE u.undoOf = c.clock AND NOT u.isVoid)"

  /// The newest commit that `changes/undo {}` undoes for this caller: of this connection, else of its client name.
  /// Commits that were already undone, and the undos themselves, are skipped.
  ///
  /// - Parameter isWanted: called with one commit after another, newest first, until it returns true.
  /// - Throws: `DatabaseError`, and whatever `isWanted` throws.
  package func newestUndoable(where isWanted: (Int64) throws -> Bool = { _ in true }) throws -> Int64? {
    try newest("c.undoable AND c.action IN ('write', 'redo') AND \(Self.notUndone)", where: isWanted)
  }

  /// The newest undo that was not redone, unless the caller has written since: a write clears the redo stack, even if
  /// it was undone itself.
  ///
  /// - Throws: `DatabaseError`, and whatever `isWanted` throws.
  package func newestRedoable(where isWanted: (Int64) throws -> Bool = { _ in true }) throws -> Int64? {
    let write = try newest("c.action = 'write' AND c.undoOf IS NULL AND c.undoable") { _ in true } ?? 0
    // An undo before that write ends the search, so another connection's older undo is not considered.
    let undo = try newest("c.undoable AND c.action = 'undo' AND \(Self.notUndone)") { try $0 < write || isWanted($0) }
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

  /// The first item that was changed after commit `commit`, so that the commit can only be undone by force; nil if
  /// there is none. Rarer obstacles, such as another item in the place of a removed one, are only detected by the undo
  /// itself.
  ///
  /// - Throws: `DatabaseError`.
  package func firstMovedOn(since commit: Int64) throws -> ItemKey? { try movedOn(since: commit, most: 1).first }

  /// The first item that was changed after commit `commit` or after a preceding commit of its chunked commit group, and
  /// the commit of the group that last changed the item; nil if there is none.
  ///
  /// An item that several commits of the group changed is inspected for the last of them only, and no commit is
  /// inspected after the one with which `most` items are reached. The undo detects the remaining obstacles.
  ///
  /// - Throws: `DatabaseError`.
  package func firstMovedOn(sinceGroupOf commit: Int64, most: Int) throws -> (commit: Int64, item: ItemKey)? {
    var next: Int64? = commit
    var inspected: Set<ItemKey> = []
    while let slice = next {
      if let item = try movedOn(since: slice, most: 1, besides: inspected).first { return (slice, item) }
      next = try self.slice(before: slice)
      guard next != nil else { return nil }
      try db.each("SELECT collection, id FROM changes WHERE clock = ?", [.integer(slice)]) {
        inspected.insert(ItemKey(collection: $0.text(0), id: $0.text(1)))
      }
      guard inspected.count < most else { return nil }
    }
    return nil
  }

  /// The items that have changed since commit `commit`, at most so many, without the items `others`.
  private func movedOn(since commit: Int64, most: Int, besides others: Set<ItemKey> = []) throws -> [ItemKey] {
    var origins = Origins(db: db)
    var moved: [ItemKey] = []
    try db.scan(
      "SELECT collection, id, kind FROM changes WHERE clock = ? AND (kind = 'added' OR before IS NOT NULL)",
      [.integer(commit)],
      until: { row in
        let key = ItemKey(collection: try row.requiredText(0), id: try row.requiredText(1))
        if others.contains(key) { return false }
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

  /// The obstacles to an undo of commit `commit`, at most so many: the items that have changed since, and before
  /// them the one for which the undo was refused, where that is another.
  ///
  /// - Throws: `StoreError.broken` for a change of an unknown collection, `DatabaseError`.
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

  /// The revision of an item; nil if it does not exist.
  ///
  /// - Throws: `DatabaseError`.
  package func revision(of key: ItemKey) throws -> Int64? {
    try db.first("SELECT revision FROM \(schema.collection(key.collection).table) WHERE id = ?", [.text(key.id)]) {
      $0.integer(0)
    }
  }
}

/// An item for which an undo was refused.
package struct UndoObstacle: Sendable {
  package var key: ItemKey
  /// The title of the item, or of the item that contains it; for a removed item its last title.
  package var title: String?
  /// Nil for one that is gone.
  package var revision: Int64?
}
