/// What the fields of a collection declare, by the names of their columns, for whoever treats rows of any collection.
package struct ColumnTraits: Sendable {
  /// Hold the SHA-256 of a blob.
  let blobs: [String]
  /// Are written by the feature's own SQL, which then calls `touch`; no old version keeps them.
  package let quiet: [String]
  /// Are part of no reply and no history; undo and old versions keep them.
  package let inner: [String]
  /// Hold an item's place among others: the history has their values, and no differences of texts.
  package let places: [String]
  /// Hold JSON as a text, which clients get as the value that it is.
  package let json: [String]
  /// The values that an item of an archive, or of a library from elsewhere, gets whatever stands there.
  let imported: [String: SQLValue]
  /// How texts of an archive are stored, where that may hold them in another form: URLs without their tokens.
  let forms: [String: @Sendable (String) -> String]

  init<Item>(_ fields: Fields<Item>) {
    blobs = fields.names(of: .isBlob)
    quiet = fields.names(of: .isQuiet)
    inner = fields.names(of: .isInternal)
    places = fields.names(of: .isPlace)
    json = fields.names(of: .isJSON)
    imported = fields.all.reduce(into: [:]) { $0[$1.name] = $1.importedValue }
    forms = fields.all.reduce(into: [:]) { $0[$1.name] = $1.importedForm }
  }
}
