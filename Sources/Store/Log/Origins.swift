import SQLite

/// Whose work an item shows: undo after undo, of the same item too, must not take its own traces for somebody's change.
///
/// A commit's *origin* with regard to an item is the commit whose state the item shows after it. A write is its own
/// origin. After an undo or a redo of commit C the item shows what it showed before C, unless something else had come
/// between and the undo was forced.
///
///     clock     1 add    2 edit   3 edit   4 undo 3   5 undo 2
///     origin    1        2        3        2          1           so 2 can be undone although the revision says 4
struct Origins {
  let db: Database
  private var known: [ItemKey: [Int64: Int64]] = [:]

  private static let undone = KeptStatement("SELECT undoOf FROM commits WHERE clock = ?")
  private static let newest = KeptStatement(
    """
    SELECT max(clock) FROM changes
    WHERE collection = ? AND id = ? AND clock < ? AND (revision = clock OR kind = 'removed')
    """)

  init(db: Database) {
    self.db = db
  }

  /// Whether the item is as it was right after that commit.
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

  /// 0 stands for the time before the item was there.
  private mutating func computeOrigin(of clock: Int64, _ key: ItemKey) throws -> Int64 {
    let undone = try db.first(Self.undone, { $0.add(clock) }, { $0.optionalInteger(0) })
    guard case let undone?? = undone else { return clock }
    // Forced over what somebody else had done: a state of its own.
    guard let foregoing = try newestChange(of: key, before: clock),
      try origin(of: foregoing, key) == origin(of: undone, key)
    else { return clock }
    guard let earlier = try newestChange(of: key, before: undone) else { return 0 }
    return try origin(of: earlier, key)
  }

  /// Changes that were only told of, such as a reading position, made no revision and do not count.
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
