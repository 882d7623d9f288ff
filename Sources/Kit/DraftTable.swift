import Contract
import SQLite
import Store
import Wire

/// A client's unsaved version of an item. Each client has its own: concurrent edits do not overwrite each other.
package struct StoredDraft: Sendable {
  package var item: String
  package var connection: String
  package var client: String
  /// The content in the feature's own format.
  package var content: String
  /// The item's revision when the draft was begun; nil for a new item.
  package var revision: Int64?
  package var startedAt: Instant
  package var updatedAt: Instant
}

/// The table of a feature's drafts. It is part of no collection: drafts cause no notifications and no commits.
package struct DraftTable: Sendable {
  private let name: String
  private let item: String
  private let content: String
  private let columns: String
  /// The most recently stored draft first.
  private let order: Keyset

  /// The table has the columns `connection`, `client`, `revision`, `startedAt`, `updatedAt`, and two named here: that
  /// of the item, which together with the connection is its key, and that of the content.
  package init(_ name: String, item: String, content: String) {
    self.name = name
    self.item = item
    self.content = content
    columns = "\(item), connection, client, \(content), revision, startedAt, updatedAt"
    order = Keyset(.integer("updatedAt"), .text(item), .text("connection")).descending
  }

  /// - Throws: `StoreError.broken`, `DatabaseError`.
  package func find(_ id: String, of connection: String, in db: Database) throws -> StoredDraft? {
    try db.first(
      "SELECT \(columns) FROM \(name) WHERE \(item) = ? AND connection = ?", [.text(id), .text(connection)],
      StoredDraft.init)
  }

  /// All drafts of an item, the most recently stored first.
  ///
  /// - Throws: `DatabaseError`.
  package func all(of id: String, in db: Database) throws -> [StoredDraft] {
    var drafts: [StoredDraft] = []
    try db.each(
      "SELECT \(columns) FROM \(name) WHERE \(item) = ? ORDER BY updatedAt DESC, connection", [.text(id)]
    ) { drafts.append(StoredDraft($0)) }
    return drafts
  }

  /// The items of which a client has a draft.
  ///
  /// - Throws: `DatabaseError`.
  package func items(of connection: String, in db: Database) throws -> Set<String> {
    var items: Set<String> = []
    try db.each("SELECT \(item) FROM \(name) WHERE connection = ?", [.text(connection)]) { items.insert($0.text(0)) }
    return items
  }

  /// Those of some files that drafts show which were stored at a moment, in milliseconds, or later.
  ///
  /// - Throws: `DatabaseError`.
  package func files(among ids: Set<String>, since moment: Int64, in db: Database) throws -> Set<String> {
    try db.mentions(of: ids, in: "SELECT \(content) FROM \(name) WHERE updatedAt >= ?", [.integer(moment)])
  }

  /// The oldest drafts beyond the newest ones of a number and of so many bytes together.
  ///
  /// - Throws: `DatabaseError`.
  package func beyond(_ most: Int, bytes: Int, in db: Database) throws -> [StoredDraft] {
    var (count, size) = (0, 0)
    var oldest: [StoredDraft] = []
    try db.each("SELECT \(columns) FROM \(name) ORDER BY \(order.order)") { row in
      (count, size) = (count + 1, size + row.bytes(3).count)
      if count > most || size > bytes { oldest.append(StoredDraft(row)) }
    }
    return oldest
  }

  // MARK: - Lists

  /// One page of all drafts, most recently stored first.
  ///
  /// - Throws: `RPCError.invalidParams` of `after`, `DatabaseError`, and whatever `make` throws.
  package func page<Item: Payload>(
    _ params: DraftListParams, in snapshot: Snapshot, _ make: (StoredDraft) throws -> Item
  ) throws -> Page<Item> {
    let limit = params.limit ?? 20
    let cursor = try params.after.map { try order.place($0) }
    let (rows, hasMore) = try part(in: snapshot.db, after: cursor, limit: limit)
    let total = try count(after: nil, in: snapshot.db)
    return Page(
      items: try rows.map(make), offset: try cursor.map { total - (try count(after: $0, in: snapshot.db)) } ?? 0,
      limit: limit, total: total, next: hasMore ? rows.last.map { order.cursor(place(of: $0)) } : nil)
  }

  /// The most bytes of all drafts on one page: each may have four megabytes.
  private static let partSize = 4 << 20

  private func part(
    in db: Database, after cursor: [SQLValue]?, limit: Int
  ) throws -> (rows: [StoredDraft], hasMore: Bool) {
    var rows: [StoredDraft] = []
    var size = 0
    var hasMore = false
    let after = cursor.map(order.condition) ?? (sql: "1", values: [])
    try db.each(
      "SELECT \(columns) FROM \(name) WHERE \(after.sql) ORDER BY \(order.order) LIMIT ?",
      after.values + [.integer(limit + 1)]
    ) { row in
      size += row.bytes(3).count
      hasMore = hasMore || rows.count == limit || size > Self.partSize && !rows.isEmpty
      if !hasMore { rows.append(StoredDraft(row)) }
    }
    return (rows, hasMore)
  }

  private func place(of draft: StoredDraft) -> [SQLValue] {
    [.integer(draft.updatedAt.milliseconds), .text(draft.item), .text(draft.connection)]
  }

  private func count(after place: [SQLValue]?, in db: Database) throws -> Int {
    let after = place.map(order.condition) ?? (sql: "1", values: [])
    return try db.first("SELECT count(*) FROM \(name) WHERE \(after.sql)", after.values) { $0.int(0) } ?? 0
  }

  // MARK: - Writing

  /// - Throws: `DatabaseError`.
  package func keep(_ draft: StoredDraft, in transaction: Transaction) throws {
    transaction.keepSilent()
    try transaction.db.run(
      "INSERT OR REPLACE INTO \(name) (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?)",
      [
        .text(draft.item), .text(draft.connection), .text(draft.client), .text(draft.content),
        .integer(draft.revision), .integer(draft.startedAt.milliseconds), .integer(draft.updatedAt.milliseconds),
      ])
  }

  /// Deletes the drafts of an item, or only one connection's. Returns false if there are none.
  ///
  /// - Throws: `DatabaseError`.
  package func discard(_ id: String, of connection: String?, in transaction: Transaction) throws -> Bool {
    try remove("\(item) = ? AND connection = ifnull(?, connection)", [.text(id), .text(connection)], in: transaction)
  }

  /// Deletes the drafts that a save makes obsolete: those with the same content, and the saving client's own draft, if
  /// it equals the saved content once the saved fields are set in it. If it has other unsaved changes, it stays, as
  /// other clients' drafts do; both are offered. Its revision is advanced past its own client's save, so it is no more
  /// outdated than before.
  ///
  /// A client that adds an item need not know the id of its draft: a draft of a new item with the same content is
  /// deleted too.
  ///
  /// - Parameter revisions: the item's revision before the save, nil for a new item, and after it.
  /// - Throws: `DatabaseError`, and whatever `draft` throws.
  package func settle(
    _ id: String, saving saved: String, revisions: (old: Int64?, new: Int64), in transaction: Transaction,
    settingIn draft: (String) throws -> String
  ) throws {
    let isNew = revisions.old == nil
    for var own in try own(id, isNew: isNew, in: transaction) {
      own.content = try draft(own.content)
      if own.revision == revisions.old { own.revision = revisions.new }
      try keep(own, in: transaction)
    }
    let place = isNew ? "(\(item) = ? OR revision IS NULL)" : "\(item) = ?"
    _ = try remove("\(place) AND \(content) = ?", [.text(id), .text(saved)], in: transaction)
  }

  /// The drafts of the saving client, that is, of its connection. For a new item, also those of its client name whose
  /// connections are closed, since two commands are one client: a client that adds the item by the id from a draft's
  /// reply continues that draft. A client that saves an existing item may not know about a draft left by a crashed
  /// editor of its name.
  private func own(_ id: String, isNew: Bool, in transaction: Transaction) throws -> [StoredDraft] {
    let (caller, library) = (transaction.caller, transaction.services.library)
    var drafts: [StoredDraft] = []
    try transaction.db.each("SELECT \(columns) FROM \(name) WHERE \(item) = ?", [.text(id)]) { row in
      let draft = StoredDraft(row)
      let isOwn = sameBytes(draft.connection, caller.connectionID)
      let isContinued =
        isNew && !draft.client.isEmpty && sameBytes(draft.client, caller.clientName)
        && !library.isConnected(draft.connection)
      if isOwn || isContinued { drafts.append(draft) }
    }
    return drafts
  }

  private func remove(_ condition: String, _ values: [SQLValue], in transaction: Transaction) throws -> Bool {
    let isThere = try transaction.db.first("SELECT 1 FROM \(name) WHERE \(condition)", values) { $0.bool(0) }
    guard isThere == true else { return false }
    transaction.keepSilent()
    try transaction.db.run("DELETE FROM \(name) WHERE \(condition)", values)
    return true
  }
}

/// The parameters of a list of drafts.
package struct DraftListParams: Payload {
  package var after: String?
  package var limit: Int?
  package static let example = DraftListParams(after: nil, limit: 20)
  package static let fields = [
    "after": "`next` of the previous page.",
    "limit": "Maximum number. Default 20. A page of very long drafts is shorter.",
  ]
  package static let limits: [String: FieldLimits] = ["after": .length(1...256), "limit": .range(1...100)]
}

extension StoredDraft {
  fileprivate init(_ row: Columns) {
    item = row.text(0)
    connection = row.text(1)
    client = row.text(2)
    content = row.text(3)
    revision = row.isNull(4) ? nil : row.integer(4)
    startedAt = Instant(milliseconds: row.integer(5))
    updatedAt = Instant(milliseconds: row.integer(6))
  }

  /// A client's new draft, continuing its earlier one.
  package init(
    of item: String, content: String, known: StoredDraft?, revision: Int64?, in transaction: Transaction
  ) {
    self.item = item
    connection = transaction.caller.connectionID
    client = transaction.caller.clientName
    self.content = content
    self.revision = known.map(\.revision) ?? revision
    startedAt = known?.startedAt ?? transaction.now
    updatedAt = transaction.now
  }
}
