import Contract
import SQLite
import Store
import Wire

/// What a client wrote of an item and did not save. Each client has its own of an item: what two people write at once
/// is lost by neither.
package struct KeptDraft: Sendable {
  package var item: String
  package var connection: String
  package var client: String
  /// As the feature keeps it.
  package var content: String
  /// The item's revision when the draft was begun; nil for an item that was not there.
  package var revision: Int64?
  package var startedAt: Instant
  package var updatedAt: Instant
}

/// The table of a feature's drafts. It is part of no collection: a draft is told to nobody and makes no commit.
package struct DraftTable: Sendable {
  private let name: String
  private let item: String
  private let content: String
  private let columns: String
  /// The last kept first.
  private let order: Keyset

  /// The table has the columns `connection`, `client`, `revision`, `startedAt`, `updatedAt`, and two named here: that of
  /// the item, which together with the connection is its key, and that of what was written.
  package init(_ name: String, item: String, content: String) {
    self.name = name
    self.item = item
    self.content = content
    columns = "\(item), connection, client, \(content), revision, startedAt, updatedAt"
    order = Keyset(.integer("updatedAt"), .text(item), .text("connection")).descending
  }

  package func find(_ id: String, of connection: String, in db: Database) throws -> KeptDraft? {
    try db.first(
      "SELECT \(columns) FROM \(name) WHERE \(item) = ? AND connection = ?", [.text(id), .text(connection)],
      KeptDraft.init)
  }

  /// The items of which a client keeps one.
  package func items(of connection: String, in db: Database) throws -> Set<String> {
    var items: Set<String> = []
    try db.each("SELECT \(item) FROM \(name) WHERE connection = ?", [.text(connection)]) { items.insert($0.text(0)) }
    return items
  }

  // MARK: - Lists

  /// One part of all drafts, the last kept first.
  package func page<Item: Payload>(
    _ params: DraftListParams, in snapshot: Snapshot, _ make: (KeptDraft) throws -> Item
  ) throws -> Page<Item> {
    let limit = params.limit ?? 20
    let cursor = try params.after.map { try order.place($0) }
    let (rows, hasMore) = try part(in: snapshot.db, behind: cursor, limit: limit)
    let total = try count(behind: nil, in: snapshot.db)
    return Page(
      items: try rows.map(make), offset: try cursor.map { total - (try count(behind: $0, in: snapshot.db)) } ?? 0,
      limit: limit, total: total, next: hasMore ? rows.last.map { order.cursor(place(of: $0)) } : nil)
  }

  /// What the drafts of one part may have together, in bytes: each may be four megabytes.
  private static let partSize = 4 << 20

  private func part(
    in db: Database, behind cursor: [SQLValue]?, limit: Int
  ) throws -> (rows: [KeptDraft], hasMore: Bool) {
    var rows: [KeptDraft] = []
    var size = 0
    var hasMore = false
    let behind = cursor.map(order.condition) ?? (sql: "1", values: [])
    try db.each(
      "SELECT \(columns) FROM \(name) WHERE \(behind.sql) ORDER BY \(order.order) LIMIT ?",
      behind.values + [.integer(limit + 1)]
    ) { row in
      size += row.bytes(3).count
      hasMore = hasMore || rows.count == limit || size > Self.partSize && !rows.isEmpty
      if !hasMore { rows.append(KeptDraft(row)) }
    }
    return (rows, hasMore)
  }

  private func place(of draft: KeptDraft) -> [SQLValue] {
    [.integer(draft.updatedAt.milliseconds), .text(draft.item), .text(draft.connection)]
  }

  private func count(behind place: [SQLValue]?, in db: Database) throws -> Int {
    let behind = place.map(order.condition) ?? (sql: "1", values: [])
    return try db.first("SELECT count(*) FROM \(name) WHERE \(behind.sql)", behind.values) { $0.int(0) } ?? 0
  }

  // MARK: - Writing

  package func keep(_ draft: KeptDraft, in transaction: Transaction) throws {
    transaction.keepSilent()
    try transaction.db.run(
      "INSERT OR REPLACE INTO \(name) (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?)",
      [
        .text(draft.item), .text(draft.connection), .text(draft.client), .text(draft.content),
        .integer(draft.revision), .integer(draft.startedAt.milliseconds), .integer(draft.updatedAt.milliseconds),
      ])
  }

  /// Lets go of the drafts of an item, or only of one connection's. False when there are none.
  package func discard(_ id: String, of connection: String?, in transaction: Transaction) throws -> Bool {
    try remove("\(item) = ? AND connection = ifnull(?, connection)", [.text(id), .text(connection)], in: transaction)
  }

  /// Lets go of the drafts that a save makes needless: any with the same content, and that of the client that saves,
  /// where it says the same once what the save sets is put into it. With what it has besides, which was not saved, it
  /// stays, as another client's unsaved text does; both are offered. It is as new as the item was before its own client's
  /// save, so it is no more outdated afterwards than it was.
  ///
  /// Who adds an item need not know the id of its draft: one of a new item that says just that goes too.
  ///
  /// - Parameter revisions: the item's before the save, nil where there was none, and after it.
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

  /// The drafts that are of the client that saves: its connection's. Of a new item also those of its name whose
  /// connections are gone, as two commands are one client: who adds it by the id that a draft was answered with goes on
  /// with that. Who saves an item that was there may not know that an editor of its name died over it.
  private func own(_ id: String, isNew: Bool, in transaction: Transaction) throws -> [KeptDraft] {
    let (caller, library) = (transaction.caller, transaction.services.library)
    var drafts: [KeptDraft] = []
    try transaction.db.each("SELECT \(columns) FROM \(name) WHERE \(item) = ?", [.text(id)]) { row in
      let draft = KeptDraft(row)
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

/// Which part of a feature's drafts.
package struct DraftListParams: Payload {
  package var after: String?
  package var limit: Int?
  package static let example = DraftListParams(after: nil, limit: 20)
  package static let fields = [
    "after": "`next` of the part before.",
    "limit": "How many at most. Default 20. A part ends earlier where they are very long.",
  ]
  package static let limits: [String: FieldLimits] = ["after": .length(1...256), "limit": .range(1...100)]
}

extension KeptDraft {
  fileprivate init(_ row: Columns) {
    item = row.text(0)
    connection = row.text(1)
    client = row.text(2)
    content = row.text(3)
    revision = row.isNull(4) ? nil : row.integer(4)
    startedAt = Instant(milliseconds: row.integer(5))
    updatedAt = Instant(milliseconds: row.integer(6))
  }

  /// What a client writes now, going on with what it wrote before.
  package init(
    of item: String, content: String, known: KeptDraft?, revision: Int64?, in transaction: Transaction
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
