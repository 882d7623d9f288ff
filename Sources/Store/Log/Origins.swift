import SQLite

/// Determines which commit's state an item shows, so that an undo does not mistake earlier undos of the same item for
/// another client's change.
///
/// A commit's *origin* with regard to an item is the commit whose state the item shows after it. A write is its own
/// origin. After an undo or a redo of commit C the item shows the state before C, unless another change was made in
/// between and the undo was forced.
///
///     clock     1 add    2 edit   3 edit   4 undo 3   5 undo 2
///     origin    1        2        3        2          1           so 2 can be undone although the revision says 4
struct Origins {
  let db: Database
  private var known: [ItemKey: [Int64: Int64]] = [:]

  private static let undone = CachedStatement("SELECT undoOf FROM commits WHERE clock = ?")
  private static let newest = CachedStatement(
    """
    SELECT max(clock) FROM changes
    WHERE collection = ? AND id = ? AND clock < ? AND (revision = clock OR kind = 'removed')
    """)

  init(db: Database) {
    self.db = db
  }

  /// Whether the item has the state that it had right after that commit.
  ///
  /// - Throws: `DatabaseError`.
  mutating func isAsAfter(_ commit: Int64, collection: String, id: String) throws -> Bool {
    let key = ItemKey(collection: collection, id: id)
    guard let newest = try newestChange(of: key, before: .max) else { return false }
    return try origin(of: newest, key) == origin(of: commit, key)
  }

  private mutating func origin(of clock: Int64, _ key: ItemKey) throws -> Int64 {
    if let origin = known[key]?[clock] { return origin }
    let origin = try computeOrigin(of: clock, key)
    known[key, default: [:]][clock] = origin
    return origin
  }

  /// Returns 0 for the time before the item existed.
  private mutating func computeOrigin(of clock: Int64, _ key: ItemKey) throws -> Int64 {
    let undone = try db.first(Self.undone, { $0.add(clock) }, { $0.optionalInteger(0) })
    guard case let undone?? = undone else { return clock }
    // Forced over another client's change: a state of its own.
    guard let foregoing = try newestChange(of: key, before: clock),
      try origin(of: foregoing, key) == origin(of: undone, key)
    else { return clock }
    guard let earlier = try newestChange(of: key, before: undone) else { return 0 }
    return try origin(of: earlier, key)
  }

  /// Changes without a revision, such as a reading position, do not count.
  private func newestChange(of key: ItemKey, before clock: Int64) throws -> Int64? {
    try db.first(
      Self.newest,
      {
        $0.add(key.collection)
        $0.add(key.id)
        $0.add(clock)
      }, { $0.optionalInteger(0) }
    ).flatMap(\.self)
  }
}
