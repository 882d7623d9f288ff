import Contract
import Kit
import Store
import Wire

/// The result of an undo.
struct UndoReport: Payload {
  var undone: Int64
  var label: String
  var items: [UndoneChange]
  var others: [CountedChange]?
  var total: Int
  var skipped: [Int64]?
  var nextUndo: UndoStep?
  var nextRedo: UndoStep?
  static let example = UndoReport(
    undone: 42, label: "documents/removeHighlight", items: [.example], others: nil, total: 1, skipped: nil,
    nextUndo: .example, nextRedo: UndoStep(clock: 44, label: "documents/removeHighlight", display: .example))
  static let fields = [
    "skipped": Self.skippedMeaning, "nextUndo": Self.nextUndoMeaning, "nextRedo": Self.nextRedoMeaning,
    "undone": "The commit that was undone.", "label": "The method that had made it.",
    "items": Self.itemsMeaning, "others": Self.othersMeaning, "total": "The number of items that the undo changed.",
  ]

  static let itemsMeaning =
    "The changes that this made, parent items first; at most 100. The posts of a source are in `others` only."
  static let skippedMeaning =
    "With `skip`: the commits that could not be undone and were skipped, newest first; absent if none."
  static let nextUndoMeaning = "The commit that the next `changes/undo` reverts; absent if none."
  static let nextRedoMeaning = "The commit that the next `changes/redo` restores; absent if none."
  static let othersMeaning = "Counts of further items changed in the same way; absent if `items` lists all."
}

/// The progress of undoing a chunked commit group: the requested commit, and the next slice.
struct UndoPosition {
  var asked: Int64
  var next: Int64
  /// The changes so far, the lowest ranks first.
  var listed: [(rank: Int, change: UndoneChange)] = []
  /// The number of changed items, including the listed ones.
  var counts: [UndoneCount] = []
  /// The commits that were skipped before it.
  var skipped: [Int64] = []

  var total: Int { counts.reduce(0) { $0 + $1.count } }

  /// Without items that are added and removed together with a listed one: when a source is restored, its posts are
  /// not listed.
  var items: [UndoneChange] {
    let holders = Set(listed.lazy.filter { $0.change.kind != .updated }.map(\.change.collection))
    let held = Set(counts.filter { $0.holder.map(holders.contains) == true }.map(\.collection))
    return listed.lazy.map(\.change).filter { !held.contains($0.collection) }
  }

  /// The changes that these do not list; nil if there are none.
  func others(than items: [UndoneChange], in transaction: Transaction) -> [CountedChange]? {
    let others = counts.compactMap { all -> CountedChange? in
      let listed = items.count { sameBytes($0.collection, all.collection) && $0.kind.rawValue == all.kind.rawValue }
      return listed < all.count ? CountedChange(all, besides: listed, in: transaction) : nil
    }
    return others.isEmpty ? nil : others
  }

  mutating func count(_ slice: [UndoneCount]) {
    for part in slice {
      let known = counts.firstIndex { sameBytes($0.collection, part.collection) && $0.kind == part.kind }
      if let known { counts[known].count += part.count } else { counts.append(part) }
    }
  }
}

extension Transaction {
  /// The commit with which a plain undo or redo begins. A commit that was refused before is skipped, unless it is the
  /// only one left or `force` is given, which restores just that commit.
  fileprivate func firstToUndo(
    force: Bool, newest: ((Int64) throws -> Bool) throws -> Int64?
  ) throws -> Int64? {
    if force { return try newest { _ in true } }
    let refused = RefusedUndos.known(to: services)
    return try newest { try !refused.contains($0, in: self) } ?? newest { _ in true }
  }

  /// A slice of a plain undo or redo. A conflict is remembered, and its error names the next commit.
  fileprivate func undoSlice(
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
  fileprivate func undoListingConflicts(_ position: inout UndoPosition, force: Bool) throws -> Bool {
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
  fileprivate func undoSkipping(
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
  fileprivate func nextSteps(after position: UndoPosition) throws -> (undo: UndoStep?, redo: UndoStep?) {
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
  fileprivate func undoSlice(_ position: inout UndoPosition, force: Bool) throws -> Bool {
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

enum UndoChanges: LongWriteMethod {
  static let name = "changes/undo"
  static let summary =
    "Undoes this client's newest undoable commit, or the one given. If an item has changed since, the error is a "
    + "conflict, whose data list all such items as `conflicts` (`collection`, `id`, `title`, and `revision` unless it "
    + "is removed). The next undo without `clock` skips that `commit` and undoes the one in the error's `next`. With "
    + "`skip` this request does so itself."
  static let since = 1
  static let effects: Effects = [.reads, .writes]
  /// It discards what others have written since.
  static let paramEffects: [String: Effects] = ["force": .destroys]
  static let errors: [ErrorKind] = [.nothingToUndo, .conflict, .notFound, .notAllowed]

  struct Params: Payload {
    var clock: Int64?
    var force: Bool?
    var skip: Bool?
    static let example = Params(clock: nil, force: nil, skip: nil)
    static let fields = [
      "clock": "The commit. Default: this connection's newest, else its client name's.",
      "force": "Restores even items that have changed since.",
      "skip":
        "`true`: skips the commits that cannot be undone, at most 100, and undoes the newest that can. Excludes "
        + "`clock` and `force`.",
    ]
    static let atMostOne = [["clock", "skip"], ["force", "skip"]]
  }
  typealias Result = UndoReport

  static func run(
    _ params: Params, from position: UndoPosition?, in transaction: Transaction
  ) throws -> Sliced<UndoPosition, UndoReport> {
    if position == nil, params.skip == true {
      let (position, isAll) = try transaction.undoSkipping(
        orElse: RPCError(.nothingToUndo), newest: transaction.newestUndoable)
      return isAll ? .done(try report(position, in: transaction)) : .more(position)
    }
    var position = try position ?? first(params, in: transaction)
    let force = params.force ?? false
    let isAll =
      try params.clock != nil
      ? transaction.undoListingConflicts(&position, force: force)
      : transaction.undoSlice(&position, force: force, orNaming: transaction.newestUndoable)
    return isAll ? .done(try report(position, in: transaction)) : .more(position)
  }

  private static func report(_ position: UndoPosition, in transaction: Transaction) throws -> UndoReport {
    let items = position.items
    let next = try transaction.nextSteps(after: position)
    return UndoReport(
      undone: position.asked, label: transaction.label, items: items,
      others: position.others(than: items, in: transaction), total: position.total,
      skipped: position.skipped.isEmpty ? nil : position.skipped, nextUndo: next.undo, nextRedo: next.redo)
  }

  private static func first(_ params: Params, in transaction: Transaction) throws -> UndoPosition {
    if let named = params.clock {
      try checkMayUndo(named, in: transaction)
      return UndoPosition(asked: named, next: named)
    }
    let newest = try transaction.firstToUndo(force: params.force ?? false, newest: transaction.newestUndoable)
    guard let newest else { throw RPCError(.nothingToUndo) }
    return UndoPosition(asked: newest, next: newest)
  }

  private static func checkMayUndo(_ clock: Int64, in transaction: Transaction) throws {
    let arguments = ["clock": String(clock)]
    guard let isOwn = try transaction.mayUndo(clock) else {
      throw RPCError(.notFound, text: Text("changes.noSuchCommit", arguments))
    }
    guard isOwn else { throw RPCError(.notAllowed, text: Text("changes.notYours", arguments)) }
    guard try transaction.isUndoable(clock) else {
      throw RPCError(.nothingToUndo, text: Text("changes.notUndoable", arguments))
    }
  }
}

enum RedoChanges: LongWriteMethod {
  static let name = "changes/redo"
  static let summary = "Redoes what this client's last undo reverted, unless the client has written since."
  static let since = 1
  static let effects: Effects = [.reads, .writes]
  /// It discards what others have written since.
  static let paramEffects: [String: Effects] = ["force": .destroys]
  static let errors: [ErrorKind] = [.nothingToUndo, .conflict]

  struct Params: Payload {
    var force: Bool?
    var skip: Bool?
    static let example = Params(force: nil, skip: nil)
    static let fields = [
      "force": "Restores even items that have changed since.",
      "skip": "`true`: skips the undos that cannot be redone, at most 100. Excludes `force`.",
    ]
    static let atMostOne = [["force", "skip"]]
  }
  struct Result: Payload {
    var redone: Int64
    var label: String
    var items: [UndoneChange]
    var others: [CountedChange]?
    var total: Int
    var skipped: [Int64]?
    var nextUndo: UndoStep?
    var nextRedo: UndoStep?
    static let example = Result(
      redone: 43, label: "documents/removeHighlight", items: [.example], others: nil, total: 1, skipped: nil,
      nextUndo: .example, nextRedo: nil)
    static let fields = [
      "redone": "The undo that was reverted.", "label": "The method that had made the change.",
      "items": UndoReport.itemsMeaning, "others": UndoReport.othersMeaning,
      "total": "The number of items that the undo changed.", "skipped": UndoReport.skippedMeaning,
      "nextUndo": UndoReport.nextUndoMeaning, "nextRedo": UndoReport.nextRedoMeaning,
    ]
  }

  static func run(
    _ params: Params, from position: UndoPosition?, in transaction: Transaction
  ) throws -> Sliced<UndoPosition, Result> {
    if position == nil, params.skip == true {
      let (position, isAll) = try transaction.undoSkipping(
        orElse: RPCError(.nothingToUndo, text: Text("error.nothingToRedo")), newest: transaction.newestRedoable)
      return isAll ? .done(try report(position, in: transaction)) : .more(position)
    }
    let force = params.force ?? false
    var position = try position ?? first(force: force, in: transaction)
    let isAll = try transaction.undoSlice(&position, force: force, orNaming: transaction.newestRedoable)
    return isAll ? .done(try report(position, in: transaction)) : .more(position)
  }

  private static func report(_ position: UndoPosition, in transaction: Transaction) throws -> Result {
    let items = position.items
    let next = try transaction.nextSteps(after: position)
    return Result(
      redone: position.asked, label: transaction.label, items: items,
      others: position.others(than: items, in: transaction), total: position.total,
      skipped: position.skipped.isEmpty ? nil : position.skipped, nextUndo: next.undo, nextRedo: next.redo)
  }

  private static func first(force: Bool, in transaction: Transaction) throws -> UndoPosition {
    guard let undo = try transaction.firstToUndo(force: force, newest: transaction.newestRedoable) else {
      throw RPCError(.nothingToUndo, text: Text("error.nothingToRedo"))
    }
    return UndoPosition(asked: undo, next: undo)
  }
}

enum ForgetChanges: WriteMethod {
  static let name = "changes/forget"
  static let summary = "Deletes old versions permanently: of one item, or all before a moment."
  static let since = 1
  static let effects: Effects = [.writes, .destroys]

  struct Params: Payload {
    var collection: String?
    var id: ItemID?
    var before: Instant?
    static let example = Params(collection: "documents", id: "0192", before: nil)
    static let fields = [
      "collection": "With `id`: the item's collection.",
      "id":
        "The item whose old versions are deleted; for a removed item also those of its parts, such as a document's "
        + "marks.",
      "before": "Deletes all versions that were replaced before this moment.",
    ]
    static let exactlyOne = [["id", "before"]]
  }

  struct Result: Payload {
    var forgotten: Int
    static let example = Result(forgotten: 3)
    static let fields = ["forgotten": "The number of versions deleted."]
  }

  static func run(_ params: Params, in transaction: Transaction) throws -> Result {
    transaction.keepSilent()
    if let id = params.id {
      guard let collection = params.collection else {
        throw RPCError.invalidParams(field: "collection", reason: Text("param.missing"))
      }
      try checkCollections([collection], field: "collection", in: transaction.services)
      let count = try transaction.forget(collection: collection, id: id.text)
      try transaction.forgetConflictsOfLostItems()
      return Result(forgotten: count)
    }
    guard let before = params.before else { return Result(forgotten: 0) }
    let count = try transaction.forget(before: before)
    try transaction.forgetConflictsOfLostItems()
    return Result(forgotten: count)
  }
}
