import Contract
import Kit
import Store
import Wire

enum UndoChanges: LongWriteMethod {
  static let name = "changes/undo"
  static let summary =
    "Undoes this client's newest undoable commit, or the one given. If an item has changed since, the error is a "
    + "conflict, whose data list all such items as `conflicts` (`collection`, `id`, `title`, and `revision` unless it "
    + "is removed). The next undo without `clock` skips that `commit` and undoes the one in the error's `next`. With "
    + "`skip` this request does so itself."
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
      "clock": "The commit; one of a sync, too. Default: this connection's newest, else its client name's.",
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
  static let summary =
    "Deletes old versions permanently: of one item, or all before a moment. The devices that share the library do so too."
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
    if let id = params.id {
      guard let collection = params.collection else {
        throw RPCError.invalidParams(field: "collection", reason: Text("param.missing"))
      }
      try checkCollections([collection], field: "collection", in: transaction.services)
      let count = try transaction.forget(collection: collection, id: id.text)
      try transaction.noteForgotten(ItemKey(collection: collection, id: id.text), until: transaction.now)
      try transaction.forgetConflictsOfLostItems()
      return Result(forgotten: count)
    }
    guard let before = params.before else { return Result(forgotten: 0) }
    let count = try transaction.forget(before: before)
    try transaction.noteForgotten(nil, until: before)
    try transaction.forgetConflictsOfLostItems()
    return Result(forgotten: count)
  }
}
