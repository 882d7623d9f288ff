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
