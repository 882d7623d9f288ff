import Store
import Wire

/// An item that files are compared with.
protocol ExchangedItem: StoredItem {
  /// Whether it came from a file of another program.
  var isImported: Bool { get }
}

extension ExchangedItem {
  /// What it said, as far as the library still knows it, the newest first, each with the commit that made it so. An item
  /// that was removed and came again goes on where it was. Of the state in which it took a file over, what that said.
  func states(in snapshot: Snapshot, after taken: TakenFile? = nil) throws -> [(clock: Int64, state: Self)] {
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

/// The items that commits added or changed, by what they are looked for with: found out once for each commit.
struct ChangedItems<Item: ExchangedItem>: Sendable {
  private var ids: [Int64: [String: [String]]] = [:]

  /// The ids of those that have a key.
  ///
  /// - Parameter keyOf: the key of the item of an id; nil where it is not looked for, as one that is gone.
  mutating func ids(
    changedAt clock: Int64, key: String, in snapshot: Snapshot, keyOf: (String) throws -> String?
  ) throws -> [String] {
    if let known = ids[clock] { return known[key] ?? [] }
    var found: [String] = []
    try snapshot.db.each(
      """
      SELECT id FROM changes WHERE clock = ? AND collection = ? UNION SELECT id FROM \(Item.tableName) WHERE revision = ?
      """, [.integer(clock), .text(Item.collectionName), .integer(clock)]
    ) { found.append($0.text(0)) }
    var byKey: [String: [String]] = [:]
    for id in found { if let key = try keyOf(id) { byKey[key, default: []].append(id) } }
    ids[clock] = byKey
    return byKey[key] ?? []
  }
}

extension ExchangedItem {
  /// What it said as of a commit that changed it; nil where it was not that one.
  func state(at clock: Int64, in snapshot: Snapshot) throws -> Self? {
    try states(in: snapshot).first { $0.clock == clock }?.state
  }
}

/// Farther back nobody's file is compared.
private let statesLimit = 1_000
