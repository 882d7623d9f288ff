import Contract
import Kit
import SQLite
import Store
import Wire

extension SharingTransaction {
  /// The condition of the commits `c` that show what was received, in SQL.
  private static let isReceived = "c.connection = '' AND c.label = '\(label)'"

  /// Removes the old versions of items from their states.
  ///
  /// - Parameter end: when it ends, after one item at least.
  /// - Returns: how many items it has done.
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  mutating func forget(
    _ keys: some Collection<ItemKey>, until: Int64?, before end: SliceEnd
  ) throws -> Int {
    var count = 0
    for key in keys {
      if count > 0, end.isReached { break }
      count += 1
      guard let collection = collections[key.collection], var state = try states.stored(key) else { continue }
      state.forget(until: until, collection.synced, as: stored.ledger.writer)
      try states.write(state, of: key)
    }
    return count
  }

  /// Writes for the other devices what was forgotten here.
  ///
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  mutating func note(_ forgotten: ForgottenVersions) throws {
    let now = transaction.now.milliseconds
    let key = ForgottenItems.key(of: forgotten.item.map { ItemKey(ByteKey($0.collection), ByteKey($0.id)) })
    var state = try states.stored(key) ?? ItemState()
    // This device's clock may have been ahead.
    state.forget(until: min(forgotten.until, now), at: now, as: stored.ledger.writer)
    try states.write(state, of: key)
    stored.ledger.noteForgotten(at: now)
    try forgotten.remove(from: transaction.db)
  }

  /// Forgets here what was forgotten on other devices. To be called when received items are shown, so that it also
  /// forgets what these replace.
  ///
  /// What the others forgot in all items before this library was shared concerns their versions and none of this one's.
  /// Their clocks may be ahead: what is received before this library has written its first file is of that time.
  ///
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  mutating func forget(_ received: Set<ItemKey>) throws {
    let now = transaction.now.milliseconds
    guard try !states.keys(of: ForgottenItems.collection, limit: 1).isEmpty else { return }
    var hasForgotten = false
    var items: [(collection: String, id: String, until: Instant)] = []
    for key in received.sorted() {
      let isForgotten = key.collection == ForgottenItems.collection
      let stated = isForgotten ? key : ForgottenItems.key(of: key)
      let isAll = ForgottenItems.isAll(stated)
      guard var state = try states.stored(stated) else { continue }
      if isAll, stored.isUnknown { stored.earlierMoments.formUnion((state.latest[ForgottenItems.until] ?? [:]).keys) }
      let moment =
        isAll
        ? ForgottenItems.until(state, after: stored.sharedAt, except: stored.earlierMoments)
        : ForgottenItems.until(state)
      guard let milliseconds = moment else { continue }
      // The other clock may be ahead. It must not be in force until that moment has come.
      if ForgottenItems.isFarAhead(state, of: now) {
        state.forget(until: now, at: now, as: stored.ledger.writer)
        try states.write(state, of: stated)
      }
      let until = Instant(milliseconds: min(milliseconds, now))
      hasForgotten = true
      if isForgotten, isAll {
        _ = try transaction.forget(before: until)
      } else if let item = isForgotten ? ForgottenItems.item(of: key) : key, collections[item.collection] != nil {
        items.append((item.collection.text, item.id.text, until))
      }
    }
    if !items.isEmpty { try transaction.forget(items, isReceived: Self.isReceived) }
    if hasForgotten { try transaction.forgetConflictsOfLostItems() }
  }
}

extension SharedLibrary {
  /// Removes what was forgotten here from the states, after all changes were absorbed: a removal that is not absorbed
  /// yet has its item's last values in the log alone.
  func forgetStates() async throws {
    let pending = try await services.library.read(as: caller) { [collections] snapshot in
      let states = LibraryStates(snapshot.db, collections.schema)
      return try ForgottenVersions.pending(in: snapshot.db).map { forgotten in
        let item = forgotten.item.map { ItemKey(ByteKey($0.collection), ByteKey($0.id)) }
        let keys = try item.map { [$0] + (try states.parts(of: $0)) } ?? states.keys(after: nil)
        try states.requireWhole()
        return (forgotten, keys)
      }
    }
    for (forgotten, keys) in pending {
      try await inSlices(of: keys) { sharing, keys, end in
        guard try sharing.absorb() else { return 0 }
        return try sharing.forget(keys, until: forgotten.item == nil ? forgotten.until : nil, before: end)
      }
      try await transact { try $0.note(forgotten) }
    }
  }
}
