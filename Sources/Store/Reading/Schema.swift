import GRDB
import Wire

/// The collections of this library with the columns that their tables really have.
///
/// The columns are read once when the library is opened, after the migrations, so no list of them stands beside the
/// migration that made them.
package struct Schema: Sendable {
  struct Entry: Sendable {
    let description: ItemCollection
    let columns: [String]
    let insertSQL: String

    var name: String { description.name }
    var table: String { description.table }
    var payload: @Sendable (String, Snapshot) throws -> JSONValue? { description.payload }
    /// Columns that a write gives a value; the others belong to the transaction.
    let contentColumns: [String]
  }

  private let entries: [String: Entry]
  package let names: [String]

  init(collections: [ItemCollection], db: Database) throws {
    var entries: [String: Entry] = [:]
    for collection in collections {
      let columns = try db.columns(in: collection.table).map(\.name)
      let missing = Self.kept.filter { !columns.contains($0) }
      precondition(missing.isEmpty, "table \(collection.table) lacks \(missing)")
      precondition(entries[collection.name] == nil, "two collections are named \(collection.name)")
      let quoted = columns.map { "\"\($0)\"" }.joined(separator: ", ")
      let places = columns.map { _ in "?" }.joined(separator: ", ")
      entries[collection.name] = Entry(
        description: collection, columns: columns,
        insertSQL: "INSERT INTO \(collection.table) (\(quoted)) VALUES (\(places))",
        contentColumns: columns.filter { !Self.kept.contains($0) && !collection.quietColumns.contains($0) })
    }
    self.entries = entries
    names = collections.map(\.name)
  }

  /// The columns that the transaction itself fills.
  static let kept = ["id", "revision", "createdAt", "updatedAt"]

  func collection(_ name: String) -> Entry {
    guard let entry = entries[name] else { preconditionFailure("no feature declares the collection \(name)") }
    return entry
  }

  func find(_ name: String) -> Entry? {
    entries[name]
  }

  var all: [Entry] { names.map { entries[$0]! } }
}
