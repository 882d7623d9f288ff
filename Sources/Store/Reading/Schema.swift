import SQLite
import Wire

/// The collections of this library with the columns that their tables really have.
///
/// The columns are read once when the library is opened, after the migrations, so no list of them stands beside the
/// migration that made them.
package struct Schema: Sendable {
  /// A class, since every write hands it around.
  final class Entry: Sendable {
    let description: ItemCollection
    let layout: RowLayout
    /// The columns that a write gives a value; the others belong to the transaction, or to SQL of the feature's own.
    let contentColumns: Set<String>
    let links: CollectionLinks?

    init(
      description: ItemCollection, layout: RowLayout, contentColumns: Set<String>, links: CollectionLinks?
    ) {
      self.description = description
      self.layout = layout
      self.contentColumns = contentColumns
      self.links = links
    }

    var name: String { description.name }
    var table: String { description.table }
    var columns: [String] { layout.columns }
    var payload: @Sendable (String, Snapshot) throws -> JSONValue? { description.payload }

    /// How many items there are.
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
    let places = collections.compactMap { collection in collection.linking?.place.map { ($0.name, collection.name) } }
    for collection in collections {
      let columns = try db.columns(of: collection.table)
      let missing = Self.kept.filter { !columns.contains($0) }
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
        description: collection, layout: .of(table: collection.table, columns: columns),
        contentColumns: Set(columns).subtracting(Self.kept).subtracting(collection.columns.quiet),
        links: links)
    }
    self.entries = entries
    names = collections.map(\.name)
    counted = collections.filter { $0.counts != nil }.map(\.name)
  }

  /// The columns that the transaction itself fills.
  static let kept = ["id", "revision", "createdAt", "updatedAt"]

  /// What a feature declares of a collection; nil for one that does not exist.
  package func description(of name: String) -> ItemCollection? { entries[name]?.description }

  /// What links have to do with a collection; nil where that is nothing.
  package func links(of name: String) -> CollectionLinks? { entries[name]?.links }

  /// What the collections that these changes are of count for clients.
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

  /// Gives all items the values that those of an archive get: the whole library was brought here.
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
