import SQLite

/// What the fields of a collection declare, by the names of their columns, for whoever treats rows of any collection.
package final class ColumnTraits: Sendable {
  /// Hold the SHA-256 of a blob.
  let blobs: [String]
  /// Are written by the feature's own SQL, which then calls `touch`; no old version keeps them.
  package let quiet: [String]
  /// Are part of no reply and no history; undo and old versions keep them.
  package let inner: [String]
  /// The names under which the catalogue has what people call the others.
  package let labels: [String: String]
  /// Hold an item's place among others: the history has their values, and no differences of texts.
  package let places: [String]
  /// Hold JSON as a text, which clients get as the value that it is.
  package let json: [String]
  /// Holds the column in which an item stands, as a card on a board: another value is a move. The others change with it.
  package let lane: [String]
  /// The values that an item of an archive, or of a library from elsewhere, gets whatever stands there.
  let imported: [String: SQLValue]
  /// How texts of an archive are stored, where that may hold them in another form: URLs without their tokens.
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
    imported = fields.reduce(into: [:]) { $0[$1.name] = $1.importedValue }
    forms = fields.reduce(into: [:]) { $0[$1.name] = $1.importedForm }
  }
}
