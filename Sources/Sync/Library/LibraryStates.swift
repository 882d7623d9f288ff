import SQLite
import Store
import Wire

/// The states of the library's items in its tables.
///
/// It exists within one transaction. The protocol's members cannot throw: the first error is kept, and the transaction
/// has to be given up if there is one (`requireWhole`).
struct LibraryStates: ItemStates {
  let db: Database
  let schema: SyncSchema
  private var failure: (any Error)?
  /// The items whose states files have changed since this was last emptied.
  var received: Set<ItemKey> = []
  /// The digest of all states, if it is known.
  var knownDigest: StateDigest?

  /// The file of items that another device has written.
  private static let elsewhere = "elsewhere"

  init(_ db: Database, _ schema: SyncSchema, digest: StateDigest? = nil) {
    (self.db, self.schema, knownDigest) = (db, schema, digest)
  }

  /// - Throws: the first error of this transaction.
  func requireWhole() throws { if let failure { throw failure } }

  // MARK: - Reading

  var keys: [ItemKey] { (try? keys("SELECT collection, id FROM syncItem ORDER BY collection, id")) ?? [] }

  /// - Throws: `DatabaseError`.
  func keys(of collection: ByteKey) throws -> [ItemKey] {
    try keys("SELECT collection, id FROM syncItem WHERE collection = ? ORDER BY id", [.text(collection.text)])
  }

  var dirtyKeys: [ItemKey] {
    (try? keys("SELECT collection, id FROM syncItem WHERE file IS NULL ORDER BY collection, id")) ?? []
  }

  var hasUnwritten: Bool {
    get throws { try db.first("SELECT 1 FROM syncItem WHERE file IS NULL LIMIT 1", [], { _ in true }) ?? false }
  }

  private func keys(_ query: String, _ values: [SQLValue] = []) throws -> [ItemKey] {
    var keys: [ItemKey] = []
    try db.each(query, values) { keys.append(ItemKey(ByteKey($0.text(0)), ByteKey($0.text(1)))) }
    return keys
  }

  private static let find = CachedStatement("SELECT state FROM syncItem WHERE collection = ? AND id = ?")

  func state(of key: ItemKey) -> ItemState? { try? stored(key) }

  /// - Throws: `StoreError.broken` for a state that no version of ours stored, `DatabaseError`.
  func stored(_ key: ItemKey) throws -> ItemState? {
    try db.first(
      Self.find,
      {
        $0.add(key.collection.text)
        $0.add(key.id.text)
      }, { try Self.parse($0.requiredText(0)) })
  }

  static func text(_ key: ItemKey, _ state: ItemState) -> String {
    var table = WriterTable()
    let line = StateLine.encode(key, state) { table[$0] }
    return JSONValue.array([.array(table.writers.map { .string($0.description) }), .object(line)]).description
  }

  private static func parse(_ text: String) throws -> ItemState {
    guard let parts = (try? JSONParser.parse(text))?.arrayValue, parts.count == 2,
      let writers = parts[0].arrayValue?.compactMap({ $0.stringValue.flatMap { WriterID($0) } }),
      let line = try? StateLine.decode(parts[1], writers: writers)
    else { throw StoreError.broken(path: "", reason: "syncItem.state") }
    return line.state
  }

  // MARK: - Writing

  /// Stores a state that was changed here: it has to be written to a file.
  mutating func write(_ state: ItemState, of key: ItemKey) throws {
    let known = try stored(key)
    if known == state { return }
    try put(state, over: known, of: key, file: nil)
  }

  private mutating func put(_ state: ItemState, over old: ItemState?, of key: ItemKey, file: String?) throws {
    knownDigest?.replace(old, by: state, of: key)
    try db.run(
      """
      INSERT INTO syncItem (collection, id, state, file) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT (collection, id) DO UPDATE SET state = ?3, file = ?4
      """,
      [.text(key.collection.text), .text(key.id.text), .text(Self.text(key, state)), file.map { .text($0) } ?? .null])
    try link(state, of: key)
  }

  mutating func join(_ items: [StatedItem]) {
    do { for item in items { try join(item) } } catch { failure = failure ?? error }
  }

  private mutating func join(_ item: StatedItem) throws {
    guard let known = try stored(item.key) else {
      try put(item.state, over: nil, of: item.key, file: Self.elsewhere)
      received.insert(item.key)
      return
    }
    let joined = known.joined(with: item.state)
    let place: [SQLValue] = [.text(item.key.collection.text), .text(item.key.id.text)]
    if joined == known {
      // An unwritten state that another device has written needs no file of its own.
      if item.state == known {
        try db.run(
          "UPDATE syncItem SET file = '\(Self.elsewhere)' WHERE collection = ? AND id = ? AND file IS NULL", place)
      }
      return
    }
    let file = try db.first("SELECT file FROM syncItem WHERE collection = ? AND id = ?", place) {
      $0.isNull(0) ? nil : $0.text(0)
    }
    // What was written to no file yet still has to be, unless that file has all of it.
    try put(joined, over: known, of: item.key, file: (file ?? nil) ?? (joined == item.state ? Self.elsewhere : nil))
    received.insert(item.key)
  }

  mutating func digest() -> StateDigest {
    if let knownDigest { return knownDigest }
    var digest = StateDigest()
    do {
      for key in keys { if let state = try stored(key) { digest.replace(nil, by: state, of: key) } }
    } catch { failure = failure ?? error }
    knownDigest = digest
    return digest
  }

  mutating func note(_ keys: [ItemKey], writtenTo file: FileID) {
    do {
      for key in keys {
        try db.run(
          "UPDATE syncItem SET file = ? WHERE collection = ? AND id = ?",
          [.text(Self.name(file)), .text(key.collection.text), .text(key.id.text)])
      }
    } catch { failure = failure ?? error }
  }

  mutating func dirty(writtenTo file: FileID) {
    do {
      try db.run("UPDATE syncItem SET file = NULL WHERE file = ?", [.text(Self.name(file))])
    } catch { failure = failure ?? error }
  }

  private static func name(_ file: FileID) -> String { "\(file.writer)-\(file.number)" }

  // MARK: - Links

  /// Stores by which references the item has to be shown with others.
  private func link(_ state: ItemState, of key: ItemKey) throws {
    let collection = schema.collections[key.collection]
    var links: [(kind: String, to: ItemKey)] = state.same.map { ("same", ItemKey(key.collection, $0)) }
    if let holder = collection?.holder, case .reference(let target) = collection?.fields[holder] {
      links += targets(of: holder, in: state).map { ("holder", ItemKey(target, $0)) }
    }
    for field in collection?.acyclic ?? [] {
      links += targets(of: field, in: state).map { ("edge", ItemKey(key.collection, $0)) }
    }
    guard !links.isEmpty || collection?.holder != nil || collection?.acyclic.isEmpty == false else { return }
    let (name, id) = (SQLValue.text(key.collection.text), SQLValue.text(key.id.text))
    try db.run("DELETE FROM syncLink WHERE collection = ? AND id = ?", [name, id])
    for link in links {
      try db.run(
        "INSERT OR IGNORE INTO syncLink (collection, id, kind, toCollection, toID) VALUES (?, ?, ?, ?, ?)",
        [name, id, .text(link.kind), .text(link.to.collection.text), .text(link.to.id.text)])
    }
  }

  private func targets(of field: ByteKey, in state: ItemState) -> [ByteKey] {
    let values = (state.latest[field] ?? [:]).values.compactMap(\.value.stringValue).map { ByteKey($0) }
    return values + (state.sets[field] ?? [:]).keys
  }

  /// The states that decide how items are shown: of these items, and of all with which they are connected.
  ///
  /// - Returns: `shown` are the items whose rows the states determine. `states` also has the items that are the same as
  ///   others, since they lead references.
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  func connected(with keys: some Sequence<ItemKey>) throws -> (shown: Set<ItemKey>, states: [ItemKey: ItemState]) {
    var shown = Set(keys)
    var states: [ItemKey: ItemState] = [:]
    let given = shown
    var open = Array(shown)
    while let key = open.popLast() {
      let state = try stored(key)
      if let state { states[key] = state }
      let isAlive = schema.collections[key.collection].map { state?.isAlive(in: $0) ?? false } ?? false
      var next = try links("SELECT kind, toCollection, toID FROM syncLink WHERE collection = ? AND id = ?", key)
      // The parts of an item matter if it may be shown for them alone, or if they may be shown from now on.
      next += try links(
        "SELECT kind, collection, id FROM syncLink WHERE toCollection = ? AND toID = ?", key
      ).filter { $0.kind != "holder" || !isAlive || given.contains(key) }
      for link in next where shown.insert(link.key).inserted { open.append(link.key) }
    }
    for key in try self.keys("SELECT DISTINCT collection, id FROM syncLink WHERE kind = 'same'")
    where states[key] == nil {
      states[key] = try stored(key)
    }
    return (shown, states)
  }

  private func links(_ query: String, _ key: ItemKey) throws -> [(kind: String, key: ItemKey)] {
    var links: [(String, ItemKey)] = []
    try db.each(query, [.text(key.collection.text), .text(key.id.text)]) {
      links.append(($0.text(0), ItemKey(ByteKey($0.text(1)), ByteKey($0.text(2)))))
    }
    return links
  }
}
