import Store
import Wire

/// An item that files are compared with.
protocol ExchangedItem: StoredItem {
  /// Puts back what a column had; those that no file has stay as they are.
  mutating func takeBack(_ column: String, _ value: JSONValue)
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
      for member in before.members { state.takeBack(member.key, member.value) }
    }
    if let taken, let said = taken.said, let place = states.firstIndex(where: { $0.clock <= taken.clock }) {
      for member in said.members { states[place].state.takeBack(member.key, member.value) }
    }
    return states
  }
}

extension StoredItem {
  /// The items that a commit added or changed, as they are now; without those that are gone. Of a commit with very many
  /// some are looked at.
  static func changed(at clock: Int64, in snapshot: Snapshot) throws -> [Self] {
    var ids: [String] = []
    try snapshot.db.each(
      """
      SELECT id FROM changes WHERE clock = ? AND collection = ? UNION SELECT id FROM \(tableName) WHERE revision = ?
      LIMIT 1000
      """, [.integer(clock), .text(collectionName), .integer(clock)]
    ) { ids.append($0.text(0)) }
    return try ids.compactMap { try snapshot.find(Self.self, id: $0) }
  }
}

/// Farther back nobody's file is compared.
private let statesLimit = 1_000
