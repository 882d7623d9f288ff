import Kit
import Store
import Wire

/// An item that can be compared with files.
package protocol ExchangedItem: StoredItem {
  /// Whether it was imported from a file of another program.
  var isImported: Bool { get }
  /// The merge base as stored in its row: the file of ours that it was last imported from (`MergeBase`).
  var mergeBase: String? { get }
  static var mergeBaseColumn: String { get }
}

extension ExchangedItem {
  package var isImported: Bool { false }
  package var mergeBase: String? { nil }
  package static var mergeBaseColumn: String { "taken" }
}

extension ExchangedItem {
  /// The known states of the item, newest first, each with the commit that made it. For an item that was removed and
  /// restored the states before are included. With `taken`, the state at that import has the values of the file.
  ///
  /// - Throws: `StoreError.broken` for an invalid row, `DatabaseError`.
  package func states(in snapshot: Snapshot, after taken: MergeBase? = nil) throws -> [(clock: Int64, state: Self)] {
    var state = self
    // The current state is valid since the item's revision, even if the log does not go back so far.
    var states = [(clock: revision, state: self)]
    let versions = try ItemVersion.history(
      of: Self.collectionName, id: id, before: nil, limit: statesLimit, ofContent: true, in: snapshot)
    // For an item that changed in this very commit the log does not have the state before yet.
    for version in versions.first?.clock == revision ? versions : [] {
      if version.kind != .removed, version.clock < revision { states.append((version.clock, state)) }
      // Before its insertion there is nothing, or its removal, which has the whole state.
      if version.kind == .added { continue }
      guard case .object(let before)? = version.before else { break }
      try state.restore(before)
    }
    if let taken, let said = taken.said, let place = states.firstIndex(where: { $0.clock <= taken.clock }) {
      try states[place].state.restore(said)
    }
    return states
  }
}

/// The number of older states to compare files with.
private let statesLimit = 1_000
