import Contract
import Display
import Kit
import Store

/// How far an import has come, and what became of the items until there.
package struct ItemImport<Item: ExchangedItem>: Sendable {
  /// Which item of the file is next.
  package var index = 0
  package var counts = ImportCounts()
  /// The items with a field of which two versions are stored.
  private var disputed: Set<String> = []

  package init(index: Int = 0, counts: ImportCounts = ImportCounts()) {
    self.index = index
    self.counts = counts
  }

  /// Call it when the import begins and whenever it goes on: other clients may have written in between.
  package mutating func resume(in snapshot: Snapshot) throws {
    disputed = []
    try snapshot.db.each(
      "SELECT item FROM conflict WHERE collection = ?", [.text(Item.collectionName)]
    ) { disputed.insert($0.text(0)) }
  }

  /// Counts an item that is added, and notes when it was removed here.
  package mutating func countAdded(
    _ id: String, at place: ImportNote.Place, title: String, in snapshot: Snapshot
  ) throws {
    counts.added += 1
    guard let removed = try RemovedItem(Item.self, id: id, in: snapshot) else { return }
    counts.notes.append(removed.note(at: place, title: title, zone: snapshot.reader.zone))
  }

  /// Counts what becomes of an item that is there, and notes the fields that both sides changed.
  package mutating func count(_ decision: ImportDecision<Item>, at place: ImportNote.Place, title: String) {
    if decision.isUpdate { counts.updated += 1 } else { counts.known += 1 }
    if decision.merge.conflicts.isEmpty { return }
    counts.conflicts += 1
    counts.notes.append(.conflict(in: decision.merge.conflicts, at: place, title: title))
  }

  /// Stores the file's version of the fields of which there are two. Call it after the item is written.
  ///
  /// - Parameters:
  ///   - revision: of which revision of ours the file is.
  ///   - source: what conflicts call the file.
  ///   - theirs: the item as the file has it.
  package mutating func storeConflicts(
    of decision: ImportDecision<Item>, at revision: FileRevision?, from source: String,
    in transaction: Transaction, _ theirs: () throws -> Item
  ) throws {
    let conflicts = decision.merge.conflicts
    switch decision.effect {
    case .nothing: return
    case .storeSource where conflicts.isEmpty: return
    // A file that was written of the item as it is now settles no conflict.
    case .noteFile where conflicts.isEmpty && revision?.isPresent(of: decision.item, in: transaction.snapshot) == true:
      return
    default: try storeConflicts(conflicts, of: decision.item.id, from: source, in: transaction, theirs)
    }
  }

  /// The same of an item that was added: one of its id may have been here.
  package mutating func storeConflicts(
    _ conflicts: [String] = [], of id: String, from source: String, in transaction: Transaction,
    _ theirs: () throws -> Item
  ) throws {
    // Most items have none, and cost no query.
    if conflicts.isEmpty, !disputed.contains(id) { return }
    if !conflicts.isEmpty { disputed.insert(id) }
    try transaction.keepConflicts(in: conflicts, of: theirs(), from: source)
  }
}

extension Transaction {
  /// Notes that an item was imported from a file of ours. The item does not change by that, and has no new revision.
  package func noteFile<Item: ExchangedItem>(
    of decision: ImportDecision<Item>, at revision: FileRevision?, from path: String?
  ) throws {
    let (item, merge) = (decision.item, decision.merge)
    let isLevel = merge.conflicts.isEmpty
    let taken = try MergeBase(
      revision, from: path, at: item.revision, said: merge.theirValues, after: item.taken, isLevel: isLevel,
      isDisputed: !isLevel)
    guard let taken, try taken.isNews(after: item.taken, in: snapshot) else { return }
    keepSilent()
    try db.run(
      "UPDATE \(Item.tableName) SET \(Item.takenColumn) = ? WHERE id = ?", [.text(taken.stored), .text(item.id)])
  }
}

extension MergeBase {
  /// What an item notes that a file of ours brings, or changes.
  ///
  /// - Parameter merge: what the two became together; nil of an item that was added.
  package init?<Item: StoredItem>(
    _ revision: FileRevision?, from path: String?, at clock: Int64, after last: String?, by merge: ItemMerge<Item>?
  ) throws {
    try self.init(
      revision, from: path, at: clock, said: merge?.theirValues ?? [:], after: last,
      isDisputed: !(merge?.conflicts.isEmpty ?? true))
  }
}
