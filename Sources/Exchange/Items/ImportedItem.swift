import Contract
import Kit
import Store
import Wire

/// An item of a file, in the form of the params of an `add`.
package struct ImportedItem: Sendable {
  package var id: String
  package var given: JSONObject
  /// The revision of the item that its file states, if any.
  package var revision: FileRevision?
  package var place: ImportNote.Place
  package var title: String

  package init(id: String, given: JSONObject, revision: FileRevision?, place: ImportNote.Place, title: String) {
    (self.id, self.given, self.revision, self.place, self.title) = (id, given, revision, place, title)
  }
}

extension ItemImport {
  /// Adds an item of a file, or merges it field by field with the existing one. A value that no client could set is
  /// noted, and its item skipped.
  ///
  /// - Parameter path: the absolute path of the file; nil for bytes.
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  package mutating func take(
    _ imported: ImportedItem, from path: String?, isDryRun: Bool, in transaction: Transaction
  ) throws {
    let (snapshot, source) = (transaction.snapshot, path ?? "data")
    let known = try snapshot.find(Item.self, id: imported.id)
    var theirs = known ?? Item()
    theirs.id = imported.id
    do {
      let given = known == nil ? JSONObject(imported.given.members.filter { !$0.value.isNull }) : imported.given
      try theirs.set(given, in: snapshot)
      try theirs.check()
    } catch let refusal as RPCError {
      counts.notes.append(.refused(refusal, at: imported.place, title: imported.title))
      return
    }
    guard let known else {
      try countAdded(imported.id, at: imported.place, title: imported.title, in: snapshot)
      if isDryRun { return }
      try theirs.note(imported.revision, from: path, in: transaction)
      try transaction.insert(theirs)
      return try storeConflicts(of: imported.id, from: source, in: transaction) { theirs }
    }
    let decision = try Self.decision(theirs, on: known, imported.revision, from: path, in: snapshot)
    do {
      // The changes of both sides together may be invalid.
      try decision.merge.merged.check()
    } catch let refusal as RPCError {
      counts.notes.append(.refused(refusal, at: imported.place, title: imported.title))
      return
    }
    count(decision, at: imported.place, title: imported.title)
    if isDryRun { return }
    switch decision.effect {
    case .nothing, .storeSource: break
    case .noteFile where Item.fields[Item.mergeBaseColumn] == nil: break
    case .noteFile: try transaction.noteFile(of: decision, at: imported.revision, from: path)
    case .update:
      try transaction.change(known) {
        $0 = decision.merge.merged
        try $0.note(imported.revision, from: path, of: decision.merge, in: transaction)
      }
    }
    try storeConflicts(of: decision, at: imported.revision, from: source, in: transaction) { theirs }
  }

  private static func decision(
    _ theirs: Item, on ours: Item, _ revision: FileRevision?, from path: String?, in snapshot: Snapshot
  ) throws -> ImportDecision<Item> {
    let fields = Item.fields
    let comparison = try ours.comparison(
      of: revision, after: ours.mergeBase, isSame: { $0.isFile(at: path) }, in: snapshot,
      says: { state in try fields.followed.allSatisfy { try fields.isAlike($0, state, theirs) } })
    switch comparison {
    case .known: return ImportDecision(.nothing, of: ours)
    case .edited(let base, let later, let isFormerState):
      let merge = try ItemMerge(fields, base: base, ours: ours, theirs: theirs, later: later)
      return isFormerState && !merge.conflicts.isEmpty
        ? ImportDecision(.nothing, of: ours) : ImportDecision(merge, of: ours)
    case .unknown(let states):
      return ImportDecision(try ItemMerge(fields, base: nil, ours: ours, theirs: theirs, later: states), of: ours)
    }
  }
}

extension ExchangedItem {
  /// Stores the merge base, if the collection has a column for it: an edit of that file is an edit of the item's
  /// current state.
  fileprivate mutating func note(
    _ revision: FileRevision?, from path: String?, of merge: ItemMerge<Self>? = nil, in transaction: Transaction
  ) throws {
    let taken = try MergeBase(
      revision, from: path, at: transaction.clock, after: mergeBase, by: merge)
    if let taken { try restore([Self.mergeBaseColumn: .string(taken.stored)]) }
  }
}
