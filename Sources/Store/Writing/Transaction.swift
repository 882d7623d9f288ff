import Contract
import SQLite
import SearchEngine
import Wire

/// One write, with a record of its changes per item.
///
/// It exists only inside the closure that received it, on the writer's thread, inside a savepoint. Changes go through
/// `insert`, `change` and `remove`, which determine the changed columns, store what undo needs, and record the
/// notifications and index work. A failed write leaves no change.
package final class Transaction {
  package let db: Database
  /// The clock of the commit in progress. It is also the revision of every item that it changes.
  package let clock: Int64
  package let now: Instant
  package let caller: any Caller
  /// The request of this write. A second attempt after a failed commit has the same one.
  package let request: WriteToken

  /// Whether `changes/undo` may undo this commit. Commits of the daemon itself cannot be undone.
  package var isUndoable: Bool
  /// The label of this commit in `changes/log`; the method's name unless a write sets another.
  package var label: String
  /// Why the client makes the change; shown in `changes/log`.
  package var reason: String?
  /// Whether the changes are rolled back after this write, so that it must not be remembered anywhere.
  package private(set) var isDryRun = false
  /// The commit that this one undoes or redoes.
  var undoes: Int64?
  package internal(set) var action = CommitAction.write
  /// The chunked commit group of this commit.
  var series: ChunkedCommitGroup?
  /// The limits of this slice.
  var room: SliceRoom?
  /// Whether this commit rolls back a slice of a failed long write.
  var isGivingUp = false

  let schema: Schema
  let blobs: Blobs
  private(set) var notes: [ChangeNote] = []
  private var places: [ItemKey: Int] = [:]
  /// The number of changed rows that are derived from items: those of the tables of links, and of triggers. They do not
  /// count for a slice.
  private(set) var derivedRows = 0
  /// Size of the values of written and removed items in bytes.
  var writtenBytes = 0
  /// Whether rows were changed in a table that has no notifications, on purpose.
  private(set) var isSilent = false
  private(set) var changesSetting = false
  /// Whether another write waits for the end of this one, which may do a part of its work and leave the rest to others.
  package var othersWait: () -> Bool = { false }

  init(
    db: Database, clock: Int64, now: Instant, caller: any Caller, label: String, request: WriteToken, schema: Schema,
    blobs: Blobs
  ) {
    self.db = db
    self.clock = clock
    self.now = now
    self.caller = caller
    self.request = request
    self.isUndoable = !caller.connectionID.isEmpty
    self.label = label
    self.schema = schema
    self.blobs = blobs
  }

  /// A snapshot that includes the changes of this write.
  package var snapshot: Snapshot {
    Snapshot(db: db, clock: clock, caller: caller)
  }

  /// Adds an item; sets its revision and both times.
  ///
  /// - Parameter found: the item's search entries, if they are available: exactly those that the collection's
  ///   `searchEntries` would return for the row, which then is not read again.
  /// - Throws: `DatabaseError`, or the error of a value that cannot be encoded.
  @discardableResult
  package func insert<Item: StoredItem>(_ item: Item, found: [SearchEntry]? = nil) throws -> Item {
    try insert(item, at: ItemTimes(created: now, updated: now), found: found)
  }

  /// Adds an item with these times. Triggers and the tables of links derive rows from them.
  func insert<Item: StoredItem>(_ item: Item, at times: ItemTimes, found: [SearchEntry]? = nil) throws -> Item {
    var item = item
    item.revision = clock
    item.createdAt = times.created
    item.updatedAt = times.updated
    let layout = RowLayout.of(Item.self)
    try insertRow(
      item.columnValues(), by: layout, into: schema.collection(Item.collectionName),
      id: item.id, found: found)
    return item
  }

  /// Changes an item that this write has read. Returns the changed item; its revision is unchanged if no value differs.
  ///
  /// - Throws: whatever `body` throws, `DatabaseError`, or the error of a value that cannot be encoded.
  @discardableResult
  package func change<Item: StoredItem>(_ item: Item, _ body: (inout Item) throws -> Void) throws -> Item {
    assert((try? snapshot.find(Item.self, id: item.id))??.revision == item.revision, "this write has not read the item")
    var changed = item
    try body(&changed)
    let layout = RowLayout.of(Item.self)
    let collection = schema.collection(Item.collectionName)
    let (old, new) = (
      try item.columnValues(), try changed.columnValues()
    )
    let places = layout.columns.indices.filter {
      !old[$0].isSame(as: new[$0]) && collection.contentColumns.contains(layout.columns[$0])
    }
    if try updateRow(at: places, from: { old[$0] }, to: { new[$0] }, by: layout, in: collection, id: item.id) {
      changed.revision = clock
      changed.updatedAt = now
    }
    return changed
  }

  /// - Throws: `RPCError` of the kind `notFound` if the item does not exist, `DatabaseError`.
  package func remove<Item: StoredItem>(_ item: Item) throws {
    try removeRow(in: schema.collection(Item.collectionName), id: item.id)
  }

  /// The value that a column of an item had before this commit; nil if this commit has not changed it.
  package func former(_ column: String, of id: String, in collection: String) -> SQLValue? {
    let key = ItemKey(collection: collection, id: id)
    let place = places.isEmpty ? notes.firstIndex { $0.key == key } : places[key]
    return place.flatMap { notes[$0].before?[column] }
  }

  /// Reports a change that is not undoable and creates no revision: a reading position, a fetched cover.
  package func touch(collection: String, id: String, revision: Int64, fields: [String]) {
    var change = ChangeNote(
      key: ItemKey(collection: collection, id: id), kind: .updated, revision: revision, fields: fields)
    change.touchesContent = false
    note(change)
  }

  /// Declares that this write changes rows without notifications: drafts, caches, stored text, forgotten history.
  package func keepSilent() {
    isSilent = true
  }

  /// Declares that this write changes a setting, for which there is no notification: the reply still states that the
  /// library changed.
  package func changeSetting() {
    isSilent = true
    changesSetting = true
  }

  /// Declares that this commit changes no user data, such as an entry of the search history: clients are notified, but
  /// `changes/log` does not list it, and it cannot be undone.
  package func isOnlyNoted() {
    isUndoable = false
    if action == .write { action = .note }
  }

  /// Schedules the item's search entries to be rebuilt after this write, although its row did not change.
  package func reindex(collection: String, id: String) {
    reindexed.insert(ItemKey(collection: collection, id: id))
  }
  private(set) var reindexed: Set<ItemKey> = []

  /// Calls `body` for each item to be indexed, with whether all of its parts are, and the search entries that the write
  /// provided, if any.
  func forEachIndexWork(_ body: (_ key: ItemKey, _ isWhole: Bool, _ found: [SearchEntry]?) -> Void) {
    for note in notes where note.touchesContent {
      body(note.key, note.kind != .updated || note.fields.isEmpty, note.found)
    }
    for key in reindexed { body(key, true, nil) }
  }

  /// Schedules these search entries to be written after this write, such as those of pages whose text was just
  /// extracted.
  package func index(_ entries: [SearchEntry]) {
    newEntries += entries
  }
  private(set) var newEntries: [SearchEntry] = []

  /// Schedules a call on the writer's thread after the commit is on disk; it must only schedule work.
  package func afterCommit(_ body: @escaping @Sendable () -> Void) {
    followUps.append(body)
  }
  private(set) var followUps: [@Sendable () -> Void] = []

  /// Records a blob in the library. Its file must already exist: data first, then the row.
  ///
  /// - Throws: `RPCError.internalError` if there is no such file, `DatabaseError`.
  package func keep(_ blob: Blobs.Blob) throws {
    guard blobs.contains(blob.hash) else { throw RPCError.internalError }
    try db.run(
      "INSERT INTO blob (hash, size, addedAt) VALUES (?, ?, ?) ON CONFLICT (hash) DO NOTHING",
      [.text(blob.hash), .integer(blob.size), .integer(now.milliseconds)])
    try db.run("DELETE FROM blobElsewhere WHERE hash = ?", [.text(blob.hash)])
  }

  /// Runs a part of this write that may fail without failing all of it.
  ///
  /// - Throws: what `body` throws, when the library and this write are as they were before it.
  package func attempt<Value>(_ body: () throws -> Value) throws -> Value {
    let (notes, places, derivedRows, writtenBytes) = (notes, places, derivedRows, writtenBytes)
    let (isSilent, changesSetting, isUndoable, label) = (isSilent, changesSetting, isUndoable, label)
    let (undoes, action, reindexed) = (undoes, action, reindexed)
    let (newEntries, followUps) = (newEntries.count, followUps.count)
    try db.run("SAVEPOINT attempt")
    do {
      let value = try body()
      try db.run("RELEASE attempt")
      return value
    } catch {
      // SQLite ends the transaction by itself on a full disk and the like; then all of the write is lost.
      guard db.isInsideTransaction else { throw error }
      try db.run("ROLLBACK TO attempt")
      try db.run("RELEASE attempt")
      (self.notes, self.places, self.derivedRows, self.writtenBytes) = (notes, places, derivedRows, writtenBytes)
      (self.isSilent, self.changesSetting, self.isUndoable, self.label) = (isSilent, changesSetting, isUndoable, label)
      (self.undoes, self.action, self.reindexed) = (undoes, action, reindexed)
      self.newEntries.removeLast(self.newEntries.count - newEntries)
      self.followUps.removeLast(self.followUps.count - followUps)
      throw error
    }
  }

  /// Runs this write and rolls it back, also what it has scheduled. The commit is then without changes.
  ///
  /// - Returns: the value of `body`, and the changes that it made.
  /// - Throws: what `body` throws.
  package func dryRun<Value>(_ body: () throws -> Value) throws -> (value: Value, changes: [Change]) {
    var result: (Value, [Change])?
    isDryRun = true
    do {
      try attempt {
        result = (try body(), notes.filter { !$0.isVoid }.map(\.change))
        throw DryRunEnd()
      }
    } catch is DryRunEnd {
      keepSilent()
    }
    return result!
  }

  /// Ends the savepoint of a dry run.
  private struct DryRunEnd: Error {}

  /// Requires that the item still has `revision`, if given.
  ///
  /// - Throws: `RPCError` of the kind `conflict` with the current item, `DatabaseError`.
  package func require<Item: StoredItem>(_ item: Item, at revision: Int64?) throws {
    guard let revision, revision != item.revision else { return }
    var error = try conflict(collection: Item.collectionName, id: item.id)
    if revision > item.revision {
      let numbers = ["revision": String(revision), "current": String(item.revision)]
      error.text = Text("error.noRevisionYet", numbers)
    }
    throw error
  }

  func conflict(collection: String, id: String) throws -> RPCError {
    let current = try schema.collection(collection).payload(id, snapshot)
    return RPCError(
      .conflict, data: ["collection": .string(collection), "id": .string(id), "current": current ?? .null])
  }

  /// Runs `body`, which changes at most `rows` rows of items; all other rows that it changes count as derived.
  @discardableResult
  func deriving<Value>(from rows: Int, _ body: () throws -> Value) rethrows -> Value {
    let before = db.totalChangesCount
    defer { derivedRows += max(0, db.totalChangesCount - before - rows) }
    return try body()
  }

  /// Stores no old values for the changes of this write that `isForgotten` names: it cannot be undone then.
  func forgetOldValues(where isForgotten: (ChangeNote) throws -> Bool) rethrows {
    for place in notes.indices where notes[place].before != nil {
      guard try isForgotten(notes[place]) else { continue }
      notes[place].before = nil
      isUndoable = false
    }
  }

  func note(_ note: ChangeNote) {
    // Most writes change one or two items, for which no hash table is needed.
    if notes.count < 4 {
      if let place = notes.firstIndex(where: { $0.key == note.key }) { return notes[place].absorb(note) }
      notes.append(note)
      return
    }
    if places.isEmpty { for (place, note) in notes.enumerated() { places[note.key] = place } }
    guard let place = places[note.key] else {
      places[note.key] = notes.count
      notes.append(note)
      return
    }
    notes[place].absorb(note)
  }
}

package struct ItemKey: Hashable, Sendable {
  package var collection: String
  package var id: String

  package init(collection: String, id: String) {
    (self.collection, self.id) = (collection, id)
  }

  /// Hashes only the id: items of two collections hardly ever have the same id, and an import hashes each key several
  /// times.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(id)
  }
}

package enum CommitAction: String, Sendable {
  case write, undo, redo
  /// Reported to clients, but not a change of user data.
  case note
}

/// The change of one item by one commit: data for the notification and for undo.
struct ChangeNote {
  var key: ItemKey
  var kind: Change.Kind
  var revision: Int64
  var fields: [String]
  /// The old values of the changed columns; for a removal the whole row; nil if nothing is stored.
  var before: RowValues?
  /// Added and removed again by the same commit, so there is nothing to report.
  var isVoid = false
  /// Whether the row itself was written, so that its search entries may have changed.
  var touchesContent = true
  /// The search entries of an added item that is still unchanged; nil if they were not provided.
  var found: [SearchEntry]?

  init(key: ItemKey, kind: Change.Kind, revision: Int64, fields: [String], before: RowValues? = nil) {
    self.key = key
    self.kind = kind
    self.revision = revision
    self.fields = fields
    self.before = before
  }

  var change: Change {
    Change(collection: key.collection, id: key.id, kind: kind, revision: revision, fields: fields)
  }

  /// Merges a later change of the same item by the same commit. The older values win: they precede the commit.
  mutating func absorb(_ later: ChangeNote) {
    if isVoid {
      self = later
      return
    }
    touchesContent = touchesContent || later.touchesContent
    if later.touchesContent { found = later.found }
    switch (kind, later.kind) {
    case (.added, .removed): isVoid = true
    case (.added, _), (.updated, .added): break
    case (.updated, .updated):
      fields += later.fields.filter { !fields.contains($0) }
      before = merged(later.before)
    case (.updated, .removed):
      kind = .removed
      before = merged(later.before)
      fields = []
    case (.removed, _):
      // Removed and added: an update of all fields. The previous values are the whole old row.
      kind = .updated
      fields = []
    }
    revision = later.revision
  }

  private func merged(_ later: RowValues?) -> RowValues? {
    guard let before else { return later }
    guard let later else { return before }
    return before.adding(later)
  }
}

/// When an item was added and last changed.
package struct ItemTimes: Sendable {
  package var created: Instant
  package var updated: Instant

  package init(created: Instant, updated: Instant) { (self.created, self.updated) = (created, updated) }
}
