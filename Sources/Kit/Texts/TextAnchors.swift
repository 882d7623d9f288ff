import SQLite
import Store
import Synchronization
import Wire

/// The anchors of the items that texts have shown.
///
/// A text is rendered by a read, which cannot store anything. So a new anchor is reserved in memory at once, for all
/// readers, and stored by a write that is queued: of one client's requests, a save sees what the text before it showed.
package final class TextAnchors: Sendable {
  private struct Name: Hashable {
    var collection: String
    var anchor: String
  }

  private let reserved = Mutex<[Name: String]>([:])
  /// Reservations that are stored are dropped above this number.
  private static let mostReserved = 20_000
  /// Above this number none is reserved for an item that may never be saved.
  private static let mostUnsaved = 100_000

  /// The anchors of items, in the order of their ids.
  ///
  /// - Throws: `DatabaseError`.
  package func anchors(of ids: [String], in collection: String, for snapshot: Snapshot) throws -> [String] {
    var new: [(id: String, anchor: String)] = []
    let anchors = try ids.map { id -> String in
      if let known = try Self.stored(of: id, in: collection, db: snapshot.db) { return known }
      let anchor = try reserve(id, in: collection, db: snapshot.db)
      new.append((id, anchor))
      return anchor
    }
    if !new.isEmpty { store(new, of: collection, with: snapshot.services) }
    return anchors
  }

  /// - Throws: `DatabaseError`.
  package func anchor(of item: ItemKey, for snapshot: Snapshot) throws -> String {
    try anchors(of: [item.id], in: item.collection, for: snapshot)[0]
  }

  /// The item with an anchor; it may have been removed. Nil for an anchor that no text has shown.
  ///
  /// - Throws: `DatabaseError`.
  package func item(with anchor: String, in collection: String, for snapshot: Snapshot) throws -> String? {
    try Self.item(with: anchor, in: collection, db: snapshot.db)
      ?? reserved.withLock { $0[Name(collection: collection, anchor: anchor)] }
  }

  /// The items of all collections with an anchor.
  ///
  /// - Throws: `DatabaseError`.
  package func items(with anchor: String, for snapshot: Snapshot) throws -> [ItemKey] {
    try snapshot.services.library.collections.compactMap { collection in
      try item(with: anchor, in: collection, for: snapshot).map { ItemKey(collection: collection, id: $0) }
    }
  }

  /// An id and its anchor for a new item whose line gets the anchor before it is saved. The next daemon does not know
  /// it.
  ///
  /// - Returns: nil if too many are reserved.
  /// - Throws: `DatabaseError`.
  package func newItem(in collection: String, for snapshot: Snapshot) throws -> (id: String, anchor: String)? {
    guard reserved.withLock({ $0.count }) < Self.mostUnsaved else { return nil }
    let id = snapshot.services.newID()
    return (id, try reserve(id, in: collection, db: snapshot.db))
  }

  private func reserve(_ id: String, in collection: String, db: Database) throws -> String {
    let candidates = TextAnchor.candidates(collection: collection, id: id)
    for anchor in candidates {
      let owner = try Self.item(with: anchor, in: collection, db: db)
      if let owner, !sameBytes(owner, id) { continue }
      let isOurs = reserved.withLock { reserved in
        let name = Name(collection: collection, anchor: anchor)
        if let other = reserved[name] { return sameBytes(other, id) }
        reserved[name] = id
        return true
      }
      if isOurs { return anchor }
    }
    // Forty equal bits: the text would bind the line by its words.
    return candidates[candidates.endIndex - 1]
  }

  private func store(_ new: [(id: String, anchor: String)], of collection: String, with services: Services) {
    services.library.post(as: FeatureCaller.daemon(services), label: "text/anchors") { transaction in
      transaction.keepSilent()
      for (id, anchor) in new {
        try transaction.db.run(
          "INSERT OR IGNORE INTO textAnchor (collection, anchor, item) VALUES (?, ?, ?)",
          [.text(collection), .text(anchor), .text(id)])
      }
    } then: { [self] failure in
      guard failure == nil else { return }
      reserved.withLock { reserved in
        guard reserved.count > Self.mostReserved else { return }
        for (_, anchor) in new { reserved[Name(collection: collection, anchor: anchor)] = nil }
      }
    }
  }

  private static func stored(of id: String, in collection: String, db: Database) throws -> String? {
    try db.first(
      "SELECT anchor FROM textAnchor WHERE collection = ? AND item = ?", [.text(collection), .text(id)]
    ) { $0.text(0) }
  }

  private static func item(with anchor: String, in collection: String, db: Database) throws -> String? {
    try db.first(
      "SELECT item FROM textAnchor WHERE collection = ? AND anchor = ?", [.text(collection), .text(anchor)]
    ) { $0.text(0) }
  }
}

extension Services {
  package var anchors: TextAnchors { memory.object(TextAnchors.self) { TextAnchors() } }
}
