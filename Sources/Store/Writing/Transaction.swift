import Contract
import SQLite
import SearchEngine
import Wire

/// One write: what it does to the library, noted item by item.
///
/// It exists only inside the closure that received it, on the writer's thread, inside a savepoint. What it changes
/// goes through `insert`, `change` and `remove`, which find the changed columns, keep what undo needs, and remember
/// what to tell and what to index. A write that fails leaves nothing.
package final class Transaction {
  package let db: Database
  /// The clock of the commit that is being made. It is also the revision of every item that it changes.
  package let clock: Int64
  package let now: Instant
  package let caller: any Caller
  /// The request that this write answers. A write that runs again after a failed commit has the same one.
  package let request: WriteToken

  /// Whether `changes/undo` may take this commit back. What the daemon does by itself is nobody's to take back.
  package var isUndoable: Bool
  /// What `changes/log` calls this commit; the method's name unless a write says better.
  package var label: String
  /// The commit that this one takes back or brings back.
  var undoes: Int64?
  package internal(set) var action = CommitAction.write
  /// The series to which this commit belongs.
  var series: Series?
  /// How far this slice may go.
  var room: SliceRoom?
  /// This commit takes back a slice of a series that was given up.
  var isGivingUp = false

  let schema: Schema
  let blobs: Blobs
  private(set) var notes: [ChangeNote] = []
  private var places: [ItemKey: Int] = [:]
  /// How many rows it has changed that follow from the items': those of the tables of links, and what triggers write. A
  /// slice does not count them.
  private(set) var derivedRows = 0
  /// Bytes of the values of items that it has written or removed.
  var writtenBytes = 0
  /// Rows were changed in a table that no notification tells of, on purpose.
  private(set) var isSilent = false
  private(set) var changesSetting = false

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

  /// What this write sees: the library with its own changes.
  package var snapshot: Snapshot {
    Snapshot(db: db, clock: clock, caller: caller)
  }

  /// Adds an item; the transaction sets its revision and both times.
  ///
  /// - Parameter found: what search finds of it, where that is at hand: just what the collection's `searchEntries` would
  ///   make of the row, which then is not read again.
  @discardableResult
  package func insert<Item: StoredItem>(_ item: Item, found: [SearchEntry]? = nil) throws -> Item {
    var item = item
    item.revision = clock
    item.createdAt = now
    item.updatedAt = now
    let layout = RowLayout.of(Item.self)
    try insertRow(
      item.columnValues(), by: layout, into: schema.collection(Item.collectionName),
      id: item.id, found: found)
    return item
  }

  /// Changes an item that this write has read. Returns it as it is now; its revision is unchanged when nothing differs.
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

  package func remove<Item: StoredItem>(_ item: Item) throws {
    try removeRow(in: schema.collection(Item.collectionName), id: item.id)
  }

  /// Tells of a change that is not undoable and makes no revision: a reading position, a fetched cover.
  package func touch(collection: String, id: String, revision: Int64, fields: [String]) {
    var change = ChangeNote(
      key: ItemKey(collection: collection, id: id), kind: .updated, revision: revision, fields: fields)
    change.touchesContent = false
    note(change)
  }

  /// Declares that this write changes rows without telling: drafts, caches, kept text, forgotten history.
  package func keepSilent() {
    isSilent = true
  }

  /// Declares that this write changes a setting, which nobody is told of: the answer says all the same that it changed
  /// something.
  package func changeSetting() {
    isSilent = true
    changesSetting = true
  }

  /// Declares that this commit changes nothing that the reader keeps, such as a note of what was looked for: clients are
  /// told of it, `changes/log` does not list it, and nobody can take it back.
  package func isOnlyNoted() {
    isUndoable = false
    if action == .write { action = .note }
  }

  /// Has the search entries of an item made anew after this write, although its row did not change.
  package func reindex(collection: String, id: String) {
    reindexed.insert(ItemKey(collection: collection, id: id))
  }
  private(set) var reindexed: Set<ItemKey> = []

  /// The items whose search entries are to be made anew, whether all of their parts are, and what is found of them where
  /// the write said so.
  func forEachIndexWork(_ body: (_ key: ItemKey, _ isWhole: Bool, _ found: [SearchEntry]?) -> Void) {
    for note in notes where note.touchesContent {
      body(note.key, note.kind != .updated || note.fields.isEmpty, note.found)
    }
    for key in reindexed { body(key, true, nil) }
  }

  /// Has these search entries written after this write, such as those of pages whose text has just come.
  package func index(_ entries: [SearchEntry]) {
    newEntries += entries
  }
  private(set) var newEntries: [SearchEntry] = []

  /// Runs on the writer's thread once the data is on disk; it must only hand on.
  package func afterCommit(_ body: @escaping @Sendable () -> Void) {
    followUps.append(body)
  }
  private(set) var followUps: [@Sendable () -> Void] = []

  /// Names a blob in the library. Its file must be there already: data first, then the row.
  package func keep(_ blob: Blobs.Blob) throws {
    guard blobs.contains(blob.hash) else { throw RPCError.internalError }
    try db.run(
      "INSERT INTO blob (hash, size, addedAt) VALUES (?, ?, ?) ON CONFLICT (hash) DO NOTHING",
      [.text(blob.hash), .integer(blob.size), .integer(now.milliseconds)])
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

  /// Refuses with `conflict` and the current item when it has moved on since `revision`.
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

  /// Runs what changes so many rows of items at most; all others that it changes are derived.
  @discardableResult
  func deriving<Value>(from rows: Int, _ body: () throws -> Value) rethrows -> Value {
    let before = db.totalChangesCount
    defer { derivedRows += max(0, db.totalChangesCount - before - rows) }
    return try body()
  }

  func note(_ note: ChangeNote) {
    // Most writes change one item or two, for which no hash is needed.
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

  /// Items of two collections hardly ever have the same id, and an import asks this several times of each item.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(id)
  }
}

package enum CommitAction: String, Sendable {
  case write, undo, redo
  /// Of interest to clients, and no change of the library to its reader.
  case note
}

/// What one commit did to one item: what to tell, and what undo needs.
struct ChangeNote {
  var key: ItemKey
  var kind: Change.Kind
  var revision: Int64
  var fields: [String]
  /// The old values of the changed columns; of a removal the whole row; nil where nothing is kept.
  var before: RowValues?
  /// Added and removed again by the same commit: nothing happened.
  var isVoid = false
  /// Whether the row itself was written, so that what search finds of it may have changed.
  var touchesContent = true
  /// What search finds of an item that was added and is still as it was then; nil where nobody said.
  var found: [SearchEntry]?

  init(key: ItemKey, kind: Change.Kind, revision: Int64, fields: [String], before: RowValues? = nil) {
    self.key = key
    self.kind = kind
    self.revision = revision
    self.fields = fields
    self.before = before
  }

  /// Merges a later change of the same item by the same commit. The oldest values win: they are what was before.
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
      // Removed and added: an update of everything. What it was before is the whole old row.
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
