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

  /// A text that a client has open.
  package struct Holder: Hashable, Sendable {
    private let connection: String
    private let path: TextPath

    package init(_ path: TextPath, of connection: String) { (self.path, self.connection) = (path, connection) }
  }

  private struct Reserved {
    var ids: [Name: String] = [:]
    /// The anchors of lines that may never be saved, with the texts that got them.
    var unsaved: [Name: Holder] = [:]
  }

  private let reserved = Mutex(Reserved())
  /// Reservations that are stored are dropped above this number.
  private static let mostReserved = 20_000
  /// Above this number none is reserved for an item that may never be saved.
  private static let mostUnsaved = 20_000

  /// The anchors of items, in the order of their ids.
  ///
  /// - Throws: `DatabaseError`.
  package func anchors(of ids: [String], in collection: String, for snapshot: Snapshot) throws -> [String] {
    var new: [(id: String, anchor: String)] = []
    let anchors = try ids.map { id -> String in
      if let known = try Self.stored(of: id, in: collection, db: snapshot.db) { return known }
      let anchor = try reserve(id, in: collection, for: nil, db: snapshot.db)
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
      ?? reserved.withLock { $0.ids[Name(collection: collection, anchor: anchor)] }
  }

  /// The items of all collections with an anchor.
  ///
  /// - Throws: `DatabaseError`.
  package func items(with anchor: String, for snapshot: Snapshot) throws -> [ItemKey] {
    try snapshot.services.library.collections.compactMap { collection in
      try item(with: anchor, in: collection, for: snapshot).map { ItemKey(collection: collection, id: $0) }
    }
  }

  /// The anchor of a new item whose line gets the anchor before it is saved. The next daemon does not know it.
  ///
  /// - Returns: nil if too many are reserved.
  /// - Throws: `DatabaseError`.
  package func newAnchor(in collection: String, for holder: Holder, _ snapshot: Snapshot) throws -> String? {
    guard reserved.withLock({ $0.unsaved.count }) < Self.mostUnsaved else { return nil }
    return try reserve(snapshot.services.newID(), in: collection, for: holder, db: snapshot.db)
  }

  /// Releases the anchors that a text got and does not have, unless they were saved.
  ///
  /// - Parameter present: the anchors in the text; none once it is closed.
  package func release(_ holder: Holder, except present: Set<String> = []) {
    reserved.withLock { reserved in
      let released = reserved.unsaved.filter { $0.value == holder && !present.contains($0.key.anchor) }
      for name in released.keys {
        reserved.unsaved[name] = nil
        reserved.ids[name] = nil
      }
    }
  }

  /// The number of anchors of lines that may never be saved.
  package var unsavedCount: Int { reserved.withLock { $0.unsaved.count } }

  /// - Parameter holder: the text that gets the anchor before its item is saved; nil for an item that a text shows.
  private func reserve(_ id: String, in collection: String, for holder: Holder?, db: Database) throws -> String {
    let candidates = TextAnchor.candidates(collection: collection, id: id)
    for anchor in candidates {
      let owner = try Self.item(with: anchor, in: collection, db: db)
      if let owner, !sameBytes(owner, id) { continue }
      let isOurs = reserved.withLock { reserved in
        let name = Name(collection: collection, anchor: anchor)
        if let other = reserved.ids[name], !sameBytes(other, id) { return false }
        reserved.ids[name] = id
        reserved.unsaved[name] = holder
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
        guard reserved.ids.count > Self.mostReserved else { return }
        for (_, anchor) in new { reserved.ids[Name(collection: collection, anchor: anchor)] = nil }
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
