import SQLite
import Store
import Wire

/// The states of the library's items in its tables.
///
/// It exists within one transaction or snapshot. The protocol's members cannot throw: the first error is noted, and all
/// that was decided or written has to be given up if there is one (`requireWhole`). So half a reading never counts as
/// all items.
struct LibraryStates: ItemStates {
  let db: Database
  let schema: SyncSchema
  private let failure = FirstFailure()
  /// The items whose states files have changed since this was last emptied.
  var received: Set<ItemKey> = []
  /// The digest of all states, if it is known.
  var knownDigest: StateDigest?

  /// The file of items that another device has written.
  private static let elsewhere = "elsewhere"

  init(_ db: Database, _ schema: SyncSchema, digest: StateDigest? = nil) {
    (self.db, self.schema, knownDigest) = (db, schema, digest)
  }

  /// The first error of a transaction, of reading too.
  private final class FirstFailure {
    var error: (any Error)?
  }

  /// - Throws: the first error of this transaction.
  func requireWhole() throws { if let error = failure.error { throw error } }

  private func noting<Value>(_ value: Value, _ body: () throws -> Value) -> Value {
    do { return try body() } catch {
      failure.error = failure.error ?? error
      return value
    }
  }

  // MARK: - Reading

  func keys(after last: ItemKey?, limit: Int) -> [ItemKey] {
    noting([]) {
      // No collection has an empty name.
      try keys(
        "SELECT collection, id FROM syncItem WHERE (collection, id) > (?, ?) ORDER BY collection, id LIMIT ?",
        [.text(last?.collection.text ?? ""), .text(last?.id.text ?? ""), .integer(limit)])
    }
  }

  /// - Parameter limit: how many at most; nil for all.
  /// - Throws: `DatabaseError`.
  func keys(of collection: ByteKey, limit: Int? = nil) throws -> [ItemKey] {
    try keys(
      "SELECT collection, id FROM syncItem WHERE collection = ? ORDER BY id LIMIT ?",
      [.text(collection.text), .integer(limit ?? -1)])
  }

  /// The items that name this one as their holder.
  ///
  /// - Throws: `DatabaseError`.
  func parts(of key: ItemKey) throws -> [ItemKey] {
    try keys(
      "SELECT collection, id FROM syncLink WHERE kind = 'holder' AND toCollection = ? AND toID = ?",
      [.text(key.collection.text), .text(key.id.text)])
  }

  func dirtyKeys(after last: ItemKey?, limit: Int) -> [ItemKey] {
    noting([]) {
      try keys(
        """
        SELECT collection, id FROM syncItem WHERE file IS NULL AND (collection, id) > (?, ?)
        ORDER BY collection, id LIMIT ?
        """, [.text(last?.collection.text ?? ""), .text(last?.id.text ?? ""), .integer(limit)])
    }
  }

  var hasDirty: Bool { noting(true) { try dirtyCount(limit: 1) > 0 } }

  /// How many items are dirty, at most so many.
  ///
  /// - Throws: `DatabaseError`.
  func dirtyCount(limit: Int) throws -> Int {
    try db.first("SELECT count(*) FROM (SELECT 1 FROM syncItem WHERE file IS NULL LIMIT \(limit))") { $0.int(0) } ?? 0
  }

  /// Whether a newer version has written items or fields that this one does not know.
  ///
  /// - Throws: `DatabaseError`.
  func hasUnknown() throws -> Bool {
    func isAny(_ condition: String, _ values: [SQLValue]) throws -> Bool {
      try db.first("SELECT 1 FROM syncItem WHERE \(condition) LIMIT 1", values) { _ in true } ?? false
    }
    func places(_ count: Int) -> String { Array(repeating: "?", count: count).joined(separator: ", ") }
    let names = Array(schema.collections.keys) + [ForgottenItems.collection]
    if try isAny("collection NOT IN (\(places(names.count)))", names.map { .text($0.text) }) { return true }
    return try schema.collections.contains { name, collection in
      let fields = collection.fields.keys.map { SQLValue.text($0.text) }
      return try ["f", "t", "s"].contains { member in
        try isAny(
          """
          collection = ? AND EXISTS (
            SELECT 1 FROM json_each(state, '$[1].\(member)') WHERE key NOT IN (\(places(fields.count))))
          """, [.text(name.text)] + fields)
      }
    }
  }

  private func keys(_ query: String, _ values: [SQLValue] = []) throws -> [ItemKey] {
    var keys: [ItemKey] = []
    try db.each(query, values) { keys.append(ItemKey(ByteKey($0.text(0)), ByteKey($0.text(1)))) }
    return keys
  }

  private static let find = CachedStatement("SELECT state FROM syncItem WHERE collection = ? AND id = ?")

  func state(of key: ItemKey) -> ItemState? { noting(nil) { try stored(key) } }

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
    do { for item in items { try join(item) } } catch { failure.error = failure.error ?? error }
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
    let digest = noting(StateDigest()) {
      var digest = StateDigest()
      for key in keys(after: nil) { if let state = try stored(key) { digest.replace(nil, by: state, of: key) } }
      return digest
    }
    knownDigest = digest
    return digest
  }

  mutating func note(_ keys: [ItemKey], writtenTo file: FileID) {
    setFile(.text(Self.name(file)), of: keys)
  }

  mutating func dirty(_ keys: [ItemKey]) { setFile(.null, of: keys) }

  private func setFile(_ file: SQLValue, of keys: [ItemKey]) {
    noting(()) {
      for key in keys {
        try db.run(
          "UPDATE syncItem SET file = ? WHERE collection = ? AND id = ?",
          [file, .text(key.collection.text), .text(key.id.text)])
      }
    }
  }

  mutating func dirty(writtenTo file: FileID) {
    noting(()) { try db.run("UPDATE syncItem SET file = NULL WHERE file = ?", [.text(Self.name(file))]) }
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
