import SQLite

/// The declarations of the fields of a collection, by column name, for code that handles rows of any collection.
package final class ColumnTraits: Sendable {
  /// Columns that hold the SHA-256 of a blob.
  package let blobs: [String]
  /// Columns written by the feature's own SQL, which then calls `touch`; old versions do not contain them.
  package let quiet: [String]
  /// Columns that are part of no reply and no history; undo and old versions contain them.
  package let inner: [String]
  /// Catalogue names of columns whose label differs from the column's name.
  package let labels: [String: String]
  /// Columns with an item's position among others: the history has their values, and no text differences.
  package let places: [String]
  /// Columns that hold JSON as a text, which clients get as a JSON value.
  package let json: [String]
  /// The column in which an item is, as a card on a board: another value is a move, and the other columns change with
  /// it.
  package let lane: [String]
  /// The column with an item's tags, a JSON list; nil if it has none.
  package let tags: String?
  /// The column with a query of `search/query`; nil if it has none.
  package let query: String?
  /// The fields as devices share them, in the order of the columns.
  package let shared: [SyncedColumns]
  /// The values that items of an archive, or of an external library, get instead of the imported value.
  let imported: [String: SQLValue]
  /// Conversions of imported texts to their stored form, such as URLs without tokens.
  let forms: [String: @Sendable (String) -> String]

  init<Item>(_ fields: [Field<Item>]) {
    func names(of trait: Field<Item>.Traits) -> [String] { fields.filter { $0.traits.contains(trait) }.map(\.name) }
    blobs = names(of: .isBlob)
    quiet = names(of: .isQuiet)
    inner = names(of: .isInternal)
    labels = fields.reduce(into: [:]) { if !$1.traits.contains(.isInternal) { $0[$1.name] = $1.term ?? $1.name } }
    places = names(of: .isPlace)
    json = names(of: .isJSON)
    lane = fields.filter { $0.traits.contains(.isLane) }.flatMap { [$0.name] + $0.companions + $0.followers }
    tags = fields.first { $0.searchPart == .tags && $0.traits.contains(.isJSON) }?.name
    query = names(of: .isQuery).first
    var members: Set<String> = []
    for field in fields { members.formUnion(field.companions + field.followers + field.syncedFields) }
    shared = fields.filter { !members.contains($0.name) && $0.sync != .own }.map {
      SyncedColumns(
        columns: [$0.name] + $0.companions + $0.followers + $0.syncedFields, followers: $0.followers, sync: $0.sync)
    }
    imported = fields.reduce(into: [:]) { $0[$1.name] = $1.importedValue }
    forms = fields.reduce(into: [:]) { $0[$1.name] = $1.importedForm }
  }
}
