import SQLite
import Synchronization
import Wire

/// The collections of this library with the actual columns of their tables.
///
/// The columns are read once when the library is opened, after the migrations, so the migration that created them is
/// their only list.
package struct Schema: Sendable {
  /// A class, since every write passes it around.
  final class Entry: Sendable {
    let description: ItemCollection
    let layout: RowLayout
    /// The columns that a write can set; the others belong to the transaction, or to SQL of the feature.
    var contentColumns: Set<String> { content.value }
    /// Deferred, since the declarations of all fields take longer to create than the rest of opening a library.
    private let content: Deferred<Set<String>>
    let links: CollectionLinks?
    private let knownDefaults = Mutex<[String: SQLValue]?>(nil)
    /// By layout: of the table, and of its type, which may have the columns in another order.
    private let placed = Mutex<[(layout: RowLayout, following: [PlacedFollowingRows])]>([])

    init(description: ItemCollection, layout: RowLayout, links: CollectionLinks?) {
      self.description = description
      self.layout = layout
      self.links = links
      content = Deferred {
        Set(layout.columns).subtracting(Schema.commonColumns).subtracting(description.columns.quiet)
      }
    }

    var name: String { description.name }
    var table: String { description.table }
    var columns: [String] { layout.columns }
    var payload: @Sendable (String, Snapshot) throws -> JSONValue? { description.payload }

    /// The rows that follow from its own, for values in the order of this layout.
    func following(in layout: RowLayout) -> [PlacedFollowingRows] {
      if description.following.isEmpty { return [] }
      return placed.withLock { placed in
        if let known = placed.first(where: { $0.layout === layout }) { return known.following }
        let following = description.following.map { PlacedFollowingRows($0, in: layout) }
        placed.append((layout, following))
        return following
      }
    }

    /// The defaults of the columns that cannot be null.
    func defaults(in db: Database) throws -> [String: SQLValue] {
      if let known = knownDefaults.withLock(\.self) { return known }
      let defaults = try db.defaults(of: table)
      knownDefaults.withLock { $0 = defaults }
      return defaults
    }

    /// The number of items.
    func count(in db: Database) throws -> Int {
      try db.first("SELECT count(*) FROM \(table)") { $0.int(0) } ?? 0
    }
  }

  private let entries: [String: Entry]
  package let names: [String]
  /// The collections that have `counts`.
  private let counted: [String]

  init(collections: [ItemCollection], db: Database) throws {
    var entries: [String: Entry] = [:]
    let places = collections.compactMap { collection in
      collection.linking?.place?.name.map { ($0, collection.name) }
    }
    for collection in collections {
      let columns = try db.columns(of: collection.table)
      let missing = Self.commonColumns.filter { !columns.contains($0) }
      precondition(missing.isEmpty, "table \(collection.table) lacks \(missing)")
      precondition(entries[collection.name] == nil, "two collections are named \(collection.name)")
      let links = collection.linking.map { linking in
        CollectionLinks(
          name: collection.name, table: collection.table, linking: linking,
          places: Dictionary(uniqueKeysWithValues: places))
      }
      let lost = (links?.columns ?? []).filter { !columns.contains($0) }
      precondition(lost.isEmpty, "table \(collection.table) lacks \(lost)")
      entries[collection.name] = Entry(
        description: collection, layout: .of(table: collection.table, columns: columns), links: links)
    }
    self.entries = entries
    names = collections.map(\.name)
    counted = collections.filter { $0.counts != nil }.map(\.name)
  }

  /// The columns that the transaction sets.
  static let commonColumns = ["id", "revision", "createdAt", "updatedAt"]

  /// A feature's declaration of a collection; nil if the collection does not exist.
  package func description(of name: String) -> ItemCollection? { entries[name]?.description }

  /// The links of a collection; nil if it does not take part in links.
  package func links(of name: String) -> CollectionLinks? { entries[name]?.links }

  /// The counts for clients of the collections in these changes.
  func counts(after changes: [Change], in snapshot: Snapshot) throws -> [ItemCount] {
    if changes.isEmpty || counted.isEmpty { return [] }
    let touched = counted.filter { name in changes.contains { sameBytes($0.collection, name) } }
    return try touched.flatMap { try collection($0).description.counts?(changes, snapshot) ?? [] }
  }

  func collection(_ name: String) -> Entry {
    guard let entry = entries[name] else { preconditionFailure("no feature declares the collection \(name)") }
    return entry
  }

  func find(_ name: String) -> Entry? {
    entries[name]
  }

  var all: [Entry] { names.map { entries[$0]! } }

  /// Sets the columns of all items that have an imported value, when the whole library was imported.
  func setImportedValues(in db: Database) throws {
    try db.transaction {
      for collection in all {
        for (column, value) in collection.description.columns.imported {
          try db.run("UPDATE \(collection.table) SET \(column) = ?1 WHERE \(column) IS NOT ?1", [value])
        }
      }
    }
  }
}
