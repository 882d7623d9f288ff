import Contract
import Kit
import SQLite
import Store
import Wire

/// The files to which shared items refer, by the library's tables.
struct SharedFileRows: Sendable {
  /// Collection, table and column of each column with the hash of a file.
  private let columns: [(collection: SharedCollection, table: String, column: String)]

  init(_ collections: SharedCollections) {
    columns = collections.all.flatMap { collection in
      collection.items.columns.blobs.map { (collection, collection.items.table, $0) }
    }
  }

  /// How long the pieces of a file are taken for present after they were last seen, in milliseconds.
  private static let trust = 7 * SyncPolicy.day

  /// The hashes of files that are here, and whose pieces may not lie at the target; the newest items first.
  ///
  /// - Throws: `DatabaseError`.
  func unsent(generation: Int, at now: Int64, limit: Int = -1, in db: Database) throws -> [String] {
    try hashes(
      """
      IN (SELECT hash FROM blob)
        AND "%" NOT IN (SELECT hash FROM syncSent WHERE generation = \(generation) AND checkedAt BETWEEN
          \(now - Self.trust) AND \(now))
      """, limit: limit, in: db)
  }

  /// The hashes of files that only other devices have; the newest items first. No device has the file of an item without
  /// one, and a file of the user's own stays where it is.
  ///
  /// - Throws: `DatabaseError`.
  func missing(limit: Int = -1, in db: Database) throws -> [String] {
    try hashes(
      """
      IN (SELECT hash FROM blobElsewhere WHERE path IS NULL) AND "%" NOT GLOB '\(BlobsElsewhere.noFile)*'
      """, limit: limit, in: db)
  }

  /// - Parameter condition: of the column, which may be named `%`.
  private func hashes(_ condition: String, limit: Int, in db: Database) throws -> [String] {
    var hashes: [String] = []
    for (_, table, column) in columns {
      let condition = condition.split(separator: "%", omittingEmptySubsequences: false).joined(separator: column)
      hashes += try db.texts(
        "SELECT DISTINCT \"\(column)\" FROM \(table) WHERE \"\(column)\" \(condition) ORDER BY createdAt DESC LIMIT \(limit)"
      )
    }
    return hashes
  }

  /// Reports the items that refer to a file that is here now.
  ///
  /// - Returns: whether there are any.
  /// - Throws: `DatabaseError`.
  func report(_ hash: String, in transaction: Transaction) throws -> Bool {
    var isUsed = false
    for (collection, table, column) in columns {
      var items: [(id: String, revision: Int64)] = []
      try transaction.db.each("SELECT id, revision FROM \(table) WHERE \"\(column)\" = ?", [.text(hash)]) {
        items.append(($0.text(0), $0.integer(1)))
      }
      for item in items {
        isUsed = true
        transaction.touch(collection: collection.name.text, id: item.id, revision: item.revision, fields: [column])
      }
    }
    return isUsed
  }

  /// The hashes that the states of shown items name, those of conflicts too. A removed item is shown if its parts have
  /// brought it back.
  ///
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  func named(by states: LibraryStates) throws -> Set<String> {
    var named: Set<String> = []
    for (collection, _, column) in columns {
      guard let field = collection.items.columns.shared.first(where: { $0.columns.contains(column) }) else { continue }
      for key in try states.keys(of: collection.name) {
        guard let state = try states.stored(key) else { continue }
        guard try state.isAlive(in: collection.synced) || isBroughtBack(key, states) else { continue }
        for head in (state.latest[ByteKey(field.name)] ?? [:]).values {
          let value = field.columns.count > 1 ? head.value[column] : head.value
          if let hash = value?.stringValue { named.insert(hash) }
        }
      }
    }
    return named
  }

  private func isBroughtBack(_ key: ItemKey, _ states: LibraryStates) throws -> Bool {
    let connected = try states.connected(with: [key]).states
    return LibraryView(connected, schema: states.schema).rows[SameItems(connected).leader(of: key)] != nil
  }
}
