import Contract
import Kit
import Store
import Wire

/// The slices of undos and redos.
extension Transaction {
  /// The commit with which a plain undo or redo begins. A commit that was refused before is skipped, unless it is the
  /// only one left or `force` is given, which restores just that commit.
  func firstToUndo(
    force: Bool, newest: ((Int64) throws -> Bool) throws -> Int64?
  ) throws -> Int64? {
    if force { return try newest { _ in true } }
    let refused = RefusedUndos.known(to: services)
    return try newest { try !refused.contains($0, in: self) } ?? newest { _ in true }
  }

  /// A slice of a plain undo or redo. A conflict is remembered, and its error names the next commit.
  func undoSlice(
    _ position: inout UndoPosition, force: Bool, orNaming newest: ((Int64) throws -> Bool) throws -> Int64?
  ) throws -> Bool {
    do {
      return try undoListingConflicts(&position, force: force)
    } catch let error as RPCError where error.kind == .conflict {
      throw try RefusedUndos.known(to: services).refuse(position.asked, with: error, in: self, newest: newest)
    }
  }

  /// The most conflicts listed for a refused undo.
  private static var mostConflicts: Int { 100 }
  /// The most commits skipped by one request.
  private static var mostSkipped: Int { 100 }
  /// The most undos that one request tries and rolls back.
  private static var mostAttempts: Int { 8 }
  /// About the most items of a chunked commit group that are inspected before its undo.
  private static var mostInspectedItems: Int { 20_000 }

  /// A slice. A conflict's error has the `commit` and all the items that prevent it.
  func undoListingConflicts(_ position: inout UndoPosition, force: Bool) throws -> Bool {
    let before = position
    do {
      return try attempt { try undoSlice(&position, force: force) }
    } catch var error as RPCError where error.kind == .conflict {
      position = before
      let key = error.data["collection"]?.stringValue.flatMap { collection in
        error.data["id"]?.stringValue.map { ItemKey(collection: collection, id: $0) }
      }
      let obstacles = try obstacles(toUndoing: position.next, refusedFor: key, most: Self.mostConflicts)
      error.data["commit"] = .integer(position.asked)
      error.data["conflicts"] = .array(
        obstacles.map { obstacle in
          var conflict: JSONObject = [
            "collection": .string(obstacle.key.collection), "id": .string(obstacle.key.id),
          ]
          if let title = obstacle.title { conflict["title"] = .string(title) }
          if let revision = obstacle.revision { conflict["revision"] = .integer(revision) }
          return .object(conflict)
        })
      throw error
    }
  }

  /// The first slice of the newest commit that can be undone, or redone.
  ///
  /// A commit that was refused before is skipped without being inspected, so that the next request continues where the
  /// bounds ended this one. Most conflicts are found without an undo, which would have to be rolled back.
  ///
  /// - Throws: the first conflict, if every commit has one.
  func undoSkipping(
    orElse nothing: RPCError, newest: ((Int64) throws -> Bool) throws -> Int64?
  ) throws -> (position: UndoPosition, isAll: Bool) {
    let refused = RefusedUndos.known(to: services)
    var skipped: [Int64] = []
    var known: Set<Int64> = []
    var (inspected, attempts) = (0, 0)
    var moved: UndoPosition?
    var refusal: RPCError?
    var undone: (position: UndoPosition, isAll: Bool)?
    _ = try newest { commit in
      // The newest commits of the connection are those of the client name, too.
      guard known.insert(commit).inserted else { return false }
      guard try !refused.contains(commit, in: self) else {
        skipped.append(commit)
        return false
      }
      guard inspected < Self.mostSkipped, attempts < Self.mostAttempts else { return true }
      inspected += 1
      if let obstacle = try firstMovedOn(sinceGroupOf: commit, most: Self.mostInspectedItems) {
        refused.remember(commit, obstacle.item, at: try revision(of: obstacle.item), self)
        if moved == nil, refusal == nil { moved = UndoPosition(asked: commit, next: obstacle.commit) }
        skipped.append(commit)
        return false
      }
      attempts += 1
      var position = UndoPosition(asked: commit, next: commit)
      position.skipped = skipped
      do {
        let isAll = try undoListingConflicts(&position, force: false)
        undone = (position, isAll)
        return true
      } catch let error as RPCError where error.kind == .conflict {
        try refused.remember(commit, refusedWith: error, in: self)
        if moved == nil, refusal == nil { refusal = error }
        skipped.append(commit)
        return false
      }
    }
    if let undone { return undone }
    if let refusal { throw refusal }
    // If all of them were refused before, the newest one's conflict is the reason.
    if moved == nil, let newest = skipped.first {
      let obstacle = try firstMovedOn(sinceGroupOf: newest, most: Self.mostInspectedItems)
      moved = UndoPosition(asked: newest, next: obstacle?.commit ?? newest)
    }
    guard var position = moved else { throw nothing }
    let isOfGroup = position.next != position.asked
    let isAll = try undoListingConflicts(&position, force: false)
    // The conflict is thrown above: a group is never undone from its middle.
    if isOfGroup { throw nothing }
    return (position, isAll)
  }

  /// The steps that follow this undo or redo, which is in no log yet.
  func nextSteps(after position: UndoPosition) throws -> (undo: UndoStep?, redo: UndoStep?) {
    let isDone = position.total > 0
    let refused = RefusedUndos.known(to: services)
    func isNext(_ other: Int64) throws -> Bool {
      try other != position.asked && !position.skipped.contains(other) && !refused.contains(other, in: self)
    }
    // This commit is the first that is reverted again.
    let own = isDone ? UndoStep(clock: clock, label: label, title: position.items.first?.display.title) : nil
    let isRedo = action == .redo
    let undo = try isRedo && own != nil ? nil : newestUndoable(where: isNext).map { try UndoStep(of: $0, in: self) }
    let redo = try !isRedo && own != nil ? nil : newestRedoable(where: isNext).map { try UndoStep(of: $0, in: self) }
    return (undo ?? (isRedo ? own : nil), redo ?? (isRedo ? nil : own))
  }

  /// Undoes a commit, or the next slice of its chunked commit group. Returns whether that was the last.
  func undoSlice(_ position: inout UndoPosition, force: Bool) throws -> Bool {
    let last = position.listed.count < UndoneChange.most ? nil : position.listed.last?.rank
    let slice = try undo(position.next, force: force, telling: UndoneChange.most, below: last ?? .max)
    for item in slice.items {
      let place = position.listed.firstIndex { $0.rank > item.rank } ?? position.listed.endIndex
      position.listed.insert((item.rank, UndoneChange(item, in: self)), at: place)
    }
    position.listed.removeLast(max(0, position.listed.count - UndoneChange.most))
    position.count(slice.counts)
    guard let next = slice.next else { return true }
    position.next = next
    return false
  }
}
