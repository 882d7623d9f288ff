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
  /// Whether items were shown, and so probably changed.
  private(set) var hasShown = false
  /// Items that show a version that has lost, for their histories: the next transaction has to show the other one.
  private(set) var unfinished: Set<ItemKey> = []
  /// What the shown items were received with; nil if they were not received.
  private(set) var reception: Reception?

  /// The file with which items were received.
  struct Reception: Sendable {
    /// The name of the device that wrote it.
    var origin: String?
    /// The clock of the first transaction that showed a part of it, and how many items were shown so far.
    var first: Int64
    var items: Int
  }

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

  /// How many items are read together: a transaction may end after any of them.
  static let group = 8

  private var db: Database { transaction.db }

  /// Shows what was received since this was last called.
  ///
  /// - Parameters:
  ///   - origin: the name of the device that wrote it.
  ///   - group: the clock of the first transaction that showed a part of the same file, and how many items those were.
  /// - Returns: how many items that are.
  /// - Throws: `StoreError.broken`, `DatabaseError`; then all of this transaction has to be given up.
  mutating func showReceived(from origin: String?, in group: (first: Int64, items: Int)? = nil) throws -> Int {
    try states.requireWhole()
    let received = states.received
    states.received = []
    if received.isEmpty { return 0 }
    try show(received)
    try forget(received)
    transaction.isUndoable = true
    transaction.reason = origin
    if let group { try transaction.continueGroup(since: group.first, reported: group.items) }
    reception = Reception(
      origin: origin, first: group?.first ?? transaction.clock, items: (group?.items ?? 0) + received.count)
    return received.count
  }

  /// Shows items that an earlier transaction has left unfinished.
  ///
  /// - Throws: `StoreError.broken`, `DatabaseError`; then all of this transaction has to be given up.
  mutating func finish(_ keys: Set<ItemKey>, of earlier: Reception?) throws {
    try show(keys)
    guard let earlier else { return }
    transaction.isUndoable = true
    transaction.reason = earlier.origin
    try transaction.continueGroup(since: earlier.first, reported: earlier.items)
    reception = earlier
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
  struct Written: Sendable {
    var key: ItemKey
    var clock: Int64
    var at: Int64
    /// The row as it was removed last.
    var removed: JSONObject?
    /// The columns that were changed; nil for all.
    var columns: Set<String>?
    /// Whether it was added and not changed since.
    var isOnlyAdded = false
    var chosen: Set<ByteKey> = []
    var isConfirmed = false
  }

  /// The most changes that one transaction absorbs by the way.
  private static let mostChanges = 100

  /// Writes into the states what was committed here since the last time. Before that, nothing may be joined: a view that
  /// does not know an edit would overwrite it.
  ///
  /// - Returns: false if that is too much for this transaction: then nothing was absorbed.
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  mutating func absorb() throws -> Bool {
    guard let absorbed = stored.absorbed else { return true }
    guard let written = try collections.written(since: absorbed, most: Self.mostChanges, in: db) else { return false }
    let listed = try absorb(written, until: nil).listed
    stored.absorbed = transaction.clock - 1
    if !listed.isEmpty { try show(listed) }
    return true
  }

  /// Writes some changes into the states. A repetition after a crash changes nothing.
  ///
  /// - Parameter end: when it ends, after one change at least; nil for all.
  /// - Returns: how many changes it has absorbed, and those of their items that have conflicts or are hidden. These may be
  ///   over, or may be those of another item from now on: they are shown as soon as all changes are absorbed.
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  mutating func absorb(
    _ written: some Collection<Written>, until end: SliceEnd?
  ) throws -> (count: Int, listed: Set<ItemKey>) {
    if written.isEmpty { return (0, []) }
    let view = try view(of: written.map(\.key))
    var stamps: [Int64: WriteStamp] = [:]
    var listed: Set<ItemKey> = []
    var count = 0
    for change in written {
      if let end, count > 0, end.isReached { break }
      if stamps[change.clock] == nil { stamps[change.clock] = stored.ledger.stamp(clock: change.clock, at: change.at) }
      if let stamp = stamps[change.clock] { try absorb(change, of: change.key, stamp, view) }
      if try isHidden(change.key) || !conflicts(of: change.key).isEmpty { listed.insert(change.key) }
      count += 1
    }
    return (count, listed)
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
    // A number is never used twice for an item. A change that was absorbed before a crash has nothing to choose any more.
    let highest = items.values.compactMap { $0.context.highest[stamp.dot.writer] }.max() ?? 0
    let isRepeated = stamp.dot.number <= highest
    if isRepeated { stamp.dot.number = highest + 1 }
    // The next card of a recurring one: the same may be made on another device, and edited there. What a person wrote
    // under a derived id, such as the memo of a page, has its time: it may differ from what another device has there.
    if change.isOnlyAdded, items.isEmpty, DerivedID.isByRule(key.id.text) { stamp.at = 0 }
    let absorption = Absorption(collection.synced, stamp)
    let shown = view.rows.rows[leader]
    if let last = row ?? change.removed {
      var new = collection.row(last)
      // The rest of a row that this version cannot store as its state has it is older than the state.
      if let shown, let columns = change.columns, try isHidden(key) {
        collection.revert(&new, to: shown, besides: columns)
      }
      absorption.update(
        &items, of: leader, from: shown, to: new, chosen: isRepeated ? [] : change.chosen,
        isConfirmed: change.isConfirmed && !isRepeated)
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
  /// - Parameter end: when it ends, after one row at least.
  /// - Returns: how many rows it has absorbed.
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  mutating func absorbRows(of keys: some Collection<ItemKey>, until end: SliceEnd) throws -> Int {
    var (shown, rest): ((rows: LibraryView, classes: SameItems)?, Int) = (nil, 0)
    var last: (at: Int64, stamp: WriteStamp)?
    var count = 0
    for key in keys {
      if count > 0, end.isReached { break }
      if rest == 0 { (shown, rest) = (try view(of: keys.dropFirst(count).prefix(Self.group)), Self.group) }
      guard let view = shown else { break }
      count += 1
      rest -= 1
      let row = try collections[key.collection]?.row(key.id, in: db)
      // A row that this version cannot store states nothing, nor does the absence of a row that no view has.
      if try isHidden(key) { continue }
      if row == nil, view.classes.leader(of: key) != key || view.rows.rows[key] == nil { continue }
      let clock = row?["revision"]?.integerValue ?? transaction.clock - 1
      let at = row?["updatedAt"]?.integerValue ?? transaction.now.milliseconds
      var stamp = last?.at == at ? last?.stamp : nil
      if stamp == nil { stamp = stored.ledger.stamp(clock: clock, at: at) }
      guard var stamp else { continue }
      stamp.dot.number = max(1, clock)
      last = (at, stamp)
      try absorb(Written(key: key, clock: clock, at: at), of: key, stamp, view)
    }
    return count
  }

  // MARK: - Showing

  /// Writes the rows and the conflicts of these items, and of all that they are connected with, as the states have them.
  ///
  /// Where values have lost that this library never had, it writes one of them first, and leaves the item `unfinished`:
  /// each is a commit of its own, directly before that of the value that won, so that the history has all of them.
  ///
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  mutating func show(_ keys: Set<ItemKey>) throws {
    hasShown = true
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
    let others = view.conflicts.filter { shown.contains($0.item) }.flatMap(versions)
    var showing = Showing(
      known: known, classes: classes, rows: view.rows, versions: Dictionary(grouping: others, by: \.item))
    var hidden: Set<ItemKey> = []
    for collection in collections.all {
      let keys = shown.filter { $0.collection == collection.name && view.rows[$0] != nil }.sorted()
      hidden.formUnion(try putAll(keys, collection) { try show($0, of: collection, &showing) })
    }
    unfinished.formUnion(showing.begun)
    try hide(hidden.union(showing.unmerged), of: shown)
    try list(showing.versions.values.flatMap(\.self).map(\.record), of: shown)
    try transaction.reportRestored()
  }

  /// What the states have of the items to show, and what was shown of it.
  private struct Showing {
    let known: [ItemKey: ItemState]
    let classes: SameItems
    let rows: [ItemKey: SyncedRow]
    /// The versions besides those of the rows.
    var versions: [ItemKey: [OtherVersion]]
    /// Those with another version than the merged one.
    var unmerged: Set<ItemKey> = []
    /// Those of which another version has to follow.
    var begun: Set<ItemKey> = []
  }

  /// Writes the row of an item, or one of its versions that have lost.
  ///
  /// - Returns: false if this version of the program can store none of them.
  private func show(_ key: ItemKey, of collection: SharedCollection, _ showing: inout Showing) throws -> Bool {
    guard let row = showing.rows[key] else { return true }
    let (state, versions) = (showing.known[key], showing.versions[key] ?? [])
    let lost = try lost(versions, of: key, collection)
    if !lost.now.isEmpty {
      let earlier = row.merging(lost.now.map { ($0.field, $0.value) }) { $1 }
      if try put(earlier, of: key, collection, state) {
        showing.versions[key]?.removeAll { lost.later.contains($0.record.id) }
        showing.unmerged.insert(key)
        showing.begun.insert(key)
        return true
      }
    }
    if try put(row, of: key, collection, state) { return true }
    // No device can store what was merged, such as a note without any text: all show the same version of it.
    let members = showing.classes.members[showing.classes.leader(of: key)] ?? [key]
    let item = ItemView(key, members.map { ($0.id, showing.known[$0] ?? ItemState()) }, collection.synced)
    let conflicts = item.unmergedTexts
    let texts = conflicts.compactMap { each in each.field.map { ($0, each.values.last ?? "") } }
    let newest = Dictionary(texts) { $1 }
    if newest.isEmpty { return false }
    guard try put(row.merging(newest) { $1 }, of: key, collection, state) else { return false }
    showing.unmerged.insert(key)
    showing.versions[key] = versions.filter { newest[$0.field] == nil } + conflicts.flatMap(self.versions)
    return true
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
        // Rows of `shown` are not overwritten yet. What they will be is in the view, and was compared above.
        if !shown.contains(other) { pairs.append((key, other)) }
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

  /// Writes a row, if it differs.
  ///
  /// - Returns: false for one that this version cannot store. It is not shown; the states keep it.
  func put(
    _ row: SyncedRow, of key: ItemKey, _ collection: SharedCollection, _ state: ItemState?
  ) throws -> Bool {
    let columns = collection.columns(row)
    let present = try collection.row(key.id, in: db)
    let now = transaction.now.milliseconds
    let created = row[SharedCollection.createdAt]?.integerValue.map { Instant(milliseconds: $0).milliseconds } ?? now
    // What a rule made and nobody changed has no time of its own.
    let updated = max(created, state?.newest ?? now)
    if let present, columns.members.allSatisfy({ present[$0.key] == $0.value }),
      present["createdAt"]?.integerValue == created
    {
      return true
    }
    return try write(columns, of: key, collection, created: created, updated: updated)
  }

  /// - Returns: false if this version cannot store it.
  func write(
    _ columns: JSONObject, of key: ItemKey, _ collection: SharedCollection, created: Int64, updated: Int64
  ) throws -> Bool {
    do {
      try transaction.attempt {
        try collection.items.sharing.put(
          key.id.text, columns,
          .init(created: Instant(milliseconds: created), updated: Instant(milliseconds: updated)), transaction)
      }
      return true
    } catch let error as DatabaseError where error.code != .constraint {
      throw error
    } catch {
      return false
    }
  }

  /// Notes the items whose rows this version cannot store as their states have them.
  private func hide(_ hidden: Set<ItemKey>, of shown: Set<ItemKey>) throws {
    if try db.first("SELECT 1 FROM syncHidden LIMIT 1", [], { _ in true }) ?? false {
      for key in shown.subtracting(hidden) {
        try db.run("DELETE FROM syncHidden WHERE collection = ? AND id = ?", Self.values(key))
      }
    }
    for key in hidden {
      transaction.services.log("sync: this version cannot show \(key.collection)/\(key.id)")
      try db.run("INSERT OR IGNORE INTO syncHidden (collection, id) VALUES (?, ?)", Self.values(key))
    }
  }

  /// - Throws: `DatabaseError`.
  static func hidden(in db: Database) throws -> [ItemKey] {
    var keys: [ItemKey] = []
    try db.each("SELECT collection, id FROM syncHidden ORDER BY collection, id") {
      keys.append(ItemKey(ByteKey($0.text(0)), ByteKey($0.text(1))))
    }
    return keys
  }

  private func isHidden(_ key: ItemKey) throws -> Bool {
    try db.first("SELECT 1 FROM syncHidden WHERE collection = ? AND id = ?", Self.values(key)) { _ in true } ?? false
  }

  private static func values(_ key: ItemKey) -> [SQLValue] { [.text(key.collection.text), .text(key.id.text)] }
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
