/// The change of one item by one commit, as it is reported to clients.
package struct Change: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable, Codable {
    case added, updated, removed
  }

  package var collection: String
  package var id: String
  package var kind: Kind
  /// The item's revision after the change; for a removed item its last revision.
  package var revision: Int64
  /// The wire names of the changed fields; only for an update.
  package var fields: [String]

  package init(collection: String, id: String, kind: Kind, revision: Int64, fields: [String] = []) {
    self.collection = collection
    self.id = id
    self.kind = kind
    self.revision = revision
    self.fields = fields
  }
}

/// The changes of one commit.
package struct Commit: Sendable, Equatable {
  package var clock: Int64
  package var changes: [Change]
  /// Whether the commit is reported as a reset, because it, or the long write to which it belongs, changed more items
  /// than are reported one by one.
  package var isOfMany: Bool
  /// The counts for clients that these changes have changed.
  package var counts: [ItemCount]

  package init(clock: Int64, changes: [Change], isOfMany: Bool = false, counts: [ItemCount] = []) {
    self.clock = clock
    self.changes = changes
    self.counts = counts
    self.isOfMany = isOfMany || changes.count > Delta.limit
  }
}

/// The difference between two clocks, as a client needs it.
package struct Delta: Sendable, Equatable {
  package enum Content: Sendable, Equatable {
    case changes([Change])
    /// The difference is too large or too old to be listed: the client has to fetch these collections again, or all if
    /// nil.
    case reset([String]?)
  }

  package var since: Int64
  package var clock: Int64
  package var content: Content
  /// Counts that changed, as they are at `clock`; also where the changes are not listed.
  package var counts: [ItemCount]

  package init(since: Int64, clock: Int64, content: Content, counts: [ItemCount] = []) {
    self.since = since
    self.clock = clock
    self.content = content
    self.counts = counts
  }

  /// The most changed items that are listed one by one.
  package static let limit = 1_000
}

/// Merges the changes of several commits into one per item: added+updated is added, added+removed is dropped,
/// removed+added is updated.
package struct ChangeMerger {
  private struct Key: Hashable {
    var collection: String
    var id: String
  }

  private var order: [Key] = []
  private var merged: [Key: Change] = [:]

  package init() {}

  /// How many items have a change to report.
  package var count: Int { merged.count }
  package private(set) var collections: Set<String> = []

  package mutating func add(_ change: Change) {
    let key = Key(collection: change.collection, id: change.id)
    collections.insert(change.collection)
    guard let earlier = merged[key] else {
      // An item that was added and removed may be added again: its position is then that of the newest change.
      order.append(key)
      merged[key] = change
      return
    }
    merged[key] = Self.merge(earlier, change)
  }

  /// The changes in the order in which the items were first changed.
  package var changes: [Change] {
    var seen: Set<Key> = []
    return order.compactMap { key in seen.insert(key).inserted ? merged[key] : nil }
  }

  package func delta(since: Int64, clock: Int64) -> Delta {
    Delta(
      since: since, clock: clock,
      content: count > Delta.limit ? .reset(collections.sorted()) : .changes(changes))
  }

  private static func merge(_ earlier: Change, _ later: Change) -> Change? {
    var result = later
    switch (earlier.kind, later.kind) {
    case (.added, .updated), (.added, .added): result.kind = .added
    case (.added, .removed): return nil
    case (.updated, .updated): result.fields = union(earlier.fields, later.fields)
    case (.removed, .added):
      // The changes in between are not known, so no field is listed: the client has to fetch the whole item.
      result.kind = .updated
    default: break
    }
    if result.kind != .updated { result.fields = [] }
    return result
  }

  private static func union(_ first: [String], _ second: [String]) -> [String] {
    // An update without field names means all fields.
    if first.isEmpty || second.isEmpty { return [] }
    return first + second.filter { !first.contains($0) }
  }
}
