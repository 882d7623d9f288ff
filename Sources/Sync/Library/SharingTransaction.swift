import Contract
import Exchange
import Kit
import SQLite
import Store
import Wire

/// One transaction of a run: absorbs what was written here, lets the run join and stage, and shows what was received.
struct SharingTransaction {
  let transaction: Transaction
  let collections: SharedCollections
  var stored: StoredLedger
  var states: LibraryStates
  private let old: StoredLedger

  /// The label of commits that show what was received. Such changes are not absorbed.
  static let label = "sync/run"

  /// - Parameter stored: the ledger as the tables have it, if it was read before.
  /// - Throws: `RPCError` if the library is not shared, `StoreError.broken`, `DatabaseError`.
  init(_ transaction: Transaction, _ collections: SharedCollections, _ stored: StoredLedger? = nil) throws {
    let isShared = try transaction.db.first("SELECT 1 FROM syncSpace", [], { _ in true }) ?? false
    guard isShared, let stored = try stored ?? StoredLedger.read(in: transaction.db) else { throw SyncProblem.off }
    (self.transaction, self.collections, self.stored, old) = (transaction, collections, stored, stored)
    states = LibraryStates(transaction.db, collections.schema, digest: stored.digest)
  }

  private var db: Database { transaction.db }

  /// Shows what was received since this was last called.
  ///
  /// - Parameter origin: the name of the device that wrote it.
  /// - Returns: how many items that are.
  /// - Throws: `StoreError.broken`, `DatabaseError`; then all of this transaction has to be given up.
  mutating func showReceived(from origin: String?) throws -> Int {
    try states.requireWhole()
    let received = states.received
    states.received = []
    if received.isEmpty { return 0 }
    try show(received)
    transaction.isUndoable = true
    transaction.reason = origin
    return received.count
  }

  /// Stores the ledger.
  ///
  /// - Throws: `StoreError.broken`, `DatabaseError`; then all of this transaction has to be given up.
  mutating func save() throws {
    try states.requireWhole()
    // Nobody is notified of the tables of sync.
    transaction.keepSilent()
    stored.digest = states.knownDigest
    try stored.write(over: old, in: db)
  }

  // MARK: - Absorbing

  /// The last change of an item.
  private struct Written {
    var clock: Int64
    var at: Int64
    /// The row as it was removed last.
    var removed: JSONObject?
    /// Whether it was added and not changed since.
    var isOnlyAdded = false
    var chosen: Set<ByteKey> = []
    var isConfirmed = false
  }

  /// Writes into the states what was committed here since the last time.
  ///
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  mutating func absorb() throws {
    guard let absorbed = stored.absorbed else { return }
    let written = try changes(since: absorbed)
    stored.absorbed = transaction.clock - 1
    if written.isEmpty { return }
    let view = try view(of: written.keys)
    var stamps: [Int64: WriteStamp] = [:]
    for (key, change) in written.sorted(by: { ($0.value.clock, $0.key) < ($1.value.clock, $1.key) }) {
      if stamps[change.clock] == nil { stamps[change.clock] = stored.ledger.stamp(clock: change.clock, at: change.at) }
      guard let stamp = stamps[change.clock] else { continue }
      try absorb(change, of: key, stamp, view)
    }
    // Their conflicts may be over, or may be those of another item from now on.
    let listed = try written.keys.filter { try !conflicts(of: $0).isEmpty }
    if !listed.isEmpty { try show(Set(listed)) }
  }

  /// The items with changes that were not received, by the newest one.
  private func changes(since clock: Int64) throws -> [ItemKey: Written] {
    var written: [ItemKey: Written] = [:]
    try db.each(
      """
      SELECT h.collection, h.id, h.kind, h.clock, c.at, h.before FROM changes h JOIN commits c ON c.clock = h.clock
      WHERE h.clock > ? AND NOT (c.connection = '' AND c.label = ?)
        AND (h.collection = '\(ConflictRecord.collectionName)' OR \(collections.changes))
      ORDER BY h.clock, h.place
      """, [.integer(clock), .text(Self.label)]
    ) { row in
      let key = ItemKey(ByteKey(try row.requiredText(0)), ByteKey(try row.requiredText(1)))
      let (clock, at) = (try row.requiredInteger(3), try row.requiredInteger(4))
      let kind = try row.requiredText(2)
      let isRemoval = kind == Change.Kind.removed.rawValue
      let before = row.isNull(5) ? nil : (try? JSONParser.parse(row.requiredText(5)))?.objectValue
      if key.collection == ByteKey(ConflictRecord.collectionName) {
        // A conflict that a person has resolved: the present value is a choice.
        guard isRemoval, let before, before["source"]?.stringValue?.hasPrefix(ConflictRecord.devicePrefix) == true,
          let collection = before["collection"]?.stringValue, let id = before["item"]?.stringValue,
          let field = before["field"]?.stringValue
        else { return }
        let item = ItemKey(ByteKey(collection), ByteKey(id))
        var change = written[item] ?? Written(clock: clock, at: at)
        (change.clock, change.at) = (clock, at)
        if field == ConflictRecord.removal { change.isConfirmed = true } else { change.chosen.insert(ByteKey(field)) }
        written[item] = change
        return
      }
      guard collections[key.collection] != nil else { return }
      let isFirst = written[key] == nil
      var change = written[key] ?? Written(clock: clock, at: at)
      (change.clock, change.at) = (clock, at)
      change.isOnlyAdded = isFirst && kind == Change.Kind.added.rawValue
      if isRemoval { change.removed = before }
      written[key] = change
    }
    return written
  }

  private mutating func absorb(
    _ change: Written, of key: ItemKey, _ stamp: WriteStamp, _ view: (rows: LibraryView, classes: SameItems)
  ) throws {
    guard let collection = collections[key.collection] else { return }
    let leader = view.classes.leader(of: key)
    var items: [ByteKey: ItemState] = [:]
    for member in view.classes.members[leader] ?? [key] {
      if let state = try states.stored(member) {
        items[member.id] = state
      } else if member != key {
        items[member.id] = ItemState()
      }
    }
    let row = try collection.row(key.id, in: db)
    // An item that no state knows was added and removed.
    if row == nil, items.isEmpty { return }
    let known = items
    var stamp = stamp
    // The next card of a recurring one, or an import: the same may be made on another device, and edited there.
    if change.isOnlyAdded, items.isEmpty, DerivedID.isDerived(key.id.text) { stamp.at = 0 }
    let absorption = Absorption(collection.synced, stamp)
    if let last = row ?? change.removed {
      absorption.update(
        &items, of: leader, from: view.rows.rows[leader], to: collection.row(last), chosen: change.chosen,
        isConfirmed: change.isConfirmed)
    }
    if row == nil { absorption.remove(&items) }
    for (id, state) in items where known[id] != state { try states.write(state, of: ItemKey(key.collection, id)) }
  }

  /// The rows that the states of these items have, with those of all that they are connected with.
  func view(of keys: some Sequence<ItemKey>) throws -> (rows: LibraryView, classes: SameItems) {
    let connected = try states.connected(with: keys).states
    return (LibraryView(connected, schema: collections.schema), SameItems(connected))
  }

  /// Absorbs rows, in the order in which they were last changed, whatever the log says: before the first run, and after
  /// the log was shortened.
  ///
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  mutating func absorbRows(of keys: some Collection<ItemKey>) throws {
    let view = try view(of: keys)
    var last: (at: Int64, stamp: WriteStamp)?
    for key in keys {
      let row = try collections[key.collection]?.row(key.id, in: db)
      let clock = row?["revision"]?.integerValue ?? transaction.clock - 1
      let at = row?["updatedAt"]?.integerValue ?? transaction.now.milliseconds
      var stamp = last?.at == at ? last?.stamp : nil
      if stamp == nil { stamp = stored.ledger.stamp(clock: clock, at: at) }
      guard var stamp else { continue }
      stamp.dot.number = max(1, clock)
      last = (at, stamp)
      try absorb(Written(clock: clock, at: at), of: key, stamp, view)
    }
  }

  /// All items of the library in the order in which they were last changed, and those that only the states have.
  ///
  /// - Throws: `DatabaseError`.
  func allItems() throws -> [ItemKey] {
    var items: [(at: Int64, key: ItemKey)] = []
    for collection in collections.all {
      try db.each("SELECT id, updatedAt FROM \(collection.items.table) WHERE \(collection.condition)") {
        items.append(($0.integer(1), ItemKey(collection.name, ByteKey($0.text(0)))))
      }
    }
    items.sort { ($0.at, $0.key) < ($1.at, $1.key) }
    let there = Set(items.map(\.key))
    let removed = states.keys.filter { !there.contains($0) && collections[$0.collection] != nil }
    return items.map(\.key) + removed
  }

  // MARK: - Showing

  /// Writes the rows and the conflicts of these items, and of all that they are connected with, as the states have them.
  ///
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  mutating func show(_ keys: Set<ItemKey>) throws {
    var keys = keys
    var (shown, known) = try states.connected(with: keys)
    var view = LibraryView(known, schema: collections.schema)
    // Items that turn out to be the same may be the same as others.
    while try join(equalItemsOf: view, shown, &keys) {
      (shown, known) = try states.connected(with: keys)
      view = LibraryView(known, schema: collections.schema)
    }
    let classes = SameItems(known)
    for collection in collections.all.reversed() {
      // A row whose holder is not known here stays: it was not removed.
      for key in shown.filter({ $0.collection == collection.name && view.rows[$0] == nil }).sorted()
      where classes.leader(of: key) != key || known[key]?.isAlive(in: collection.synced) != true {
        try collection.remove(key.id, in: transaction)
      }
    }
    for collection in collections.all {
      for key in shown.filter({ $0.collection == collection.name }).sorted() {
        if let row = view.rows[key] { try put(row, of: key, collection, known[key]) }
      }
    }
    try list(view.conflicts.filter { shown.contains($0.item) }, of: shown)
    try transaction.reportRestored()
  }

  /// Notes items that have equal identities as the same.
  ///
  /// - Returns: whether there were any.
  private mutating func join(equalItemsOf view: LibraryView, _ shown: Set<ItemKey>, _ keys: inout Set<ItemKey>) throws
    -> Bool
  {
    var pairs = view.equalItems(collections.schema)
    for (key, row) in view.rows where shown.contains(key) {
      guard let collection = collections[key.collection], let sync = collection.items.sync, !sync.identity.isEmpty
      else { continue }
      let columns = collection.columns(row)
      let condition = (sync.identity.map { "\"\($0)\" = ?" } + ["(\(collection.condition))"]).joined(
        separator: " AND ")
      let values = sync.identity.map { SQLValue.text(columns[$0]?.stringValue ?? "") }
      try db.each("SELECT id FROM \(collection.items.table) WHERE \(condition)", values) {
        let other = ItemKey(key.collection, ByteKey($0.text(0)))
        if other != key { pairs.append((key, other)) }
      }
    }
    var isNew = false
    for (one, other) in pairs {
      for (key, same) in [(one, other.id), (other, one.id)] {
        var state = try states.stored(key) ?? ItemState()
        if !state.same.insert(same).inserted { continue }
        try states.write(state, of: key)
        isNew = true
      }
      keys.formUnion([one, other])
    }
    return isNew
  }

  /// Writes a row, if it differs. One that this version cannot store is not shown: the states keep it.
  func put(_ row: SyncedRow, of key: ItemKey, _ collection: SharedCollection, _ state: ItemState?) throws {
    let columns = collection.columns(row)
    let present = try collection.row(key.id, in: db)
    let now = transaction.now.milliseconds
    let created = row[SharedCollection.createdAt]?.integerValue ?? now
    // What a rule made and nobody changed has no time of its own.
    let updated = max(created, state?.newest ?? now)
    if let present, columns.members.allSatisfy({ present[$0.key] == $0.value }),
      present["createdAt"]?.integerValue == created
    {
      return
    }
    do {
      try transaction.attempt {
        try collection.items.sharing.put(
          key.id.text, columns,
          .init(created: Instant(milliseconds: created), updated: Instant(milliseconds: updated)), transaction)
      }
    } catch let error as DatabaseError where error.code != .constraint {
      throw error
    } catch {
      transaction.services.log("sync: this version cannot show \(key.collection)/\(key.id)")
    }
  }
}

extension ItemState {
  /// The time of the newest write; 0 if it has none.
  fileprivate var newest: Int64 {
    let times =
      being.values.map(\.at) + latest.values.flatMap { $0.values.map(\.at) }
      + texts.values.flatMap { $0.values.map(\.at) } + sets.values.flatMap { $0.values.flatMap { $0.values.map(\.at) } }
    return times.max() ?? 0
  }
}
