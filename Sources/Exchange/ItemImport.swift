import Contract
import Display
import Kit
import Store

/// The progress of an import, and its results so far.
package struct ItemImport<Item: ExchangedItem>: Sendable {
  /// The index of the next item of the file.
  package var index = 0
  package var counts = ImportCounts()
  /// The items with a field of which two versions are stored.
  private var disputed: Set<String> = []

  package init(index: Int = 0, counts: ImportCounts = ImportCounts()) {
    self.index = index
    self.counts = counts
  }

  /// Loads the existing conflicts. Call it when the import begins or resumes: other clients may have written in
  /// between.
  ///
  /// - Throws: `DatabaseError`.
  package mutating func resume(in snapshot: Snapshot) throws {
    disputed = []
    try snapshot.db.each(
      "SELECT item FROM conflict WHERE collection = ?", [.text(Item.collectionName)]
    ) { disputed.insert($0.text(0)) }
  }

  /// Counts an added item, with a note if it was removed here before.
  ///
  /// - Throws: `StoreError.broken` or `DatabaseError`.
  package mutating func countAdded(
    _ id: String, at place: ImportNote.Place, title: String, in snapshot: Snapshot
  ) throws {
    counts.added += 1
    guard let removed = try RemovedItem(Item.self, id: id, in: snapshot) else { return }
    counts.notes.append(removed.note(at: place, title: title, zone: snapshot.reader.zone))
  }

  /// Counts an existing item, with a note on the fields that both sides changed.
  package mutating func count(_ decision: ImportDecision<Item>, at place: ImportNote.Place, title: String) {
    if decision.isUpdate { counts.updated += 1 } else { counts.known += 1 }
    if decision.merge.conflicts.isEmpty { return }
    counts.conflicts += 1
    counts.notes.append(.conflict(in: decision.merge.conflicts, at: place, title: title))
  }

  /// Stores the file's version of conflicting fields. Call it after the item is written.
  ///
  /// - Parameters:
  ///   - revision: the revision of ours that the file states.
  ///   - source: the name of the file in conflicts.
  ///   - theirs: the item as in the file.
  /// - Throws: `DatabaseError`, and whatever `theirs` throws.
  package mutating func storeConflicts(
    of decision: ImportDecision<Item>, at revision: FileRevision?, from source: String,
    in transaction: Transaction, _ theirs: () throws -> Item
  ) throws {
    let conflicts = decision.merge.conflicts
    switch decision.effect {
    case .nothing: return
    case .storeSource where conflicts.isEmpty: return
    // A file with the item's current revision resolves no conflict.
    case .noteFile where conflicts.isEmpty && revision?.isPresent(of: decision.item, in: transaction.snapshot) == true:
      return
    default: try storeConflicts(conflicts, of: decision.item.id, from: source, in: transaction, theirs)
    }
  }

  /// The same for an added item: its id may have been in use before.
  ///
  /// - Throws: `DatabaseError`, and whatever `theirs` throws.
  package mutating func storeConflicts(
    _ conflicts: [String] = [], of id: String, from source: String, in transaction: Transaction,
    _ theirs: () throws -> Item
  ) throws {
    // Most items have no conflicts, and cost no query.
    if conflicts.isEmpty, !disputed.contains(id) { return }
    if !conflicts.isEmpty { disputed.insert(id) }
    try transaction.keepConflicts(in: conflicts, of: theirs(), from: source)
  }
}

extension Transaction {
  /// Stores the merge base of an item. The item does not change by that, and gets no new revision.
  ///
  /// - Throws: `StoreError.broken` for an invalid merge base, `DatabaseError`.
  package func noteFile<Item: ExchangedItem>(
    of decision: ImportDecision<Item>, at revision: FileRevision?, from path: String?
  ) throws {
    let (item, merge) = (decision.item, decision.merge)
    let isLevel = merge.conflicts.isEmpty
    let taken = try MergeBase(
      revision, from: path, at: item.revision, said: merge.theirValues, after: item.mergeBase, isLevel: isLevel,
      isDisputed: !isLevel)
    guard let taken, try taken.isNews(after: item.mergeBase, in: snapshot) else { return }
    keepSilent()
    try db.run(
      "UPDATE \(Item.tableName) SET \(Item.mergeBaseColumn) = ? WHERE id = ?", [.text(taken.stored), .text(item.id)])
  }
}

extension MergeBase {
  /// The merge base of an item that an import adds or changes.
  ///
  /// - Parameter merge: the merge of item and file; nil for an added item.
  /// - Throws: `StoreError.broken` if `last` is invalid.
  package init?<Item: StoredItem>(
    _ revision: FileRevision?, from path: String?, at clock: Int64, after last: String?, by merge: ItemMerge<Item>?
  ) throws {
    try self.init(
      revision, from: path, at: clock, said: merge?.theirValues ?? [:], after: last,
      isDisputed: !(merge?.conflicts.isEmpty ?? true))
  }
}
