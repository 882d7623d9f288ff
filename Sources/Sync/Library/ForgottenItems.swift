import Contract
import Kit
import SQLite
import Store
import Wire

/// Old versions that a person has forgotten, on all devices.
///
/// The device on which they were forgotten writes the item's state without them (`ItemState.forget`), and beside it a
/// state of the collection `forgotten`, whose only field is the moment up to which versions were forgotten:
///
///     {"c":"forgotten","i":"projects/0192…","f":{"until":[[0,41,1790000000000,1790000000000]]}}    one item
///     {"c":"forgotten","i":"*", …}                                                                all items
///
/// A device that receives it forgets its own old versions. No row shows that collection, so a version that does not
/// know it stores its states and passes them on. The files with the earlier texts are replaced by the next compaction, which
/// the forgetting device writes within a day, and are removed seven days later.
enum ForgottenItems {
  static let collection: ByteKey = "forgotten"
  static let until: ByteKey = "until"
  private static let all: ByteKey = "*"

  static func key(of item: ItemKey?) -> ItemKey {
    ItemKey(collection, item.map { ByteKey("\($0.collection)/\($0.id)") } ?? all)
  }

  /// - Returns: nil for all items, and for what is no key of an item.
  static func item(of key: ItemKey) -> ItemKey? {
    guard let slash = key.id.text.firstIndex(of: "/") else { return nil }
    return ItemKey(ByteKey(String(key.id.text[..<slash])), ByteKey(String(key.id.text[slash...].dropFirst())))
  }

  static func isAll(_ key: ItemKey) -> Bool { key.id == all }

  /// In milliseconds since 1970; nil for a state that states no moment.
  ///
  /// - Parameters:
  ///   - time: leaves out what was forgotten up to then.
  ///   - earlier: leaves these out.
  static func until(_ state: ItemState, after time: Int64 = .min, except earlier: Set<Dot> = []) -> Int64? {
    let moments = (state.latest[until] ?? [:]).filter { $0.value.at > time && !earlier.contains($0.key) }
    return moments.values.compactMap(\.value.integerValue).max()
  }

  /// How far the clock of another device may be ahead before its moments are replaced.
  private static let tolerance = SyncPolicy.hour

  static func isFarAhead(_ state: ItemState, of now: Int64) -> Bool {
    until(state).map { $0 > now + tolerance } ?? false
  }
}

extension ItemState {
  /// States a moment up to which versions were forgotten. Later ones stay beside it, unless they are to come.
  fileprivate mutating func forget(until: Int64, at now: Int64, as writer: WriterID) {
    let dot = Dot(writer, (context.highest[writer] ?? 0) + 1)
    var moments = (latest[ForgottenItems.until] ?? [:]).filter {
      ($0.value.value.integerValue).map { $0 > until && $0 <= now } ?? false
    }
    moments[dot] = Register(at: now, value: .integer(until))
    latest[ForgottenItems.until] = moments
    context.insert(dot)
  }

  /// Removes what was replaced, with a dot of its own where a value changes for it: the earlier texts of texts, and all
  /// values of a removed item. Texts that are in conflict are needed until it is settled.
  ///
  /// - Parameter until: removes only what was replaced up to then; nil for all.
  mutating func forget(until: Int64?, _ collection: SyncedCollection, as writer: WriterID) {
    if !isAlive(in: collection) {
      let removal = being.values.filter { !$0.isThere }.map(\.at).max() ?? 0
      // Their dots are seen and have no values: others drop these values too.
      if removal <= until ?? .max { (latest, texts, sets) = ([:], [:], [:]) }
      return
    }
    for (field, heads) in texts {
      guard heads.count == 1, let head = heads.first?.value,
        head.bases.contains(where: { $0.at <= until ?? .max })
      else { continue }
      let dot = Dot(writer, (context.highest[writer] ?? 0) + 1)
      var new = TextHead(at: head.at, text: head.text, past: context)
      new.bases = until.map { until in head.bases.filter { $0.at > until } } ?? []
      texts[field] = [dot: new]
      context.insert(dot)
    }
  }
}

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
