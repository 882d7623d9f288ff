import Kit
import Store
import Wire

/// An item that files are compared with.
package protocol ExchangedItem: StoredItem {
  /// Whether it came from a file of another program.
  var isImported: Bool { get }
  /// The file of ours that it was last imported from, as its row has it (`MergeBase`).
  var taken: String? { get }
  static var takenColumn: String { get }
}

extension ExchangedItem {
  package var isImported: Bool { false }
  package var taken: String? { nil }
  package static var takenColumn: String { "taken" }
}

extension ExchangedItem {
  /// What it said, as far as the library still knows it, the newest first, each with the commit that made it so. An item
  /// that was removed and came again goes on where it was. Of the state in which it took a file over, what that said.
  package func states(in snapshot: Snapshot, after taken: MergeBase? = nil) throws -> [(clock: Int64, state: Self)] {
    var state = self
    // What it says now it has said since its revision, also where the log does not go back so far.
    var states = [(clock: revision, state: self)]
    let versions = try ItemVersion.history(
      of: Self.collectionName, id: id, before: nil, limit: statesLimit, ofContent: true, in: snapshot)
    // Of one that has changed in this very commit the log does not know yet what it said before.
    for version in versions.first?.clock == revision ? versions : [] {
      if version.kind != .removed, version.clock < revision { states.append((version.clock, state)) }
      // Before it came there is nothing, or its removal, which has all of it.
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

/// Farther back nobody's file is compared.
private let statesLimit = 1_000
