/// What the fields of a collection declare, by the names of their columns, for whoever treats rows of any collection.
package struct ColumnTraits: Sendable {
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

  init<Item>(_ fields: Fields<Item>) {
    blobs = fields.names(of: .isBlob)
    quiet = fields.names(of: .isQuiet)
    inner = fields.names(of: .isInternal)
    labels = fields.all.reduce(into: [:]) { if !$1.traits.contains(.isInternal) { $0[$1.name] = $1.term ?? $1.name } }
    places = fields.names(of: .isPlace)
    json = fields.names(of: .isJSON)
    lane = fields.all.filter { $0.traits.contains(.isLane) }.flatMap { fields.group(of: $0).map(\.name) }
    imported = fields.all.reduce(into: [:]) { $0[$1.name] = $1.importedValue }
    forms = fields.all.reduce(into: [:]) { $0[$1.name] = $1.importedForm }
  }
}
